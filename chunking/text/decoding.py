"""Decoding a file: its bytes become text, or an error of one line. Nothing is replaced or guessed.

Reads UTF-8 with or without a byte order mark, and UTF-16 with one (docs/formats/json-lines.md).
Line endings are kept as they are.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter, defaultdict
from functools import cache
from unicodedata import category

from chunking.errors import DocumentError
from chunking.text.display import shown

_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"PK\x03\x04", "a zip archive or an Office document"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"\x7fELF", "a program"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF89a", "a GIF image"),
    (b"GIF87a", "a GIF image"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
)
_STARTS = tuple(signature for signature, _ in _SIGNATURES)

_ODD_BYTES = bytes(sorted({*range(0x01, 0x20), 0x7F} - {*b"\b\t\n\v\f\r\x1b"}))
"""Control characters that do not occur in text.

Left out of this set: white space; escape and backspace, which logs of terminals contain; NUL, which
`_refuse_nuls` counts; and 0x80 to 0x9F, which are frequent in text decoded with the wrong
encoding."""
_USUAL = bytes(each for each in range(0x80) if each not in _ODD_BYTES)
_ODD = re.compile(f"[{re.escape(_ODD_BYTES.decode())}]")
_A_FEW = 4
"""Odd characters (or bytes) that a file may always have, however short it is."""
_SEPARATORS = 4
"""How many different control characters a log or a list of records may use, such as bells and field
separators. Programs, images and random bytes contain more kinds of them."""

_NOT_OF_FILES = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "raw-unicode-escape", "utf-7"})
"""Encodings that Python has but documents do not use; some of them produce lone surrogates."""
TO_UTF_8 = ": iconv -f CP1252 -t UTF-8 OLD > NEW, with its encoding for CP1252"
"""The encoding is not guessed: CP1252 is what most that are not UTF-8 are in."""
_PIECE = 1 << 18
"""Bytes or characters that one call looks at, where others wait for the interpreter."""
_MARKS = defaultdict(
    tuple[tuple[bytes, str], ...],
    {
        "utf-8-sig": ((codecs.BOM_UTF8, "utf-8"), (b"", "utf-8")),
        "utf-8": ((b"", "utf-8"),),
        "utf-16": ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")),
    },
)
"""By encoding, what a file may begin with, and the encoding of the rest; none for those of which
Python's decoder by pieces gives something else."""
_HALF = re.compile("[\ud800-\udfff]")


def decode(raw: bytes, name: str, encoding: str = "") -> str:
    """The text of a file: in `encoding` if one is given, else in UTF-8, or in UTF-16 if it has the
    mark.

    `name` is the file's name; it opens the error message and is printed as it is.
    Raises DocumentError with the file, the offset of the first bad byte and the way out.
    """
    if kind := _kind(raw):
        raise DocumentError(f"{name}: this is {kind}, not text; convert it to Markdown first")
    if encoding:
        text = _strictly(raw, name, _text_encoding(encoding)).removeprefix("\ufeff")
    elif raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise DocumentError(f"{name}: this is UTF-32; save it as UTF-8")
    elif raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = _strictly(raw, name, "utf-16")
    else:
        _refuse_nuls(raw, name)
        text = _strictly(raw, name, "utf-8-sig")
    refuse_binary(text, name)
    return text


def refuse_binary(text: str, name: str) -> None:
    """Raise DocumentError for text that was decoded from a binary file, such as a program or an
    image.

    The criterion: more than one character in a hundred is a control character or unassigned.
    Control characters do not count as long as they are of at most four kinds, and so probably
    separators, and make up at most a quarter of the text.
    """
    controls: Counter[str] = Counter()
    unassigned = 0
    for at in range(0, len(text), _PIECE):
        piece = text[at : at + _PIECE]
        # To look through bytes takes a tenth of the time.
        unusual = piece.encode("utf-8", "surrogatepass").translate(None, _USUAL)
        if unusual:
            clean = len(unusual.translate(None, _ODD_BYTES)) == len(unusual)
            controls += Counter() if clean else Counter(_ODD.findall(piece))
            unassigned += _unassigned(unusual.decode("utf-8", "surrogatepass"))
    odd = controls.total() + unassigned
    separated = len(controls) <= _SEPARATORS and controls.total() * 4 <= len(text)
    if _many(unassigned if separated else odd, len(text)):
        raise DocumentError(_looks_binary(name, odd, len(text), "characters"))


