"""Every name that a table prints is a name: given back to the command that takes its kind, none is refused. Of each column
of each table some are tried, always the same; NAMES=all tries all."""

import os
import re
import zlib

from core_files import core
from executables import dump_of, exe_of, files, stripped
from harness import ONE, TESTDATA, answer, run, test

INPUTS = {
    "executable": lambda: files(ONE),
    "no executable": lambda: (dump_of(ONE),),
    "stripped": lambda: (dump_of(ONE), "--exe", stripped(ONE)),
    "holders": lambda: files("go1.24-holders"),
    "server": lambda: files("go1.26.10-server"),
    "old": lambda: files("go1.19.8-small"),
    "core": lambda: (core("go1.26-queued"),),
    "stripped core": lambda: (core("go1.26-park-stripped-quiet"),),
    "V8": lambda: (TESTDATA / "v8/registry.heapsnapshot",),
    ".NET": lambda: (TESTDATA / "netcf/leak_after.gclog",),
    "two domains": lambda: (TESTDATA / "netcf/two_domains.gclog",),
    "Chromium": lambda: (TESTDATA / "chromium/odd.json",),
}
MOST = 3  # of a column, unless all are tried

# Columns whose cells are names, by the tables where they are these of objects, places, functions, types or addresses. Rows
# below others are steps, whose whole name another column has.
NAMES = {
    "name": {"findings", "where", "top", "owners", "root-classes", "merged-paths", "collections", "slack", "roots", "spans", "variables",
             "contexts", "creators", "pinned", "duplicates"},
    "expression": {"where", "find", "findings"},
    "example": {"where", "merged-paths", "growth", "shapes"},
    "object": {"roots", "references", "unreachable", "finalizers", "slots", "samples"},
    "target": {"roots"},
    "dominator": {"dominators"},
    "held_by": {"dominators"},
    "owner": {"objects", "spans"},
    "address": {"objects", "dominators", "collections", "roots", "variables", "itabs", "descriptors", "segments", "defers", "panics", "threads",
                "goroutines", "cycles", "timers", "mappings"},
    "type": {"objects", "types", "variables", "owners", "top", "collections", "contexts"},
    "value_type": {"panics"},
    "object_type": {"finalizers"},
    "function": {"goroutines", "groups", "lost", "timers", "threads", "finalizers", "defers", "profiles", "samples"},
    "calls": {"finalizers"},
    "created_by": {"goroutines"},
    "creator": {"lost", "timers"},
    "creator_pc": {"goroutines"},
    "entry_pc": {"finalizers", "defers", "frames"},
    "pc": {"frames", "threads", "defers"},
    "sp": {"frames", "threads", "defers"},
    "id": {"profiles"},
    "waits_on": {"goroutines", "groups"},
}
# What is printed in place of a name, where there is none.
WORDS = re.compile(r"^(\(|nobody: |several |started and |all |0x0$|[\d,]+ × (finalizer|cleanup|deferred|panic|goroutine|weak|record))|, most ")
CHANNEL = re.compile(r"^chan .* 0x[0-9a-f]+")  # other waits are for sentences


def is_name(column, value):
    return isinstance(value, str) and value and not WORDS.search(value) and (column != "waits_on" or CHANNEL.search(value))


# Of code and types that are in the executable alone, and shared sets of objects of a type, whose own name is "holding=N".
LOST = re.compile(r"^0x[0-9a-f]+$")
ALONE = {"value_type", "object_type", "function", "type", "creator_pc", "entry_pc", "pc"}
SHARED = re.compile(r"^[\d,]+ × .* held by ")


def can_be_told(name, column, value):
    return not SHARED.search(value) and (name != "no executable" or column not in ALONE or not LOST.search(value))


def taken(table, column, values):
    """Those that are tried."""
    values = sorted({value for value in values if is_name(column, value)}, key=lambda value: zlib.crc32(f"{table} {column} {value}".encode()))
    return values if os.environ.get("NAMES") == "all" else values[:MOST]


def refused(word, input_, *arguments):
    out = run(word, input_[0], *arguments, *input_[1:], alone=False)
    return out.err if out.status else None


def rows_of(table, input_):
    out = run("list", table, *input_, "--json", alone=False)
    return answer("list", table, *input_) if not out.status else []


@test(each=INPUTS, builds=["gcc"])
def a_printed_name_is_taken_back(name):
    input_ = tuple(map(str, INPUTS[name]()))
    tried, back = 0, []
    for column, tables in NAMES.items():
        for table in sorted(tables):
            rows = rows_of(table, input_)
            values = [row.get(column) for row in rows if not row.get("depth")]
            for value in taken(table, column, [value for value in values if value and can_be_told(name, column, str(value))]):
                tried += 1
                told = refused("show", input_, value)
                if told:
                    back.append((table, column, value, told))
    assert not back, (len(back), tried, back[:8])
    assert tried > 10 or name == "Chromium", tried  # which has no objects
