"""What stands between the network and the app: who may come in, and what every response says."""