def with_whole_characters(text: str) -> tuple[str, int]:
    """The text with U+FFFD for each lone surrogate, half a character, which an escape of JSON can
    make and no UTF-8 can hold; and how many there were."""
    return _HALF.subn("\ufffd", text)


def _kind(raw: bytes) -> str:
    """The binary format that a file's first bytes indicate, as "a PDF"; "" for text.

    A signature of letters only counts if the file is not UTF-8: a document may begin with "GIF89a".
    """
    if not raw.startswith(_STARTS):
        return ""
    kind = next(kind for signature, kind in _SIGNATURES if raw.startswith(signature))
    if raw[:4].decode("latin-1").isprintable() and b"\0" not in raw:
        try:
            raw.decode()
        except UnicodeDecodeError:
            return kind
        return ""
    return kind


def _many(odd: int, of: int) -> bool:
    return odd > _A_FEW and odd * 100 > of


def _looks_binary(name: str, odd: int, of: int, what: str) -> str:
    return f"{name}: this looks binary ({odd:,} of {of:,} {what} do not occur in text); convert it to Markdown first"


def _unassigned(text: str) -> int:
    """How many characters of a text are unassigned code points up to U+FFFF, of which random UTF-16
    is full.

    Those above are not counted: scripts newer than Python's Unicode tables are added there.
    """
    unassigned = [each for each in set(text) if _is_unassigned(each)]
    return len(re.findall(f"[{''.join(unassigned)}]", text)) if unassigned else 0


@cache
def _is_unassigned(character: str) -> bool:
    return character <= "\uffff" and category(character) == "Cn"


def _strictly(raw: bytes, name: str, encoding: str) -> str:
    try:
        return raw.decode(encoding) if len(raw) <= _PIECE else _in_pieces(raw, encoding)
    except UnicodeDecodeError as error:
        # The utf-8-sig codec counts offsets from after the byte order mark.
        marked = encoding == "utf-8-sig" and raw.startswith(codecs.BOM_UTF8)
        offset = error.start + (len(codecs.BOM_UTF8) if marked else 0)
        odd = 0 if encoding.startswith("utf-16") else len(raw) - len(raw.translate(None, _ODD_BYTES))
        if _many(odd, len(raw)):
            raise DocumentError(_looks_binary(name, odd, len(raw), "bytes")) from None
        label, command = ("UTF-8", TO_UTF_8) if encoding == "utf-8-sig" else (encoding.upper(), "")
        problem = f"byte {offset} (0x{raw[offset]:02X}) is not {label} ({error.reason})"
        raise DocumentError(f"{name}: {problem}; save the file as UTF-8{command}") from None


def _in_pieces(raw: bytes, encoding: str) -> str:
    """The text of a large file: others go on between two pieces. Raises UnicodeDecodeError, for
    the whole."""
    mark, codec = next((each for each in _MARKS[encoding] if raw.startswith(each[0])), (b"", ""))
    if not codec:
        return raw.decode(encoding)
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        pieces = [
            decoder.decode(raw[at : at + _PIECE], at + _PIECE >= len(raw)) for at in range(len(mark), len(raw), _PIECE)
        ]
    except UnicodeDecodeError:
        return raw.decode(encoding)  # which says where in the whole
    return "".join(pieces)


def _refuse_nuls(raw: bytes, name: str) -> None:
    """Raise DocumentError if so many bytes are NUL that this is UTF-16 without its mark, or
    binary."""
    if 0 not in raw:
        return
    nuls = raw.count(0)
    even = raw[::2].count(0)
    if nuls * 10 > len(raw) and even in (0, nuls):
        problem = "this looks like UTF-16 without its byte order mark"
        raise DocumentError(f"{name}: {problem}; save it as UTF-8")
    if nuls * 3 > len(raw):
        raise DocumentError(f"{name}: {nuls} of {len(raw)} bytes are NUL, so this is not text")


def _text_encoding(name: str) -> str:
    """Python's name of the encoding. Raises DocumentError for an unknown one, and for codecs that
    do not decode to text (`hex`, `zlib`)."""
    try:
        codec = codecs.lookup(name).name
        b"a".decode(codec, "ignore")  # fails for a codec that is not a text encoding
    except (LookupError, ValueError):
        codec = ""
    if not codec or codec in _NOT_OF_FILES:
        raise DocumentError(f"encoding: there is none named {shown(name)}; try utf-8, utf-16, cp1252 or gb18030")
    return codec
