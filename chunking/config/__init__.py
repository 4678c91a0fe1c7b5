"""A strategy with its settings and a counter: to and from YAML, links and JSON Schema, with its proof."""
