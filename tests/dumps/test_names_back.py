"""Every name that a table prints is a name: given back to show, none is refused, and given to the other commands that take
an object, none is unknown to them. Of each column of each table some are tried, always the same; NAMES=all tries all."""

import os
import re
import zlib

from core_files import core
from executables import dump_of, files, stripped
from harness import ONE, TESTDATA, answer, forms, run, test

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
ONCE = 200  # names in a statement of SQL

# Columns whose cells are names, in whatever table: of objects, places, functions, types, code, addresses. Rows below others
# are steps, whose whole name another column has.
NAMES = ("name", "expression", "example", "object", "target", "dominator", "held_by", "owner", "address", "type", "value_type", "object_type",
         "argument_type", "function", "calls", "created_by", "creator", "creator_pc", "entry_pc", "pc", "sp", "id", "waits_on", "m", "also_held_by")
# Those that are names of something else: uses of memory, files, processes, statistics, warnings. Findings without an
# expression may say a sentence in place of a name.
OTHERS = {("mappings", "name"), ("domains", "name"), ("breakdown", "name"), ("breakdown", "type"), ("breakdown-heap", "name"), ("breakdown", "id"),
          ("breakdown-reports", "name"), ("descriptors", "name"), ("itabs", "name"), ("records", "name"), ("info", "name"), ("warnings", "name"),
          ("types-package", "name"), ("owners-set", "name"), ("retained-set", "name"), ("threads", "id"), ("memstats", "name"),
          ("breakdown", "address"), ("breakdown-reports", "id"), ("types-size", "name")}
# What is printed in place of a name, where there is none, or of several of a kind.
WORDS = re.compile(r"^(\(|nobody: |several (kinds )?of |several kinds|started and |all |0x0$)")
SENTENCES = re.compile(r"is no address, variable|was not understood|names nothing|There is no (such|owner)|"
                       r"No (place or type|root has|thread has|reachable object is)")


def is_name(row, table, column):
    value = row.get(column)
    sentence = table == "findings" and column == "name" and not row.get("expression")
    return isinstance(value, str) and value and not row.get("depth") and not sentence and not WORDS.search(value)


def taken(table, column, values):
    """Those that are tried."""
    values = sorted(values, key=lambda value: zlib.crc32(f"{table} {column} {value}".encode()))
    return values if os.environ.get("NAMES") == "all" else values[:MOST]


def rows_of(table, input_):
    out = run("list", table, *input_, "--json", alone=False)
    rows = answer("list", table, *input_) if not out.status else []
    return rows if isinstance(rows, list) else []


def names_of(input_):
    """{name: (table, column)} of those that are tried."""
    names = {}
    for table in forms():
        rows = rows_of(table, input_)
        for column in NAMES:
            values = {row[column] for row in rows if (table, column) not in OTHERS and is_name(row, table, column)}
            for value in taken(table, column, values):
                names.setdefault(value, (table, column))
    return names


def refused_in_sql(input_, names):
    """Those that a function of SQL does not take, of names of objects."""
    values = ", ".join("('" + name.replace("'", "''") + "')" for name in names)
    asked = f"WITH n(a) AS (VALUES {values}) SELECT sum((SELECT count(*) FROM retained(a))) FROM n"
    out = run("sql", input_[0], asked, *input_[1:], alone=False) if names else None
    if not out or not out.status:
        return []
    half = len(names) // 2
    told = not half and not SENTENCES.search(out.err)  # such as that a goroutine references nothing
    return refused_in_sql(input_, names[:half]) + refused_in_sql(input_, names[half:]) if half else [] if told else names


@test(each=INPUTS, builds=["gcc"])
def a_printed_name_is_taken_back(name):
    input_ = tuple(map(str, INPUTS[name]()))
    names, refused, objects = names_of(input_), [], []
    for value, place in names.items():
        out = run("show", input_[0], value, *input_[1:], alone=False)
        if out.status:
            refused.append((*place, value, out.err))
        elif re.match(r" (object|set) ", out.out):
            objects.append(value)
    for at in range(0, len(objects), ONCE):
        refused += [("sql", *names[value], value) for value in refused_in_sql(input_, objects[at : at + ONCE])]
    assert not refused, (len(refused), len(names), refused[:8])
    assert len(names) > 10 or name == "Chromium", len(names)  # which has no objects


ASKED = {"path": ("path",), "why": ("why",), "retained": ("list", "retained"), "what-if": ("list", "what-if")}


@test(each=INPUTS, builds=["gcc"], most=3)
def no_command_finds_a_printed_name_unknown(name):
    """What is no object, or not reachable, is told so."""
    input_ = tuple(map(str, INPUTS[name]()))
    names, unknown = sorted(names_of(input_), key=lambda value: zlib.crc32(value.encode())), []
    for value in names[:120]:
        for command, words in ASKED.items():
            out = run(*words, input_[0], value, *input_[1:], alone=False)
            if out.status and (SENTENCES.search(out.err) or not (out.err or out.out)):
                unknown.append((command, value, out.err))
    assert not unknown, (len(unknown), unknown[:8])
