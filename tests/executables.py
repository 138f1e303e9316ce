"""Dumps with their executables and truths, from testdata or from ../shared/corpus."""

import atexit
import functools
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import packs
from harness import CORPUS, TESTDATA, UNPACKED, Skip, answer, equal, graph_of, lacking, unpack, write_once
from toolchains import CACHE, go_of

PARTS = ("drift", "go", "real", "core", "corner", "series")

# Dumps of one process have one executable.
SERIES = re.compile(r"-drift-\d+$")


def place(name, suffix):
    here = (TESTDATA, packs.unpacked())
    for folder in (*here, *(folder / part for folder in (*here, CORPUS) for part in PARTS)):
        for file in (f"{name}{suffix}.xz", f"{name}{suffix}"):
            if (folder / file).exists():
                return folder / file
    raise Skip(lacking(CORPUS / f"{name}{suffix}.xz"))


def dump_of(name):
    return unpack(place(name, ".dump"), UNPACKED / f"{name}.dump")


def exe_of(name):
    """Not beside the dumps, where it would be found by itself."""
    name = SERIES.sub("-drift", name)
    return unpack(place(name, ".exe"), UNPACKED / "exe" / f"{name}.exe")


def stripped(name):
    """The executable after `strip -s`; llvm-strip knows other machines, too."""
    exe = pathlib.Path(exe_of(name))
    return write_once(exe.with_suffix(".stripped"), lambda: strip(exe), exe.stat().st_mtime)


def strip(exe):
    with tempfile.TemporaryDirectory() as folder:  # strip removes its output where it fails
        out = pathlib.Path(folder, "stripped")
        for tool in filter(shutil.which, ("strip", "llvm-strip")):
            if subprocess.run([tool, "-s", "-o", out, exe], capture_output=True, check=False).returncode == 0:
                return out.read_bytes()
    raise Skip(f"strip cannot strip {exe.name}, and there is no llvm-strip, package llvm has it")


@functools.lru_cache(maxsize=None)
def exe_from(source, *options, **environment):
    """The executable of a program in Go, of the first toolchain."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    exe = os.path.join(folder.name, f"{source.stem}.exe")
    home = {"HOME": folder.name, "PATH": os.environ["PATH"], "GO111MODULE": "off", "GOCACHE": CACHE, **environment}
    subprocess.run([go_of(), "build", *options, "-o", exe, source], env=home, check=True)
    return exe


@functools.lru_cache(maxsize=None)
def built_from(source):
    """The dump that a program in Go writes of itself, its executable, and what it has told."""
    exe = exe_from(source)
    dump = exe.removesuffix(".exe") + ".dump"
    told = subprocess.run([exe, dump], env={}, check=True, capture_output=True).stdout
    return dump, exe, json.loads(told)


def files(name):
    """The arguments that name a dump and its executable."""
    return dump_of(name), "--exe", exe_of(name)


def truth_of(name):
    path = place(name, ".truth.json")
    return json.loads(lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes())


def sure(kind):
    """The name of a type without the mark of a guess."""
    return kind.removeprefix("~")


def unmarked(rows):
    """The same objects: programs get the name of a type alone, and beside it how it is known."""
    for row in rows:
        if row["type_known"] != "none":
            assert not row["type"].startswith("~"), row
    return rows


@functools.lru_cache(maxsize=2)
def objects(name):
    """All objects with their types, by address, and those of parts as such."""
    return {row["address"]: row for row in unmarked(answer("list", "objects", *files(name), "--parts"))}


@functools.lru_cache(maxsize=1)
def graph_with_exe(name):
    """The dump as the reader in Python sees it with the executable, which says what is on stacks."""
    return graph_of(dump_of(name), exe_of(name))
