"""Documents in zip and tar archives: read without unpacking, and what is refused."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from chunking.document.archives import SUFFIXES, Limits, Member, is_archive, members
from chunking.document.folders import find_files
from chunking.document.loading import bytes_of, find, load_all, load_each
from chunking.errors import DocumentError
from chunking.runtime.run_limits import RunLimits, within

LIMITS = Limits(member=1_000_000, total=3_000_000)
GOOD = {"b.md": b"# B\n", "guide/a.md": b"# A\n", "logo.png": b"\x89PNG", ".git/x.md": b"x", "__MACOSX/._b.md": b"\0"}


def zipped(files: Iterable[tuple[str, bytes]], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packed) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content, packed)
    return made.getvalue()


def tarred(files: Iterable[tuple[str, bytes]], packed: str = "") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=f"w:{packed}") as archive:  # type: ignore[call-overload]
        for name, content in files:
            header = tarfile.TarInfo(name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    return made.getvalue()


def read(raw: bytes, name: str = "d.zip", limits: Limits = LIMITS) -> tuple[list[str], list[str]]:
    """The names of the documents, and the lines about the others."""
    found = list(members(raw, name, name, limits))
    return [each.name for each in found if isinstance(each, Member)], [
        str(each) for each in found if isinstance(each, DocumentError)
    ]


def of_suffix(suffix: str, files: Iterable[tuple[str, bytes]]) -> bytes:
    how = {
        ".zip": None,
        ".tar": "",
        ".gz": "gz",
        ".tgz": "gz",
        ".bz2": "bz2",
        ".tbz2": "bz2",
        ".xz": "xz",
        ".txz": "xz",
    }
    way = how["." + suffix.rpartition(".")[2]]
    return zipped(files) if way is None else tarred(files, way)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_documents_of_every_kind_of_archive_are_read_and_named_after_it(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "in" / f"docs{suffix}"
    path.parent.mkdir()
    path.write_bytes(of_suffix(suffix, GOOD.items()))

    assert [(each.name, each.text) for each in load_each([tmp_path]) if not isinstance(each, DocumentError)] == [
        (f"in/docs{suffix}/b.md", "# B\n"),
        (f"in/docs{suffix}/guide/a.md", "# A\n"),
    ]
    assert [each.name for each in load_all(path)] == [f"docs{suffix}/b.md", f"docs{suffix}/guide/a.md"]


def test_a_members_bytes_are_its_own_so_that_a_proof_is_of_them(tmp_path: Path) -> None:
    (tmp_path / "d.zip").write_bytes(zipped([("a.md", b"\xef\xbb\xbf# A\r\n")]))
    (found,) = find([tmp_path / "d.zip"])

    assert not isinstance(found, DocumentError)
    assert sha256(bytes_of(found)).digest() == sha256(b"\xef\xbb\xbf# A\r\n").digest()
    assert found.place == str(tmp_path / "d.zip" / "a.md")


def test_outputs_are_compared_with_the_archive_itself_which_is_not_opened_for_it(tmp_path: Path) -> None:
    (tmp_path / "d.zip").write_bytes(b"no archive")

    assert [each.path for each in find_files([tmp_path]) if not isinstance(each, DocumentError)] == [tmp_path / "d.zip"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../a.md", "a path that leads out of the archive"),
        ("x/../../a.md", "a path that leads out of the archive"),
        ("/etc/a.md", "a path from the root of a disk"),
        ("C:/a.md", "a path from the root of a disk"),
        ("c:a.md", "a path from the root of a disk"),
        ("..\\a.md", "a name with a backslash"),
        ("a" * 2000 + ".md", "a name that no file has"),
    ],
)
@pytest.mark.parametrize("kind", ["d.zip", "d.tar"])
def test_a_name_that_leads_out_is_refused_and_the_others_are_read(name: str, why: str, kind: str) -> None:
    documents, lines = read(of_suffix(kind[1:], [(name, b"x"), ("ok.md", b"ok")]), kind)

    assert documents == ["ok.md"]
    assert len(lines) == 1
    assert lines[0].endswith(f"{why}; it is not read")
    assert lines[0].isprintable()


def test_links_and_devices_are_not_followed() -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, kind in (("s.md", tarfile.SYMTYPE), ("h.md", tarfile.LNKTYPE), ("d.md", tarfile.CHRTYPE)):
            header = tarfile.TarInfo(name)
            header.type, header.linkname = kind, "/etc/passwd"
            archive.addfile(header)
    link = zipfile.ZipInfo("s.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    zip_made = io.BytesIO()
    with zipfile.ZipFile(zip_made, "w") as zip_archive:
        zip_archive.writestr(link, "/etc/passwd")

    assert read(made.getvalue(), "d.tar") == (
        [],
        ["d.tar/s.md: a link is not followed", "d.tar/h.md: a link is not followed", "d.tar/d.md: this is not a file"],
    )
    assert read(zip_made.getvalue()) == ([], ["d.zip/s.md: a link is not followed"])


def test_of_two_members_of_one_name_the_first_is_read_and_the_second_said() -> None:
    files = [("a.md", b"one"), ("./a.md", b"two"), ("b.md", b"three")]
    said = "a.md: the second of this name in the archive; only the first is read"

    assert read(zipped(files)) == (["a.md", "b.md"], [f"d.zip/./{said}"])
    assert read(tarred(files), "d.tar") == (["a.md", "b.md"], [f"d.tar/./{said}"])


def test_an_archive_in_an_archive_is_refused() -> None:
    documents, lines = read(zipped([("in.zip", zipped([("a.md", b"x")])), ("a.md", b"x")]))

    assert documents == ["a.md"]
    assert lines == ["d.zip/in.zip: an archive in an archive is not read; unpack the outer one"]


def test_encrypted_members_and_rare_ways_of_packing_are_refused() -> None:
    raw = bytearray(zipped([("a.md", b"x")], zipfile.ZIP_STORED))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + flags] |= 1

    assert read(bytes(raw))[1] == ["d.zip/a.md: it is encrypted; pack it without a password"]
    assert read(zipped([("a.md", b"x")], zipfile.ZIP_LZMA))[1] == [
        "d.zip/a.md: packed in a way that is not read; pack it with deflate, which every program has"
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_bomb_is_refused_by_what_comes_out_of_it(suffix: str) -> None:
    bomb = of_suffix(suffix, [("ok.md", b"ok"), ("bomb.md", b"\0" * 20_000_000)])
    documents, lines = read(bomb, f"d{suffix}", Limits(member=1 << 30, total=15_000_000))

    assert documents == ["ok.md"]
    assert len(lines) == 1
    assert "unpacks to more than" in lines[0]


def test_a_header_that_says_less_than_comes_out_is_not_believed() -> None:
    raw = zipped([("a.md", b"\0" * 5_000_000), ("b.md", b"ok")])
    lied = raw.replace((5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    documents, lines = read(lied)

    assert lied != raw
    assert documents == ["b.md"]
    assert lines == ["d.zip/a.md: damaged or cut off (Bad CRC-32 for file 'a.md'); pack it again"]


def test_members_the_largest_of_them_and_all_together_are_limited() -> None:
    many = [(f"{number}.md", b"x" * 900) for number in range(9)]

    for kind in (".zip", ".tar"):
        raw = of_suffix(kind, many)
        assert read(raw, f"d{kind}", Limits(899, 99_999))[0] == []
        assert len(read(raw, f"d{kind}", Limits(900, 1800))[0]) == 2
        assert read(raw, f"d{kind}", Limits(900, 1800))[1] == [
            f"d{kind}: unpacks to more than 1800 bytes; make several archives of it"
        ]
        assert read(raw, f"d{kind}", Limits(900, 99_999, members=8))[1] == [
            f"d{kind}: more than 8 members; make several archives of it"
        ]


def test_twenty_members_that_are_refused_are_named_and_the_others_counted() -> None:
    lines = read(tarred([("../a.md", b"")] * 30), "d.tar")[1]

    assert len(lines) == 21
    assert lines[-1] == "d.tar: 10 more members not read for such reasons"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_archive_that_is_cut_off_anywhere_never_gives_a_part_of_a_document_and_says_so(suffix: str) -> None:
    files = {f"{number}.md": bytes(range(256)) * number for number in range(1, 6)}
    whole = of_suffix(suffix, files.items())

    for end in range(0, len(whole) - 1, max(1, len(whole) // 97)):
        found = list(members(whole[:end], f"d{suffix}", "d", LIMITS))
        good = [each for each in found if isinstance(each, Member)]
        assert all(files[each.name] == each.content for each in good)
        assert len(good) == 5 or any(isinstance(each, DocumentError) for each in found)


def test_a_damaged_header_in_the_middle_of_a_tar_is_not_taken_for_its_end() -> None:
    raw = bytearray(tarred([("a.md", b"a"), ("b.md", b"b"), ("c.md", b"c")]))
    raw[1024 + 148] ^= 1

    documents, lines = read(bytes(raw), "d.tar")
    assert documents == ["a.md"]
    assert lines == ["d.tar: the archive is damaged or cut off (bad checksum); pack it again"]


def tar_block(name: str, kind: bytes, content: bytes) -> bytes:
    """An entry of a tar as it is on disk."""
    header = tarfile.TarInfo(name)
    header.size, header.type = len(content), kind
    return header.tobuf(tarfile.USTAR_FORMAT) + content + b"\0" * (-len(content) % tarfile.BLOCKSIZE)


def pax_record(key: str, value: str) -> bytes:
    rest = f" {key}={value}\n".encode()
    length = next(digits + len(rest) for digits in range(1, 9) if len(str(digits + len(rest))) == digits)
    return str(length).encode() + rest


def test_what_a_tar_says_of_its_entries_is_read_in_time_that_grows_with_it() -> None:
    charset = pax_record("comment", "1" * 64_000)
    keys = b"".join(pax_record(f"{number:x}", "") for number in range(6_000))
    files = tar_block("x", b"x", pax_record("a", "b")) + tar_block("a.md", b"0", b"# A\n")
    shapes = {
        "digits": tar_block("x", b"x", charset) + tar_block("a.md", b"0", b"# A\n"),
        "global": tar_block("g", b"g", keys) + files * 3_000,
        "streams": lzma.compress(b"") * 60_000 + lzma.compress(tar_block("a.md", b"0", b"# A\n")),
    }
    for shape, raw in shapes.items():
        names, _ = within(RunLimits(seconds=3), partial(read, raw, "d.tar.xz" if shape == "streams" else "d.tar"))
        assert names[0] == "a.md", shape


@pytest.mark.parametrize("packed", ["", "gz"])
def test_the_table_of_a_file_with_holes_is_not_read_and_what_follows_is(packed: str) -> None:
    says = pax_record("GNU.sparse.major", "1") + pax_record("GNU.sparse.minor", "0") + pax_record("path", "h.md")
    table = b"9999999\n" + b"512\n" * 100_000
    older = bytearray(tar_block("o.md", b"S", b"")[:512])
    older[482] = 1
    older[148:156] = b"%06o\0 " % (sum(older[:148]) + 8 * 32 + sum(older[156:]))
    raw = tar_block("x", b"x", says) + tar_block("0", b"0", table) + bytes(older)
    raw += (b"\0" * 504 + b"\1" + b"\0" * 7) * 3 + b"\0" * 512 + tar_block("a.md", b"0", b"# A\n") + b"\0" * 1024

    assert read(gzip.compress(raw) if packed else raw, "d.tar") == (
        ["a.md"],
        [
            "d.tar/h.md: a file with holes is not read; pack it without --sparse",
            "d.tar/o.md: a file with holes is not read; pack it without --sparse",
        ],
    )


def test_names_and_sizes_that_a_pax_header_gives_are_its_entrys_and_damage_is_said() -> None:
    long = "d/" + "ä" * 200 + ".md"
    file = tar_block("a.md", b"0", b"# A\n")
    named = tar_block("x", b"x", pax_record("mtime", "1.5") + pax_record("path", long)) + file

    assert read(named + file + b"\0" * 1024, "d.tar") == ([long, "a.md"], [])
    for damage in (b"0 path=a\n", b"path=a\n", b"99 path=a\n", b"-9 path=a\n", b"1234567890123 a=b\n"):
        names, lines = read(file + tar_block("x", b"x", damage) + file, "d.tar")
        assert names == ["a.md"], damage
        assert lines == ["d.tar: the archive is damaged or cut off (a damaged header); pack it again"]


def test_an_archive_without_a_document_says_so() -> None:
    assert read(zipped([("a.png", b"x")])) == ([], ["d.zip: no document in this archive"])


def test_hidden_names_and_other_extensions_are_no_archives() -> None:
    assert [is_archive(name) for name in ("A.ZIP", "a.tar.gz", ".zip", "a.gz", "a.zip.md")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_every_hostile_archive_is_answered_as_it_must_be(shared: Path) -> None:
    folder = shared / "adversarial" / "archives"
    said = {}
    for each in json.loads((folder / "INDEX.json").read_text()):
        found = list(load_each([folder / each["file"]]))
        lines = [str(one).removeprefix(f"{folder}/") for one in found if isinstance(one, DocumentError)]
        said[each["file"]] = ([one.name for one in found if not isinstance(one, DocumentError)], lines)

    assert said["html_named.md"] == (["html_named.md"], [])
    assert said["dup.zip"][0] == ["dup.zip/a.md"]
    assert said["slip.zip"][0] == ["slip.zip/ok.md"]
    assert len(said["slip.zip"][1]) == 4
    assert said["many.zip"] == ([], ["many.zip: more than 10000 members; make several archives of it"])
    assert said["bomb_nested.zip"][0] == []
    assert len(said["bomb_nested.zip"][1]) == 16
    assert "1073741824 bytes" in said["bomb_flat.zip"][1][0]
    assert "not text" in said["zip_named.md"][1][0]
    assert "not text" in said["gzip_named.md"][1][0]
    assert "damaged or cut off" in said["trunc.zip"][1][0]
