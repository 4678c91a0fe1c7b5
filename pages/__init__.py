"""The pages of the app, each at its own address: the files that begin one are here, their fittings
in `ui`."""
