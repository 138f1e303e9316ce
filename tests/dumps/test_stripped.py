"""Types with an executable that has been stripped, as many are in production: of the runtime's own type
table only. The same executable with its debug information says what is right."""

import collections
import functools
import re
import shutil
import subprocess

from executables import dump_of, exe_of, objects
from harness import ONE, UNPACKED, Skip, answer, test

# Percent of the reachable objects, and of their bytes, that have a type at least.
SHARES = {
    "go1.15.15-server": (98.8, 95),
    "go1.19.8-server": (98.4, 80),
    "go1.26.10-server": (98, 83),
    # Lists and trees of this one hang on global variables, which a stripped executable does not have;
    # half of its bytes, and most of the last one's, are buffers that only a local variable names.
    ONE: (60, 29.5),
    "raftkv-go1.19": (88, 90),
    "webmetrics-go1.23": (99, 20),
}


def stripped(name):
    if not shutil.which("strip"):
        raise Skip("there is no strip")
    path = UNPACKED / "exe" / f"{name}.stripped"
    if not path.exists():
        subprocess.run(["strip", "-s", "-o", path, exe_of(name)], check=True)
    return str(path)


@functools.lru_cache(maxsize=1)
def reachable(name):
    rows = answer("list", "objects", dump_of(name), "--exe", stripped(name))
    return [row for row in rows if row["reachable"]]


def plain(name):
    """A type's name without packages, whose names the two tell differently here and there. The
    runtime makes timers as what package time knows as its own."""
    name = re.sub(r"^\[\d+\]", "", name).replace("uint8", "byte").replace("runtime.timeTimer", "time.Timer")
    return re.sub(r"[\w.\-~/%]*[./]", "", name).replace("Ticker", "Timer")


@test(each=SHARES, builds=["gcc"])
def share_of_typed_objects(name):
    rows = reachable(name)
    for measure, least in zip((lambda row: 1, lambda row: row["size"]), SHARES[name]):
        typed = sum(measure(row) for row in rows if row["type_known"] != "none")
        assert typed * 100 >= least * sum(map(measure, rows)), (typed, least)


@test(each=SHARES, builds=["gcc"])
def types_are_those_with_debug_information(name):
    """Closures are told as their functions' type, structs by their first field, here and there."""
    types, right, wrong = objects(name), collections.Counter(), collections.defaultdict(collections.Counter)
    for row in reachable(name):
        told, known = types[row["address"]], row["type_known"]
        if "none" in (known, told["type_known"]):
            continue
        if plain(row["type"]) == plain(told["type"]):
            right[known] += 1
        else:
            wrong[known][row["type"], told["type"]] += 1
    for known, least in (("exact", 99.9), ("inferred", 99), ("guess", 95)):
        total = right[known] + sum(wrong[known].values())
        assert right[known] * 100 >= least * total, (known, total, wrong[known].most_common(5))
