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
MOST = 4  # of a column, unless all are tried

# Columns whose cells are names, by the tables where they are these of objects: elsewhere a type may be one that no object
# has, an address that of code or of a word of a stack. Rows below others are steps, whose whole name another column has.
NAMES = {
    "name": {"findings", "where", "top", "merged-paths", "collections", "slack", "roots"},
    "expression": {"where", "find"},
    "example": {"where", "merged-paths", "growth", "shapes"},
    "object": {"roots", "references", "unreachable", "finalizers", "slots"},
    "target": {"roots"},
    "dominator": {"dominators"},
    "address": {"objects", "dominators", "collections"},
    "type": {"objects", "types"},
}
REFUSED = ("is no address, variable", "was not understood", "There is no such", "No reachable object is at", "has no such", "names nothing",
           "has the type", "is followed by", "has no goroutine", "No object of the dump lies at")
# What findings print beside places: a function, perhaps with what it waits for, or words.
FUNCTION = re.compile(r"^[\w./]+(\.\(\*\w+\))?\.\w+(\.func\d+)*(, .*)?$")


def is_place(text):
    return re.search(r"[.\[]", text) and not FUNCTION.search(text) and " in " not in text


def taken(table, column, values):
    """Those that are tried."""
    values = sorted({value for value in values if value}, key=lambda value: zlib.crc32(f"{table} {column} {value}".encode()))
    return values if os.environ.get("NAMES") == "all" else values[:MOST]


def refused(word, input_, *arguments):
    out = run(word, input_[0], *arguments, *input_[1:], alone=False)
    return out.err if out.status and any(words in out.err for words in REFUSED) else None


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
            for value in taken(table, column, values):
                if table == "findings" and not is_place(value):
                    continue
                tried += 1
                told = refused("show", input_, value)
                if told:
                    back.append((table, column, value, told))
    assert not back, (len(back), tried, back[:8])
    assert tried > 10 or name == "Chromium", tried  # which has no objects
