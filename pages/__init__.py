"""The pages of the app, each at its own address: the file that runs each page is here, its parts
are in `ui`."""
