#!/usr/bin/env python3
"""Inputs of tests that share most of their bytes, as executables of one release of Go do, packed together: each
testdata/packs/NAME.tar.xz has files by their places below testdata. All are unpacked into build/testdata when
the first of them is asked for.

    tests/packs.py FILE.tar.xz FOLDER [NAME...]

packs what is in a folder, or only what is so named below it. Sections with debug information that the linker has
compressed are unpacked before: nothing else of the executable is changed or moved in memory.
"""

import fcntl
import functools
import io
import lzma
import os
import pathlib
import shutil
import struct
import sys
import tarfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKS = ROOT / "testdata" / "packs"
PLACE = ROOT / "build" / "testdata"


@functools.lru_cache(maxsize=1)
def unpacked():
    """The folder with what is in all packs, made anew where one of them has changed."""
    packs = sorted(PACKS.glob("*.tar.xz"))
    state = "".join(f"{pack.name} {pack.stat().st_size} {pack.stat().st_mtime_ns}\n" for pack in packs)
    stamp = PLACE / ".packs"
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    with open(PLACE.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != state:
            shutil.rmtree(PLACE, ignore_errors=True)
            for pack in packs:
                unpack_into(PLACE, pack)
            PLACE.mkdir(exist_ok=True)
            stamp.write_text(state)
    return PLACE


def unpack_into(folder, pack):
    with tarfile.open(pack) as archive:
        for member in archive:
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.extractfile(member).read())
            path.chmod(member.mode)


# ---- Packing

LEAST, MOST = 1 << 20, 128 << 20  # of the memory in which what is alike is looked for; packing takes ten times of it
DEBUG, COMPRESSED, ALLOCATED, EMPTY = b".debug_", 0x800, 2, 8


def pack(file, folder, names):
    """Executables are told by their first bytes, and may be run."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    known = {path.relative_to(folder).as_posix(): path for path in paths}
    contents = {name: with_plain_debug(known[name].read_bytes()) for name in names or known}
    filters = [{"id": lzma.FILTER_X86},
               {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME,
                "dict_size": min(max(LEAST, sum(map(len, contents.values()))), MOST)}]
    with lzma.open(file, "wb", filters=filters) as out, tarfile.open(
            fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755 if content[:4] == b"\x7fELF" else 0o644
            archive.addfile(member, io.BytesIO(content))


class Sections:
    """The section headers of an ELF file, which can be changed."""

    def __init__(self, content):
        self.data = content
        self.wide, order = content[4] == 2, "<>"[content[5] - 1]
        self.form = order + ("IIQQQQIIQQ" if self.wide else "IIIIIIIIII")
        self.packed = order + ("IIQQ" if self.wide else "III")  # what stands before compressed content
        self.place = order + ("Q" if self.wide else "I"), 40 if self.wide else 32
        start, = struct.unpack_from(self.place[0], content, self.place[1])
        size, count, names = struct.unpack_from(order + "HHH", content, 58 if self.wide else 46)
        self.start, self.size = start, size
        self.rows = [list(struct.unpack_from(self.form, content, start + i * size)) for i in range(count)]
        texts = self.rows[names][4] if count else 0
        self.names = [content[texts + row[0]:content.index(b"\0", texts + row[0])] for row in self.rows]

    def content(self, row):
        return b"" if row[1] == EMPTY else self.data[row[4]:row[4] + row[5]]


def with_plain_debug(content):
    """An executable with its debug information as it was before the linker compressed it."""
    if content[:4] != b"\x7fELF":
        return content
    elf = Sections(content)
    squeezed = [row for name, row in zip(elf.names, elf.rows) if name.startswith(DEBUG) and row[2] & COMPRESSED]
    if not squeezed:
        return content
    first = min(row[4] for row in squeezed)
    behind = sorted((row for row in elf.rows if row[4] >= first and row[1] != EMPTY and row[5]), key=lambda row: row[4])
    assert not any(row[2] & ALLOCATED for row in behind), "debug information lies before what is in memory"
    out = bytearray(content[:first])
    for row in behind:
        text = elf.content(row)
        if row in squeezed:
            header = struct.unpack_from(elf.packed, text)
            text = zlib.decompress(text[struct.calcsize(elf.packed):])
            row[2], row[8] = row[2] & ~COMPRESSED, header[-1]
            assert len(text) == header[-2], "length of a section"
        out += bytes(-len(out) % max(1, row[8]))
        row[4], row[5] = len(out), len(text)
        out += text
    if elf.start >= first:
        out += bytes(-len(out) % 8)
        elf.start = len(out)
        struct.pack_into(elf.place[0], out, elf.place[1], elf.start)
        out += bytes(elf.size * len(elf.rows))
    for index, row in enumerate(elf.rows):
        struct.pack_into(elf.form, out, elf.start + index * elf.size, *row)
    return bytes(out)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pack(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:])
