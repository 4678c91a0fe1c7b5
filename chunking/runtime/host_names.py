"""Who a request says it is for (Host) and whose page sent it (Origin), read with distrust."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([^\s:/?#@\[\]\\]{1,253}))(?::(\d{1,5}))?")
_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


def parsed_host(text: str) -> tuple[str, int | None] | None:
    """A host in lower case, without the dot of a full name, and its port; None for what is no
    host."""
    found = _HOST.fullmatch(text.strip())
    if found is None:
        return None
    number, name, port = found.groups()
    if number is not None and ip_of(number) is None:
        return None
    host = number or name.lower().removesuffix(".")
    return (host, int(port) if port else None) if host else None


def is_same_origin(origin: str, host: tuple[str, int | None]) -> bool:
    """Whether a page of this origin is one that this host sent: the same name and port. `null` is
    nobody's."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    usual = _PORTS.get(parts.scheme)
    requested = parsed_host(parts.netloc)
    if usual is None or requested is None or parts.path not in ("", "/") or parts.query or parts.fragment:
        return False
    return (requested[0], requested[1] or usual) == (host[0], host[1] or usual)


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own, which nobody else reaches."""
    number = ip_of(host.strip("[]"))
    if isinstance(number, IPv6Address) and number.ipv4_mapped:
        number = number.ipv4_mapped
    return number.is_loopback if number is not None else host.lower() == "localhost"


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is written as; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
