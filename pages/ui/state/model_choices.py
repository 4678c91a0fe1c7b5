"""What this session asked of models: which one to ask next, their prices, why one did not answer,
and the boundary to explain."""

from __future__ import annotations

from pages.ui.state.session import this_session


def model_problem(key: str) -> str:
    """Why a model did not answer all that it was asked, one line; "" where it did or was not
    asked."""
    return this_session().model_problems.get(key, "")


def note_model_problem(key: str, problem: str) -> None:
    this_session().model_problems[key] = problem


def want(key: str) -> None:
    """Have this model asked in the next run of the script, once."""
    session = this_session()
    session.wanted = key
    session.model_problems.pop(key, None)


def take_wanted(key: str) -> bool:
    """Whether this model is to be asked now. The wish is taken back: the next call says False."""
    session = this_session()
    taken = session.wanted == key
    if taken:
        session.wanted = ""
    return taken


def allow(key: str) -> None:
    """Let this model be asked for the rest of the session."""
    this_session().allowed.add(key)


def is_allowed(key: str) -> bool:
    return key in this_session().allowed


def price(of: str, way: str) -> float:
    """The price of a million tokens that go into this model (`way` is "in") or come out of it
    ("out"), as somebody typed it; 0.0 before that."""
    return this_session().prices.get((of, way), 0.0)


def set_price(of: str, way: str, value: float) -> None:
    this_session().prices[(of, way)] = value


def asked_about() -> int | None:
    return this_session().asked_about


def ask_about(offset: int) -> None:
    """Have this boundary explained, however long that takes."""
    this_session().asked_about = offset
