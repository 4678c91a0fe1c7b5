"""What every page is made of: its frame, the pickers, remembered runs, questions about models,
markup."""
