"""One JSON request to a model's server, with retries; a failure is a ModelError of one line.

API keys never appear in a message or a log. What one answer may cost is bounded in bytes, in JSON
values and in seconds, and so is the request with all its retries (http_exchange.py holds to it).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from json import dumps, loads

from chunking.errors import ModelError
from chunking.models import waiting
from chunking.models.http_exchange import Answer, NoAnswer, Request, exchange
from chunking.text.display import counted

TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that may be temporary, and are retried. Any other error status is final."""

_SHOWN = 200
"""Maximum characters of a server's error text that a message repeats."""
_READ_OF_ERROR = 65_536
"""Bytes of an answer of no use in which its message is looked for."""
_LEAST = 0.05
"""Seconds without which no further attempt is made."""
_SLICE = 0.1
"""Seconds between two looks at whether a pause between attempts shall end."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Time limits in seconds, and how often to try."""

    attempts: int = 5
    connect: float = 10.0
    answer: float = 60.0
    """For each attempt, from its first byte to the last of its answer."""
    total: float = 120.0
    """For the request with all its attempts and the pauses between them."""
    first_wait: float = 0.5
    """Before the second attempt; doubled before each further one."""
    longest_wait: float = 60.0
    """A server that asks for more (Retry-After) is not waited for: that is an error that says
    so."""
    sleep: Callable[[float], None] | None = None
    """Pauses in place of a wait that can be ended; for tests."""


PATIENT = Patience()


@dataclass(frozen=True, slots=True)
class AnswerLimit:
    """The most that one answer may hold, as far as what was asked tells."""

    size: int
    """Bytes."""
    values: int
    """JSON values: what is parsed may need thirty times the memory of its text."""


ABSOLUTE = AnswerLimit(size=32 * 2**20, values=4_000_000)
"""Whatever was asked: 256 vectors of 3,072 numbers are 17 MB and 0.8 million values."""


def post_json(
    url: str,
    payload: Mapping[str, object],
    headers: Mapping[str, str],
    *,
    who: str,
    secrets: Sequence[str] = (),
    patience: Patience = PATIENT,
    limit: AnswerLimit = ABSOLUTE,
) -> object:
    """Post `payload` as JSON and return the JSON that came back.

    `who` names the server in messages; `secrets` are what no message may repeat, such as the key in
    `headers`; `limit` is the most that the answer may hold, never more than ABSOLUTE. Statuses in
    TRY_AGAIN, lost connections and time-outs are tried again, waiting as Retry-After asks, else
    ever longer, until `patience.total` is over. Whoever listens (waiting.py) hears of all that, and
    can end it. Raises ModelError, one line, when that is of no use.
    """
    asking = _Asking(url, dumps(payload).encode("ascii"), headers, who, secrets, patience, limit)
    try:
        return asking.answer()
    finally:
        waiting.tell(None)


