"""The pages of the app, each at its own address; the files that begin a page are beside this one, its fittings in ui."""
