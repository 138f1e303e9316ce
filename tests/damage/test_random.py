"""Real dumps: cut anywhere, with any byte changed, with a hole. `make damage` tries thousands of
the first two; `make check` tries most where a layout, a byte order or a word is another, as the same code reads
the others, and half with sanitizers."""

import os
import random

from harness import LAYOUTS, SANITIZED, SMALL, equal, test, unpacked
from survive import COUNT, contents, file_of, survives, survives_bytes, tours

HOLES = 4
TOURS = 10  # of so many files one is looked at in the explorer, too


def count(name):
    """How many cuts and changes are tried of a dump."""
    few = "DAMAGE" not in os.environ and (4 if name not in LAYOUTS else 2 if SANITIZED else 1)
    return COUNT // (few or 1)


@test(each=SMALL)
def cut_anywhere(name):
    """What stands before the cut is read, whatever the cut goes through."""
    chance = random.Random(f"cuts of {name}")
    whole = contents(name)
    objects = survives(unpacked(name))["objects"]
    equal(tours(unpacked(name)).status, 0, "status of the tour of a whole dump")
    with file_of(whole) as file:
        for number, length in enumerate(sorted(chance.sample(range(len(whole)), count(name)))[::-1]):
            os.truncate(file.name, length)
            info = survives(file.name)
            if info:
                equal(info["complete"], False, f"complete when cut at {length}")
                assert info["objects"] <= objects, f"cut at {length} there are more objects"
                objects = info["objects"]
            if number % TOURS == 0:
                tours(file.name)


@test(each=SMALL)
def any_byte_changed(name):
    """Half of them anywhere, which is in the objects, half in the records after these."""
    chance = random.Random(f"bytes of {name}")
    whole = contents(name)
    objects = survives(unpacked(name))["objects"]
    costly = 0
    with file_of(whole) as file:
        for number in range(count(name)):
            first = len(whole) * 9 // 10 if number % 2 else 0
            at = chance.randrange(first, len(whole))
            os.pwrite(file.fileno(), bytes([chance.randrange(256)]), at)
            info = survives(file.name)
            costly += info is None or info["objects"] < objects * 99 // 100
            if number % TOURS == 0:
                tours(file.name)
            os.pwrite(file.fileno(), whole[at : at + 1], at)
    assert costly <= max(1, count(name) // 20), f"{costly} of {count(name)} changes cost more than a byte should"


@test(each=SMALL)
def a_hole_among_the_objects(name):
    """Go ignores that a disk is full for a while: the records behind the hole are found again, and
    the versions that only trying can tell apart are told apart."""
    chance = random.Random(f"holes of {name}")
    whole = contents(name)
    known = survives(unpacked(name))
    for _ in range(HOLES):
        start = chance.randrange(1000, len(whole) // 2)
        end = start + chance.randrange(1, 100_000)
        info = survives_bytes(whole[:start] + whole[end:])
        for key in ("format", "complete", "goroutines", "frames", "finalizers"):
            equal(info.get(key), known.get(key), f"{key} with a hole at {start} ... {end}")