class _Asking:
    """One request and its attempts."""

    def __init__(
        self,
        url: str,
        content: bytes,
        headers: Mapping[str, str],
        who: str,
        secrets: Sequence[str],
        patience: Patience,
        limit: AnswerLimit,
    ) -> None:
        self._url, self._content, self._headers = url, content, headers
        self._who, self._secrets, self._patience = who, secrets, patience
        self._limit = AnswerLimit(min(limit.size, ABSOLUTE.size), min(limit.values, ABSOLUTE.values))
        self._began = time.monotonic()
        self._attempt = 1
        self._reason = ""

    def answer(self) -> object:
        """The JSON of the first good answer. Raises ModelError."""
        patience, problem = self._patience, ""
        for self._attempt in range(1, patience.attempts + 1):
            answer, problem = self._try()
            if answer is not None and 200 <= answer.status < 300:
                return self._json(answer)
            if answer is not None:
                named = f"{answer.status} {_phrase(answer.status)}".strip()
                self._reason, problem = f"answered {named}", f"answered {named}{self._server_message(answer)}"
                if answer.status not in TRY_AGAIN:
                    raise self._error(problem + _way_out(answer.status))
            if self._attempt == patience.attempts:
                break
            pause = self._pause(answer, problem)
            if self._left() - pause >= _LEAST:
                self._wait(pause)
                pause = 0.0
            if self._left() - pause < _LEAST:
                limit = f"after {_attempts(self._attempt)}, at its limit of {patience.total:g} s in all"
                raise self._error(f"{problem}; gave up {limit}, try later")
        raise self._error(f"{problem}; gave up after {_attempts(patience.attempts)}, try later")

    def _try(self) -> tuple[Answer | None, str]:
        """The answer, or what went wrong on the way; only what may pass is returned, the rest is
        raised."""
        seconds = min(self._patience.answer, max(self._left(), _LEAST))
        request = Request(self._url, self._content, self._headers, self._patience.connect, seconds, self._limit.size)
        try:
            return exchange(request, self._tell), ""
        except NoAnswer as refused:
            if not refused.may_pass:
                raise self._error(refused.problem) from None
            self._reason = refused.problem
            return None, refused.problem

    def _left(self) -> float:
        return self._patience.total - (time.monotonic() - self._began)

    def _tell(self) -> None:
        since, patience = time.monotonic() - self._began, self._patience
        who = redacted(self._who, self._secrets)
        waiting.tell(waiting.Waiting(who, since, patience.total, self._attempt, patience.attempts, self._reason))

    def _wait(self, seconds: float) -> None:
        """Pause between two attempts; the listener can end it."""
        if self._patience.sleep:
            self._patience.sleep(seconds)
            return
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._tell()
            time.sleep(min(_SLICE, left))

    def _pause(self, answer: Answer | None, problem: str) -> float:
        """Seconds to wait before the next attempt."""
        patience = self._patience
        seconds = _retry_after(answer.retry_after) if answer is not None else None
        if seconds is None:
            return min(float(patience.first_wait * 2 ** (self._attempt - 1)), patience.longest_wait)
        if seconds > patience.longest_wait:
            raise self._error(f"{problem}; it asks to wait {seconds:.0f} s, more than {patience.longest_wait:g} s")
        return seconds

    def _json(self, answer: Answer) -> object:
        body, most = answer.body, self._limit.values
        if sum(map(body.count, (b",", b"[", b"{"))) > most:
            raise self._error(
                f"answered with more than {most:,} values, the most that what was asked can need; "
                "check its address and model"
            )
        try:
            parsed: object = loads(body)
        except (ValueError, RecursionError):
            message = self._server_message(answer)
            raise self._error(f"did not answer with JSON{message}; check its address") from None
        return parsed

    def _server_message(self, answer: Answer) -> str:
        """The server's own words, without secrets and shortened: `: model not found`."""
        text = redacted(_message_in(answer.body), self._secrets)
        return f": {text[: _SHOWN - 1]}…" if len(text) > _SHOWN else (f": {text}" if text else "")

    def _error(self, problem: str) -> ModelError:
        return ModelError(redacted(f"{self._who}: {problem}", self._secrets))


def redacted(text: str, secrets: Sequence[str]) -> str:
    """The text without any secret, and without what merely looks like a key, on one line."""
    for secret in secrets:
        if secret.strip():
            text = text.replace(secret.strip(), "[key]")
    text = re.sub(r"\b(?:sk|pa|pk|AIza|Bearer)[-_ ]?[\w*.-]{8,}", "[key]", text)
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


def checked_key(name: str, key: str) -> str:
    """The key from the environment variable `name`, if a header can carry it. Raises ModelError,
    without the key."""
    stripped = key.strip()
    if not (stripped.isascii() and stripped.isprintable()) or " " in stripped:
        raise ModelError(f"{name}: holds characters that no key has (blanks, accents, line ends); set it anew")
    return stripped


def _message_in(body: bytes) -> str:
    """What an answer that is of no use says: the message of an error in JSON, else its text."""
    try:
        parsed: object = loads(body[:_READ_OF_ERROR])
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, list) and parsed:
        parsed = parsed[0]
    keys = ("error", "message", "detail")
    found: object = next((parsed[key] for key in keys if key in parsed), None) if isinstance(parsed, dict) else None
    if isinstance(found, dict):
        found = found.get("message")
    return found if isinstance(found, str) else body[:_READ_OF_ERROR].decode("utf-8", "replace").strip()


def _phrase(status: int) -> str:
    """The standard's words for a status: a server's own may be anything."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _attempts(count: int) -> str:
    return counted(count, "attempt")


def _way_out(status: int) -> str:
    if status in (401, 403):
        return "; check the key"
    if 300 <= status < 400:
        return "; redirects are not followed, so check the address"
    if status in (404, 405):
        return "; check the address and the model's name"
    return "; asking again would not help"


def _retry_after(value: str) -> float | None:
    """Seconds from a Retry-After header, given in seconds or as a date; None when it says
    neither."""
    try:
        return float(min(max(int(value), 0), 10**9))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
        return max(0.0, (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
