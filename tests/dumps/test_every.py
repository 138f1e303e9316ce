"""Every table, view, command and export once, on an input of each kind, in the build with ASan and UBSan. The
other tests of this folder and of names/ compare what the same code says with the truth, on the ordinary build:
here it only has to answer, and its memory is watched."""

import functools
import os
import sqlite3
import tempfile

from core_files import HERE, MORE, core
from executables import dump_of, exe_of, files
from harness import FEW, LAYOUTS, ONE, TESTDATA, run, test

EXE = [ONE, "go1.27-corner", "go1.19-drift-3"]  # with and without Swiss maps, new and old DWARF
MORE_DUMPS = ["go1.22.12-plumbing", "go1.26.10-plumbing", "go1.26-coroutines"]  # pipes, timers, waits of all kinds
LOGS = [TESTDATA / place for place in (
    "netcf/weird.gclog", "netcf/two_domains.gclog", "chromium/odd.json", "chromium/allocators.json",
    "chromium/v2_table.json", "v8/registry.heapsnapshot")]
INPUTS = {
    **{name: lambda name=name: (dump_of(name),) for name in [
        *sorted(LAYOUTS, key=lambda name: (not name.endswith("mips"), name)), *MORE_DUMPS]},
    **{f"{name} with its executable": lambda name=name: files(name) for name in EXE},
    **{name: lambda name=name: (str(core(name)),) for name in [*HERE, *MORE]},
    **{path.name: lambda path=path: (str(path),) for path in LOGS},
}
SOME = 6  # objects, types and goroutines that are asked about, all over the dump

# Tables about one thing, by the table that lists such things; those together that all such things have.
ABOUT = (
    ("objects", "address", ("fields", "references", "referrers", "referrers_root", "path", "retained", "retained_list", "retained_tree",
                            "path_tree", "what_if")),
    ("objects", "address", ("values",)),
    ("goroutines", "id", ("frames", "slots", "stack")),
    ("types", "type", ("layout",)),
    ("profiles", "id", ("profiles_stack",)),
)
COMMANDS = (("info",), ("top",), ("check", "--assert", "bytes() >= 0"), ("report", "--format", "markdown"), ("find", "main"),
            ("list", "grouped", "type,sum(size) of objects"), ("list", "breakdown", "bottom-up"))
ABOUT_ONE = ("show", "why", "path", "retained", "freed", "what-if")
EXPORTS = ("chromium-heap", "hprof", "heapsnapshot", "pprof", "pprof-alloc", "folded")


def asked(*words, text=""):
    """Answers, or says in a sentence why such an input has no answer. `text` is what it reads."""
    with tempfile.TemporaryFile() as file:
        file.write(text.encode())
        file.seek(0)
        result = run(*words, stdin=file)
    assert result.status in (0, 1) or result.err.startswith("goheapx: "), result
    return result


@functools.lru_cache(maxsize=1)
def database(name):
    """All tables that need no argument, written by one process; {table: some values of each of its columns}."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.db")
        result = run("export", *INPUTS[name](), "--format", "sqlite", "-o", path)
        assert result.status in (0, 1), result
        base = sqlite3.connect(path)
        tables = [row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        some = {}
        for table in tables:
            columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
            rows = base.execute(f'SELECT * FROM "{table}"').fetchall()
            if rows:
                some[table] = {column: [row[i] for row in rows[::len(rows) // SOME + 1]] for i, column in enumerate(columns)}
        base.close()
    return some


def of_each(values, table):
    """A query for all rows of a table about each of some things."""
    listed = ", ".join("('" + str(value).replace("'", "''") + "')" for value in values)
    return f'WITH things(thing) AS (VALUES {listed}) SELECT t.* FROM things, "{table}"(thing) t'


@test(each=INPUTS, builds=["sanitize"], most=20)
def tables_are_made(name):
    some = database(name)
    assert some, "no table has a row"
    for table, column, about in ABOUT:
        values = [value for value in some.get(table, {}).get(column, ()) if value not in (None, "")]
        if not values:
            continue
        queries = [of_each(values, one) for one in about]
        if asked("sql", *INPUTS[name](), "--csv", text=";\n".join(queries)).status == 2:
            for query in queries if len(queries) > 1 else ():
                asked("sql", *INPUTS[name](), "--csv", text=query)


@test(each=[name for name in INPUTS if name not in LAYOUTS - FEW], builds=["sanitize"], most=10)
def commands_answer(name):
    dump, *exe = INPUTS[name]()
    for command in COMMANDS:
        first = command[:2] if command[0] == "list" else command[:1]
        asked(*first, dump, *command[len(first):], *exe)
    asked("estimate", dump)
    addresses = database(name).get("objects", {}).get("address", ())
    for address in (addresses[len(addresses) // 2:] or addresses)[:1]:
        for command in ABOUT_ONE:
            asked(command, dump, address, *exe)
        for form in ("dot", "dot-dominators"):
            asked("export", dump, address, "--format", form, *exe)
    for form in EXPORTS:
        with tempfile.TemporaryDirectory() as folder:
            asked("export", dump, "--format", form, "-o", os.path.join(folder, "out"), *exe)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        if asked("redact", dump, *exe, "-o", out).status == 0:
            asked("info", out, *exe)
        else:
            assert not os.path.exists(out), "a half file"
        asked("top", dump, *exe, "--hide")


@test(each=INPUTS, builds=["sanitize"], most=20)
def views_are_drawn(name):
    """Where Enter leads to from there is seen by the screens and tours of tests/golden and tests/damage."""
    steps = ["overview", "screen"]
    for table in sorted(set(database(name)).difference(*(about for _, _, about in ABOUT))):
        steps += [table.replace("_", "-"), "screen", "keys G", "screen"]
    result = run(*INPUTS[name](), *(word for step in steps for word in ("-e", step)))
    assert result.status == 0 and " line " not in result.err, result


@test(builds=["sanitize"])
def dumps_of_one_process_are_compared():
    first, second, third, exe = *(dump_of(f"go1.19-drift-{number}") for number in "123"), exe_of("go1.19-drift-3")
    since = ("--exe", exe, "--since", first)
    run(first, second, third, exe, "-e", "growth", "-e", "keys Enter", "-e", "overview", "-e", "screen", expect=0)
    run("diff", first, third, exe, expect=0)
    for asked_for in ("growth", "top", "types", "goroutines", "lost", "owners"):
        run("list", asked_for, second, *since, "--json")
    run("check", third, *since, "--assert", "bytes() >= 0")
    with tempfile.TemporaryDirectory() as folder:
        run("export", "--format", "tables", "-o", os.path.join(folder, "out"), "--exe", exe, first, second, expect=0)
