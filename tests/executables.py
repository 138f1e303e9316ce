"""Dumps with their executables and truths, from testdata or from ../shared/corpus."""

import functools
import json
import lzma
import os

from harness import REAL, TESTDATA, UNPACKED, Skip, answer

CORPUS = REAL.parent / "go"


def place(name, suffix):
    for folder in (TESTDATA, CORPUS, REAL):
        for file in (f"{name}{suffix}.xz", f"{name}{suffix}"):
            if (folder / file).exists():
                return folder / file
    raise Skip(f"there is no {name}{suffix}.xz")


def unpack(name, suffix, folder):
    packed, path = place(name, suffix), folder / f"{name}{suffix}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(lzma.open(packed).read())
        part.rename(path)
    return str(path)


def dump_of(name):
    return unpack(name, ".dump", UNPACKED)


def exe_of(name):
    """Not beside the dumps, where it would be found by itself."""
    return unpack(name, ".exe", UNPACKED / "exe")


def files(name):
    """The arguments that name a dump and its executable."""
    return dump_of(name), "--exe", exe_of(name)


def truth_of(name):
    path = place(name, ".truth.json")
    return json.loads(lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes())


@functools.lru_cache(maxsize=2)
def objects(name):
    """All objects with their types, by address."""
    return {row["address"]: row for row in answer("list", "objects", *files(name))}
