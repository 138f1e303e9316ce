"""Dumps with their executables and truths, from testdata or from ../shared/corpus."""

import json
import lzma
import os

from harness import REAL, TESTDATA, UNPACKED, Skip

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


def truth_of(name):
    """What the program that wrote the dump knew of itself."""
    path = place(name, ".truth.json")
    return json.loads(lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes())
