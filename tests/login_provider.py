"""An OpenID Connect provider on loopback, with the names of its users on one page: it discovers,
authorizes, signs (RS256) and checks the proof of the exchange (PKCE), as a real one does."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, CLIENT_SECRET = "chunkscope", "a secret of the client for the tests alone"
USERS = ("ann", "bob")


@contextmanager
def login_provider() -> Iterator[str]:
    """Its issuer, an address of 127.0.0.1, while the block runs."""
    server = _Provider(("127.0.0.1", 0), _Answers)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.issuer
    finally:
        server.shutdown()
        server.server_close()


def secrets_file(issuer: str, address: str) -> str:
    """What the app's owner writes among Streamlit's secrets, for an app at this address."""
    return f"""[auth]
redirect_uri = "{address}/oauth2callback"
cookie_secret = "{secrets.token_hex(32)}"
client_id = "{CLIENT}"
client_secret = "{CLIENT_SECRET}"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
"""


class _Provider(ThreadingHTTPServer):
    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"kid": "of the tests", "use": "sig", "alg": "RS256"}, private=True)
        self.codes: dict[str, dict[str, str]] = {}
        """What was asked for with each code that was given out and not taken yet."""


class _Answers(BaseHTTPRequestHandler):
    server: _Provider

    def do_GET(self) -> None:
        asked, about = urlsplit(self.path), self.server
        query = dict(parse_qsl(asked.query))
        if asked.path == "/.well-known/openid-configuration":
            self._json(
                {
                    "issuer": about.issuer,
                    "authorization_endpoint": f"{about.issuer}/authorize",
                    "token_endpoint": f"{about.issuer}/token",
                    "jwks_uri": f"{about.issuer}/keys",
                    "response_types_supported": ["code"],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                    "code_challenge_methods_supported": ["S256"],
                }
            )
        elif asked.path == "/keys":
            self._json({"keys": [about.key.as_dict(private=False)]})
        elif asked.path == "/authorize" and "user" not in query:
            links = "".join(f'<p><a href="{escape(f"{self.path}&user={quote(user)}")}">{user}</a>' for user in USERS)
            self._send(200, f"<title>Who are you?</title>{links}".encode(), "text/html")
        elif asked.path == "/authorize":
            code = secrets.token_urlsafe()
            about.codes[code] = query
            back = f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
            self._send(302, b"", "text/plain", ("Location", back))
        else:
            self._send(404, b"no such page", "text/plain")

    def do_POST(self) -> None:
        sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        asked = self.server.codes.pop(sent.get("code", ""), None)
        proof = urlsafe_b64encode(sha256(sent.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != proof or asked["redirect_uri"] != sent["redirect_uri"]:
            self._send(400, b'{"error": "invalid_grant"}', "application/json")
            return
        now = int(datetime.now(UTC).timestamp())
        claims = {
            "iss": self.server.issuer,
            "sub": asked["user"],
            "aud": CLIENT,
            "iat": now,
            "exp": now + 600,
            "nonce": asked["nonce"],
            "email": f"{asked['user']}@example.org",
        }
        signed = jwt.encode({"alg": "RS256", "kid": self.server.key.kid}, claims, self.server.key)
        self._json({"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "id_token": signed})

    def _json(self, about: dict[str, object]) -> None:
        self._send(200, json.dumps(about).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Says nothing: the tests' output is pytest's."""
