"""Questions with known answers, and marks: where they are, which of them a run cuts, where they are kept."""
