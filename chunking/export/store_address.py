"""The address of a store, as `-o`, `search` and `plan --apply` take it: `lancedb://kb`,
`postgresql://user@host/db?table=kb`. What is secret in it never leaves this class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlencode

from chunking.errors import StoreError
from chunking.text.display import shown_text
from chunking.text.suggest import did_you_mean

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_ALSO_CALLED = {"postgres": "postgresql"}
"""Schemes that an engine has under another name as well."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{2,59}")
_OPEN = ("table", "tls")
"""The options whose values are shown."""
DEFAULT_TABLE = "chunks"
_SHORT = 4
"""A secret of fewer characters may be a part of any word: what an engine says of it is not
repeated."""


@dataclass(frozen=True, slots=True, repr=False)
class StoreAddress:
    """Where a store is: `scheme://place?option=value`."""

    scheme: str
    place: str
    """What stands between the scheme and the options, as it was written; a password may be in
    it."""
    options: Mapping[str, str]

    @property
    def path(self) -> str:
        """The place as the path of a file or folder."""
        return unquote(self.place)

    @property
    def table(self) -> str:
        """The table, or collection, that holds the chunks."""
        return self.options.get("table", DEFAULT_TABLE)

    @property
    def shown(self) -> str:
        """The address for people, without what may be secret."""
        before, at, after = self.place.rpartition("@")
        user, colon, _ = before.partition(":")
        user = user if colon or self.scheme == "postgresql" else "***" * bool(user)
        place = f"{user}{colon and ':***'}{at}{after}"
        query = "&".join(f"{name}={value if name in _OPEN else '***'}" for name, value in self.options.items())
        return shown_text(f"{self.scheme}://{place}{'?' if query else ''}{query}", 200)

    def check_options(self, *known: str) -> None:
        """Raises StoreError for an option that the store does not have."""
        for name in self.options:
            if name not in known:
                raise StoreError(f"{self.shown}: has no option {shown_text(name, 40)}; {did_you_mean(name, known)}")

    def without_options(self, *names: str) -> str:
        """The whole address less these options, for an engine that takes it: secrets included."""
        kept = {name: value for name, value in self.options.items() if name not in names}
        return f"{self.scheme}://{self.place}{'?' if kept else ''}{urlencode(kept, quote_via=quote)}"

    def scrubbed(self, words: str) -> str:
        """What an engine says, without the secrets of this address."""
        for secret in sorted(self._secrets(), key=len, reverse=True):
            if secret in words and len(secret) < _SHORT:
                return "what it said has the password in it"
            words = words.replace(secret, "***")
        return words

    def _secrets(self) -> set[str]:
        written = self.place.rpartition("@")[0].partition(":")[2]
        found = {written, unquote(written)}
        found |= {value for name, value in self.options.items() if re.search("pass|key|token|secret", name.lower())}
        return found - {""}


def is_address(text: str) -> bool:
    """Whether this is the address of a store, and not a path."""
    return _ADDRESS.fullmatch(text) is not None


def store_address(text: str) -> StoreAddress:
    """The address that a text is. Raises StoreError for one that cannot be read, or names no good
    table."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise StoreError(f"{shown_text(text, 100)}: not the address of a store; give one as lancedb://FOLDER")
    place, _, query = found[2].partition("?")
    scheme = found[1].lower()
    address = StoreAddress(_ALSO_CALLED.get(scheme, scheme), place, _options(query))
    if not place:
        raise StoreError(f"{address.shown}: does not say where; give one as {address.scheme}://PLACE")
    if not _NAME.fullmatch(address.table):
        raise StoreError(
            f"{address.shown}: table has to be 3 to 60 letters, digits, - and _, and begin with a letter or _; "
            f"left out, it is {DEFAULT_TABLE}"
        )
    return address


def _options(query: str) -> dict[str, str]:
    """A + is one: only forms have it for a blank."""
    named = [each.partition("=") for each in query.split("&") if each]
    return {unquote(name): unquote(value) for name, _, value in named}
