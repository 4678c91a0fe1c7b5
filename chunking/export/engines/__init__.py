"""Vector databases as stores, each behind the client that its extra installs."""
