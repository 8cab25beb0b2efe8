"""What a model call costs: bounded before it is made, counted after it. Money is in USD."""

from __future__ import annotations

from dataclasses import dataclass

from research_pipeline.study import ModelPrice

_MILLION = 1_000_000
_FRAMING_TOKENS = 1_000  # that a provider may add around a request: roles, the form of tools, its own safety text


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens. Discounts, such as those for cached input, are not counted: a call never costs more than is said."""

    input: float
    output: float

    @classmethod
    def of(cls, stated: ModelPrice) -> Price:
        """What a study states."""
        return cls(stated.input, stated.output)

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Of a call that used so many tokens; thinking counts as output."""
        return (input_tokens * self.input + output_tokens * self.output) / _MILLION

    def at_most(self, request_bytes: int, max_output_tokens: int) -> float:
        """The most that a call can cost. A token is at least one byte of UTF-8, so that a request has no more tokens than bytes."""
        return self.cost(request_bytes + _FRAMING_TOKENS, max_output_tokens)
