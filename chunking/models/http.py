"""One JSON request to a model's server, with retries; a failure is a ModelError of one line.

The only module that imports httpx2. API keys never appear in a message or a log.
Redirects are not followed, so that a key goes only where it was sent.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from json import dumps
from typing import TYPE_CHECKING

from chunking.errors import ModelError

if TYPE_CHECKING:
    from httpx2 import Client, Response

TRY_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that may be temporary, and are retried. Any other error status is final."""

_SHOWN = 200
"""Maximum characters of a server's error text that a message repeats."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Time-outs in seconds, and how often to try."""

    attempts: int = 5
    connect: float = 10.0
    answer: float = 60.0
    """For each read of the answer; an answer that keeps coming may take longer."""
    first_wait: float = 0.5
    """Before the second attempt; doubled before each further one."""
    longest_wait: float = 60.0
    """A server that asks for more (Retry-After) is not waited for: that is an error that says
    so."""
    sleep: Callable[[float], None] = time.sleep


PATIENT = Patience()


def post_json(
    url: str,
    payload: Mapping[str, object],
    headers: Mapping[str, str],
    *,
    who: str,
    secrets: Sequence[str] = (),
    patience: Patience = PATIENT,
) -> object:
    """Post `payload` as JSON and return the JSON that came back.

    `who` names the server in messages; `secrets` are what no message may repeat, such as the key in
    `headers`. Statuses in TRY_AGAIN, lost connections and time-outs are tried again, waiting as
    Retry-After asks, else ever longer. Raises ModelError, one line, when that is of no use.
    """
    content = dumps(payload).encode("ascii")
    problem = ""
    for attempt in range(1, patience.attempts + 1):
        answer, problem = _ask(url, content, headers, patience)
        if answer is not None and answer.is_success:
            return _json(answer, who, secrets)
        if answer is not None:
            problem = f"answered {answer.status_code} {answer.reason_phrase}{_server_message(answer)}"
            if answer.status_code not in TRY_AGAIN:
                raise _error(who, problem + _way_out(answer.status_code), secrets)
        if attempt < patience.attempts:
            patience.sleep(_wait(answer, attempt, patience, who, problem, secrets))
    raise _error(who, f"{problem}; gave up after {patience.attempts} attempts, try later", secrets)


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


def checked_base_url(name: str, url: str) -> str:
    """A server's address from the environment variable `name`, without its last slash. Raises
    ModelError."""
    from httpx2 import URL, InvalidURL

    try:
        parsed = URL(url.strip())
    except InvalidURL:
        raise ModelError(f"{name}: is not an address; write it like http://127.0.0.1:8080/v1") from None
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ModelError(f"{name}: is not an address; write it like http://127.0.0.1:8080/v1")
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise ModelError(f"{name}: holds more than an address; leave out names, passwords and what follows ? or #")
    return str(parsed).rstrip("/")


def _ask(url: str, content: bytes, headers: Mapping[str, str], patience: Patience) -> tuple[Response | None, str]:
    """The answer, or what went wrong on the way; only what may pass is returned, the rest is
    raised."""
    from httpx2 import HTTPError, Timeout, TimeoutException

    timeout = Timeout(patience.answer, connect=patience.connect)
    try:
        sent = {**headers, "Content-Type": "application/json"}
        return _client(os.getpid()).post(url, content=content, headers=sent, timeout=timeout), ""
    except TimeoutException as error:
        seconds = patience.connect if type(error).__name__ == "ConnectTimeout" else patience.answer
        return None, f"gave no answer within {seconds:g} s"
    except HTTPError as error:
        # httpx2 words some of these with the header's own value: the kind of error says enough.
        reason = type(error).__name__
        at = "could not be reached" if reason == "ConnectError" else "broke the connection"
        return None, f"{at} ({reason})"


@lru_cache(maxsize=1)
def _client(process: int) -> Client:  # noqa: ARG001
    """One client, so that connections are used again; a forked process makes its own."""
    from httpx2 import Client

    return Client(follow_redirects=False)


def _json(answer: Response, who: str, secrets: Sequence[str]) -> object:
    try:
        parsed: object = answer.json()
    except (ValueError, RecursionError):
        raise _error(who, f"did not answer with JSON{_server_message(answer)}; check its address", secrets) from None
    return parsed


def _server_message(answer: Response) -> str:
    """The server's own words, shortened: `: model not found`."""
    text = answer.text.strip()
    try:
        body: object = answer.json()
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, list) and body:
        body = body[0]
    found: object = body.get("error", body.get("message", body.get("detail"))) if isinstance(body, dict) else None
    if isinstance(found, dict):
        found = found.get("message")
    text = found if isinstance(found, str) else text
    return f": {text[: _SHOWN - 1]}…" if len(text) > _SHOWN else (f": {text}" if text else "")


def _way_out(status: int) -> str:
    if status in (401, 403):
        return "; check the key"
    if 300 <= status < 400 or status in (404, 405):
        return "; check the address and the model's name"
    return "; asking again would not help"


def _wait(
    answer: Response | None, attempt: int, patience: Patience, who: str, problem: str, secrets: Sequence[str]
) -> float:
    """Seconds to wait before the next attempt."""
    asked = _retry_after(answer.headers.get("retry-after", "")) if answer is not None else None
    if asked is None:
        return min(float(patience.first_wait * 2 ** (attempt - 1)), patience.longest_wait)
    if asked > patience.longest_wait:
        raise _error(who, f"{problem}; it asks to wait {asked:.0f} s, more than {patience.longest_wait:g} s", secrets)
    return asked


def _retry_after(value: str) -> float | None:
    """Seconds from a Retry-After header, given in seconds or as a date; None when it says
    neither."""
    try:
        return float(min(max(int(value), 0), 10**9))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - time.time())


def _error(who: str, problem: str, secrets: Sequence[str]) -> ModelError:
    return ModelError(redacted(f"{who}: {problem}", secrets))
