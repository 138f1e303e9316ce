"""Core files that are cut or changed: an answer or a sentence, never a crash, and a loss is told."""

import os
import random
import shutil
import struct

from harness import TESTDATA, UNPACKED, run, test, unpack

NAME = "go1.26-park-stripped-quiet"
SAMPLES = int(os.environ.get("DAMAGE", "12"))


def files():
    packed = TESTDATA / "core"
    return [unpack(packed / f"{NAME}.{kind}.xz", UNPACKED / f"{NAME}.{kind}") for kind in ("core", "exe")]


def ask(path, exe):
    """Both tables that go through all of it. The status is 0 or 2, and 2 comes with one line."""
    for command in (("info",), ("list", "roots")):
        result = run(*command, path, "--exe", exe, "--json")
        assert result.status in (0, 2), result
        if result.status == 2:
            assert result.err.count("\n") == 1, result.err
    return result


def copy(name):
    path = UNPACKED / f"damaged.{os.getpid()}.{name}"
    shutil.copy(files()[0], path)
    return path


@test
def a_core_that_is_cut_says_so():
    core, exe = files()
    size = os.stat(core).st_size
    path = copy("cut")
    chance = random.Random(1)
    try:
        for end in sorted([chance.randrange(size) for _ in range(SAMPLES)] + [0, 1, 63, 64, 200, 4096], reverse=True):
            os.truncate(path, end)
            result = ask(path, exe)
            assert result.err, (end, "nothing is said")
    finally:
        path.unlink()


def segments(data):
    """Offsets in the file of what is not zero in a core: headers, notes, and pages with content."""
    count = struct.unpack_from("<H", data, 56)[0]
    return range(64, 64 + count * 56), count


@test
def changed_bytes_do_no_harm():
    core, exe = files()
    path = copy("changed")
    with open(core, "rb") as file:
        data = file.read()
    headers, _ = segments(data)
    places = [i for i in range(0, len(data), 8) if data[i:i + 8] != bytes(8)]
    chance = random.Random(2)
    try:
        with open(path, "r+b", buffering=0) as file:
            for number in range(SAMPLES * 2):
                at = chance.choice(headers) if number % 3 == 0 else chance.choice(places)
                change = chance.choice([bytes(8), b"\xff" * 8, struct.pack("<Q", at), bytes([chance.randrange(256)])])
                for offset, content in [(at, change)] + [(p, bytes(8)) for p in chance.sample(places, 200) if number % 2]:
                    file.seek(offset)
                    file.write(content)
                ask(path, exe)
                file.seek(0)
                for offset in range(0, len(data), 1 << 20):
                    file.seek(offset)
                    file.write(data[offset:offset + (1 << 20)])
    finally:
        path.unlink()
