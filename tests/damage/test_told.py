"""No silent difference, as in test_silent.py, of what is no dump of Go: whatever happens to a GC log, a
trace or an archive, either its rows are those of the intact one, or something is said, or what is
left is a whole one of another content, and nobody can tell.

That is decided by readers of their own: of logs the strict one in tests/oracle/logs.py, of traces
Python's json. An archive has sums: there every difference is told."""

import gzip
import json
import lzma
import random

import logs
import writer
from harness import SANITIZED, TESTDATA, answer, equal, run, test
from survive import COUNT, file_of

TABLES = {
    "log": """domains objects types roots owners dominators sizes root-classes unreachable
        warnings""".split(),
    "trace": "heaps breakdown warnings".split(),
    "dump": "objects goroutines roots types segments records".split(),
}
LOGS = ["small", "two_domains", "leak_before"]
TRACES = ["seed_table", "v2_table", "old_table"]
SHARE = 8 if SANITIZED else 1  # of what is tried: what is said is seen without sanitizers


def intact_of(name, kind):
    path = TESTDATA / ("netcf" if kind == "log" else "chromium") / name
    equal(answer("info", path)["state"], None, f"the state of {name}")
    return path.read_bytes(), rows_of(path, kind)


def rows_of(path, kind):
    return {table: run("list", table, path, "--csv", "--limit", "3000").out for table in TABLES[kind]}


def state_of(path, table):
    """What info says of a file; None: nothing is wrong with it. A table says the same."""
    result = run("info", "--json", path)
    if result.status == 2:
        assert result.err.startswith("goheapx: "), result
        return "refused"
    state = json.loads(result.out)["state"]
    told = run("list", table, path, "--csv", "--limit", "1").err
    equal(told.count(f"{state}.\n"), 1 if state else 0, f"how often {table} says {state}")
    return state


def changed(data, chance):
    """A byte, a bit, a piece that is lost or doubled."""
    at, size = chance.randrange(len(data)), chance.randrange(1, 30)
    return chance.choice((
        data[:at] + bytes([chance.choice(b"09afort \n\r\"{}[],:\0\xff")]) + data[at + 1 :],
        data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :],
        data[:at] + data[at + size :], data[: at + size] + data[at:],
    ))


def never_silent(data, kind, intact, whole, alike, chance):
    """whole(data): what a strict reader reads, None where it is nothing whole; alike: what it reads of
    the intact one."""
    with file_of(data) as file:
        if state_of(file.name, chance.choice(TABLES[kind])):
            return
        read = whole(data)
        if read is None or read == alike:
            equal(rows_of(file.name, kind), intact, f"rows of {data!r}")
        elif kind == "log":
            counted(answer("info", file.name), read)


def counted(info, sections):
    """What is said of a log of another content."""
    objects = [one for section in sections for one in section[2].values()]
    roots = [one for section in sections for one in section[3]]
    equal([info["sections"], info["objects"], info["object_bytes"], sum(info["roots"].values())],
          [len(sections), len(objects), sum(size for _, size, _ in objects), len(roots)], "counts")


def trace(data):
    """The content of a trace; a bare array may lack its end."""
    for end in ("", "]"):
        try:
            return json.loads(data.decode("utf-8", "surrogateescape") + end, strict=False)
        except ValueError:
            continue
    return None


READERS = {"log": logs.read, "trace": trace}
FILES = [f"{name}.gclog" for name in LOGS] + [f"{name}.json" for name in TRACES]


def kind_of(name):
    return "log" if name.endswith(".gclog") else "trace"


@test(each=FILES)
def every_cut_is_told(name):
    chance, kind = random.Random(name), kind_of(name)
    whole, rows = intact_of(name, kind)
    read = READERS[kind]
    lengths = range(len(whole) - 1, 0, -max(1, len(whole) * SHARE // (COUNT * 2)))
    for length in lengths:
        never_silent(whole[:length], kind, rows, read, read(whole), chance)


@test(each=FILES)
def changes_are_told(name):
    chance, kind = random.Random(f"changes of {name}"), kind_of(name)
    whole, rows = intact_of(name, kind)
    read = READERS[kind]
    for _ in range(COUNT * 3 // SHARE):
        never_silent(changed(whole, chance), kind, rows, read, read(whole), chance)


@test(each=["gzip", "xz"])
def no_difference_of_an_archive_is_silent(packer):
    chance, dump = random.Random(packer), writer.tiny()
    whole = (gzip.compress(dump, mtime=0) if packer == "gzip" else lzma.compress(dump))
    with file_of(dump) as file:
        rows = rows_of(file.name, "dump")
    cuts = [whole[:length] for length in chance.sample(range(1, len(whole)), COUNT // SHARE)]
    for data in cuts + [changed(whole, chance) for _ in range(COUNT * 3 // SHARE)]:
        with file_of(data) as file:
            if not state_of(file.name, chance.choice(TABLES["dump"])):
                equal(rows_of(file.name, "dump"), rows, f"rows of {data!r}")
