"""`chunkscope serve` and `chunkscope mcp`: what commands print, for programs and agents."""
