"""Our loaders, a module for each way of reading: bytes in, Markdown out. Each runs in a process of
its own, and is the only one to import its library."""
