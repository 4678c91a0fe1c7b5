"""H2 sections, split further at H3 and at paragraphs, with a prefix of labels and a short
overlap."""

from chunking.strategies.section_rules.strategy import SectionRules as SectionRules
