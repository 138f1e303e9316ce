"""Pointer masks of large types, which Go 1.24 and later make when the collector needs them first: of a process that
has not collected yet, they are built from the types, and numbers are no pointers."""

from core_files import core
from harness import answer, equal, test

NAME = "go1.27-young"  # testdata/src/young


def items():
    return answer("list", "objects", core(NAME), "--where", "size = 32")


@test
def numbers_keep_nothing_alive():
    """The variable main.last keeps the last of the 200."""
    alive = [row for row in items() if row["reachable"] and row["type"].lstrip("~") == "main.item"]
    equal(len(alive), 20 + 1, "items")
    assert len([row for row in items() if not row["reachable"]]) >= 199, items()


@test
def large_types_have_their_names():
    types = {row["type"]: row for row in answer("list", "types", core(NAME))}
    equal([types[name]["count"] for name in ("main.table", "runtime.p")], [1, 2], "objects")
    assert not [name for name in types if "type@" in name], types
