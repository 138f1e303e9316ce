"""Graphs of dumps, kept below build/: to read one takes a second, and every process of the tests wants those
of nearly all dumps.

What is kept is believed where it is of these bytes, made by these sources on this Python, and whole. Two
that want the same do not both read it: the one waits for the other.
"""

import contextlib
import fcntl
import gc
import hashlib
import os
import pathlib
import pickle
import sys
import time
import zlib

import godump
import graph
import program
import stack_objects

SOURCES = [pathlib.Path(file) for file in (godump.__file__, graph.__file__, program.__file__, stack_objects.__file__, __file__)]
IMPORTED = time.time()
DIGEST = hashlib.sha256().digest_size


def graph_of(path, folder, exe=None):
    """The Graph of a dump, which is kept in the folder; with an executable, which says what is on stacks, another."""
    data = godump.load(path)
    if any(source.stat().st_mtime >= IMPORTED for source in SOURCES):
        return read(data, exe)  # nobody knows by which sources
    key = key_of(data, pathlib.Path(exe).read_bytes() if exe else b"")
    place = folder / f"{pathlib.Path(path).name}{'.exe' if exe else ''}.graph"
    folder.mkdir(parents=True, exist_ok=True)
    with open(place.with_suffix(".lock"), "w", encoding="ascii") as lock, without_collections():
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = taken(place, key)
        if made is None:
            made = read(data, exe)
            keep(made, place, key)
    made.dump.raw = data
    return made


def read(data, exe):
    dump = godump.read(data)
    return graph.Graph(dump, program.Program(exe, dump.params.version) if exe else None)


@contextlib.contextmanager
def without_collections():
    """Python's collector would look at a hundred thousand new objects again and again, then and later."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def digest(*parts):
    """Of parts each, so that bytes that move from one to the next make another."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def key_of(data, exe=b""):
    return digest(sys.version.encode(), *(source.read_bytes() for source in SOURCES), data, exe)


def taken(place, key):
    """The graph that is kept there, or None."""
    try:
        content = place.read_bytes()
    except FileNotFoundError:
        return None
    packed = content[2 * DIGEST :]
    if content[: 2 * DIGEST] != key + digest(packed):
        return None
    return pickle.loads(zlib.decompress(packed))


def keep(made, place, key):
    """Without the bytes of the dump, which whoever takes it has read."""
    made.dump.raw = b""
    assert made.beside is not None  # so that this is kept, too
    packed = zlib.compress(pickle.dumps(made, pickle.HIGHEST_PROTOCOL), 1)
    part = place.with_suffix(f".{os.getpid()}")
    part.write_bytes(key + digest(packed) + packed)
    part.rename(place)
