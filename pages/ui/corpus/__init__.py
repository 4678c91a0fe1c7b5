"""The parts of the Corpus page: many documents under one config, live."""
