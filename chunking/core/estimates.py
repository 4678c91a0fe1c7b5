"""What a run would ask of a model, before anything is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls and tokens that a run would cost now. Tokens are estimates: cl100k_base's, whatever the
    model's are."""

    calls: int
    """Texts that would be asked about: descriptions to write, or sentences to embed; 0 where no
    model is asked."""
    cached: int
    """Those whose answers are remembered, and cost nothing."""
    input_tokens: int
    output_tokens: int
    at_least: bool = False
    """Whether it may be more: what a strategy asks for next can depend on what it was answered."""

    def cost(self, input_price: float, output_price: float) -> float:
        """In the prices' currency; they are for a million tokens each."""
        return (self.input_tokens * input_price + self.output_tokens * output_price) / 1_000_000
