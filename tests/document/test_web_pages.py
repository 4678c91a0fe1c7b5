"""Pages of the web: which addresses are asked, what is taken of an answer, and one line for each
that is not. Against servers on loopback that a test allows; nothing else is asked."""

from __future__ import annotations

import gzip
import shutil
import ssl
import subprocess
import zlib
from pathlib import Path

import pytest
from raw_server import RawServer, Write, forever, silent, whole, writing

from chunking import Config, run
from chunking.document import web_pages
from chunking.document.folders import Selection
from chunking.document.loading import read
from chunking.document.web_pages import Network, fetch, found_page, is_public
from chunking.errors import DocumentError
from chunking.runtime.extras import missing

HERE = Network(allowed=lambda address: address == "127.0.0.1")
HTML = "Content-Type: text/html\r\n"
converts = pytest.mark.skipif(bool(missing("documents")), reason=missing("documents"))


def refusal(url: str, network: Network = HERE, **limits: float) -> str:
    """Why the page is not read, in one line that names the address."""
    with pytest.raises(DocumentError) as refused:
        fetch(url, network, **limits)  # type: ignore[arg-type]
    said = str(refused.value)
    assert said.isprintable()
    return said


def html(body: str, headers: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n{body}".encode()


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"),
        *("0.0.0.0", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("192.88.99.1", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1"),
        *("fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2002:7f00:1::", "2001:0:1::"),
        *("2001:db8::1", "3fff::1", "100::1", "", "localhost", "8.8.8.8.8"),
    ],
)
def test_an_address_that_is_not_the_internets_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:4700::6810:84e5", "2a00:1450::1"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.com/a.md", "only http:// and https:// are asked"),
        ("file:///etc/passwd", "only http:// and https:// are asked"),
        ("gopher://example.com", "only http:// and https:// are asked"),
        ("http://", "has no server's name"),
        ("http:///etc/passwd", "has no server's name"),
        ("http://exa mple.com", "has a blank"),
        ("http://example.com\\@127.0.0.1/", "a character that no address has"),
        ("http://example.com/\r\nHost: other", "a character that no address has"),
        ("http://example.com:0/", "has no server's name"),
        ("http://example.com:99999/", "is not an address"),
        ("http://[::1", "is not an address"),
        ("http://" + "a" * 3000, "an address of 3007 characters; at most 2000"),
        ("http://exa%6dple.com/", "has no server's name"),
        ("http://\u2024\u2024/", "has no server's name"),
    ],
)
def test_what_is_no_address_to_ask_is_one_line_and_nothing_is_looked_up(url: str, why: str) -> None:
    def resolve(host: str, _port: int) -> list[str]:
        raise AssertionError(host)

    assert why in refusal(url, Network(resolve))


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    said = refusal("https://ann:secret@example.com/")

    assert "holds a name or a password" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]"]
)
def test_this_machine_is_not_asked_in_any_spelling(host: str) -> None:
    with writing(whole(b"# Secret\n")) as server:
        said = refusal(f"http://{host}:{server.port}/", web_pages.INTERNET)

    assert "is not a public address" in said or "is not known" in said
    assert server.requests == []


def test_one_address_among_several_that_is_not_public_is_enough_to_refuse() -> None:
    network = Network(lambda *_: ["93.184.216.34", "10.0.0.1"])

    assert "example.com is 10.0.0.1, which is not a public address" in refusal("http://example.com/", network)


def test_a_name_is_looked_up_once_and_what_was_checked_is_asked() -> None:
    looked_up: list[str] = []

    def resolve(host: str, _port: int) -> list[str]:
        looked_up.append(host)
        return ["127.0.0.1"] if len(looked_up) == 1 else ["10.0.0.1"]

    with writing(whole(b"# A\n", headers="Content-Type: text/markdown\r\n")) as server:
        page = fetch(
            f"http://docs.example:{server.port}/a?b=c d#part".replace(" ", "+"), Network(resolve, HERE.allowed)
        )

    assert looked_up == ["docs.example"]
    assert (page.url, page.content, page.extension) == (f"http://docs.example:{server.port}/a?b=c+d", b"# A\n", ".md")
    head = server.requests[0].decode()
    assert head.startswith("GET /a?b=c+d HTTP/1.1\r\n")
    assert f"Host: docs.example:{server.port}\r\n" in head
    assert "Accept-Encoding: identity\r\n" in head
    assert "cookie" not in head.lower()


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("http://10.0.0.7/secret", "10.0.0.7 is 10.0.0.7, which is not a public address"),
        ("http://[::1]/", "which is not a public address"),
        ("//169.254.169.254/latest/meta-data", "which is not a public address"),
        ("file:///etc/passwd", "redirects to file:///etc/passwd: only http:// and https://"),
        ("http://ann:secret@example.com/", "holds a name or a password"),
        ("http://[", "cannot be read"),
        ("/again", "redirects more than 5 times"),
    ],
)
def test_a_redirect_is_checked_as_the_first_address_is(place: str, why: str) -> None:
    network = Network(allowed=HERE.allowed)
    with writing(whole(b"", status="302 Found", headers=f"Location: {place}\r\n")) as server:
        assert why in refusal(f"{server.base_url}/a", network)


def test_a_redirect_leads_to_a_page_that_keeps_the_name_it_was_asked_by() -> None:
    def moved_once(write: Write, server: RawServer) -> None:
        if len(server.requests) == 1:
            write(b"HTTP/1.1 301 Moved\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n")
        else:
            write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n# Caf\xe9\n")

    with writing(moved_once) as server:
        page = fetch(f"{server.base_url}/here", HERE)

    assert page.url == f"{server.base_url}/here"
    assert page.content.decode("utf-8-sig") == "# Café\n"
    assert server.requests[1].startswith(b"GET /there ")


@pytest.mark.parametrize(
    ("content_type", "path", "extension"),
    [
        ("text/html; charset=utf-8", "/a.md", ".html"),
        ("application/pdf", "/", ".pdf"),
        ("text/plain", "/main.rs", ".rs"),
        ("text/plain; charset=utf-8", "/README", ""),
        ("text/x-python", "/a", ""),
        ("application/octet-stream", "/a.md", ".md"),
        ("", "/a.txt", ".txt"),
    ],
)
def test_the_type_that_is_sent_decides_and_the_address_only_where_that_says_nothing(
    content_type: str, path: str, extension: str
) -> None:
    with writing(whole(b"<p>x</p>", headers=f"Content-Type: {content_type}\r\n" if content_type else "")) as server:
        assert fetch(server.base_url + path, HERE).extension == extension


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (whole(b"x", headers="Content-Type: image/png\r\n"), "is sent as image/png, which no loader reads"),
        (whole(b"x", headers="Content-Type: application/octet-stream\r\n"), "which no loader reads"),
        (whole(b"x"), "is sent without a type"),
        (whole(b"x", status="404 \x1b[31mNo"), "the server answers with status 404, not with a page"),
        (whole(b"x", status="304 Same"), "status 304"),
        (whole(b"\xff", headers="Content-Type: text/plain; charset=utf-16\r\n"), "is not in the encoding utf-16"),
        (whole(b"x", headers="Content-Type: text/plain; charset=zip\r\n"), "in the encoding zip, which there is not"),
        (whole(b"x", headers=f"{HTML}Content-Encoding: br\r\n"), "is sent packed as br"),
        (whole(b"x" * 2000, headers="Content-Type: text/html\r\n"), "has more than 1,000 bytes"),
        (lambda write, _: write(html("abc", "Content-Length: 9\r\n")), "broke off after 3 of 9"),
        (lambda write, _: write(b"SSH-2.0-OpenSSH_9\r\n"), "does not speak HTTP"),
        (lambda write, _: write(b""), "does not speak HTTP, or broke off"),
        (lambda write, _: write(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"), "does not speak HTTP"),
        (lambda write, _: write(html("5\r\nabc", "Transfer-Encoding: chunked\r\n")), "broke off"),
        (whole(gzip.compress(b"a" * 100_000), headers=f"{HTML}Content-Encoding: gzip\r\n"), "has more than 1,000"),
        (whole(gzip.compress(b"a" * 100)[:-9], headers=f"{HTML}Content-Encoding: gzip\r\n"), "is not whole"),
        (whole(b"no gzip", headers=f"{HTML}Content-Encoding: gzip\r\n"), "is damaged"),
    ],
)  # fmt: skip
def test_an_answer_that_is_no_page_is_one_line(answer: object, why: str) -> None:
    with writing(answer) as server:  # type: ignore[arg-type]
        assert why in refusal(f"{server.base_url}/a", most=1000)


def test_what_is_packed_although_it_was_asked_not_to_be_is_unpacked() -> None:
    for packing, packed in (("gzip", gzip.compress(b"# A\n")), ("deflate", zlib.compress(b"# A\n"))):
        with writing(
            whole(packed, headers=f"Content-Type: text/markdown\r\nContent-Encoding: {packing}\r\n")
        ) as server:
            assert fetch(server.base_url, HERE).content == b"# A\n"


@pytest.mark.parametrize(
    "handler",
    [
        silent,
        forever(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"a", every=0.02),
        forever(b"HTTP/1.1 200 OK\r\nX: ", b"a", every=0.02),
        forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n", every=0.02),
    ],
)
def test_a_server_that_never_ends_is_left_after_the_time(handler: object) -> None:
    with writing(handler) as server:  # type: ignore[arg-type]
        assert "was not here within 0.3 s" in refusal(server.base_url, seconds=0.3)


def test_a_flood_is_cut_off_at_the_limit() -> None:
    first = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    for transfer in (b"\r\n", b"Transfer-Encoding: chunked\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n-1\r\n"):
        with writing(forever(first + transfer, b"a" * 65_536)) as server:
            refusal(server.base_url, most=1000, seconds=5)
            assert server.gone.wait(2)


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    """A server's TLS with a certificate for docs.example, and the file that vouches for it."""
    if not shutil.which("openssl"):
        pytest.skip("needs the openssl program")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=docs.example", "-addext", "subjectAltName=DNS:docs.example"]
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", *subject]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


def test_a_certificate_must_be_trusted_and_for_the_name_in_the_address(
    certified: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Network(lambda *_: ["127.0.0.1"], HERE.allowed)
    with writing(whole(b"# A\n", headers="Content-Type: text/markdown\r\n"), certified[0]) as server:
        assert "its certificate is not trusted" in refusal(f"https://docs.example:{server.port}/", network)
        monkeypatch.setenv("SSL_CERT_FILE", str(certified[1]))
        assert "its certificate is not trusted" in refusal(f"https://other.example:{server.port}/", network)
        assert server.requests == []
        assert fetch(f"https://docs.example:{server.port}/", network).content == b"# A\n"


@converts
def test_a_page_is_a_document_called_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_pages, "INTERNET", HERE)
    with writing(lambda write, _: write(html("<h1>Kettle</h1><p>Boil &lt;it&gt;.</p>"))) as server:
        found = found_page(f"{server.base_url}/guide/")
        assert found is not None
        document = read(found)
        assert found_page(server.base_url, Selection(Path(), exclude=("*",))) is None

    assert document.name == f"{server.base_url}/guide/"
    assert document.base_name == "guide"
    assert [heading.title for heading in document.headings] == ["Kettle"]
    assert run(document, Config.of("every-heading", {})).chunks[0].breadcrumb == ("guide", "Kettle")
