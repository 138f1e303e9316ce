"""Text, CSV and JSON of every table: the same rows, sorted and limited as asked."""

import csv
import io
import json
import re

import writer
from executables import dump_of
from harness import ONE, TESTDATA, answer, equal, oracle, run, test, truth, unpacked
from survive import file_of

NEEDLE = "0xc000193140"

# Every table, with an argument where it wants one.
TABLES = {
    "objects": None, "types-size": None, "fields": NEEDLE, "references": NEEDLE, "referrers": NEEDLE,
    "referrers-root": NEEDLE, "path": NEEDLE, "path-tree": NEEDLE, "what-if": NEEDLE, "path-between": f"{NEEDLE} {NEEDLE}", "goroutines": None,
    "goroutines-stack": None, "frames": "1",
    "slots": "1", "stack": "30", "roots": None, "finalizers": None, "stack-defer": None, "stack-panic": None,
    "find": "session-00", "types": None, "types-package": None,
    "itabs": None, "threads": None, "info": None,
    "warnings": None,
}


def arguments(table):
    argument = TABLES[table]
    return ["list", table, unpacked(ONE)] + ([argument] if argument else [])


@test(builds=["gcc"])
def these_are_all_tables():
    result = run("list", "nonsense", unpacked(ONE), expect=2)
    completion = run("completion", "bash", expect=0).out
    for table in json.loads(run("schema", expect=0).out)["$defs"]:
        assert table in completion, f"{table} is not completed"
    assert "nonsense" in result.err, result


@test(each=TABLES)
def csv_and_json_have_the_same_rows(table):
    rows = answer(*arguments(table))
    lines = list(csv.reader(io.StringIO(run(*arguments(table), "--csv", expect=0).out)))
    equal(len(lines) - 1, len(rows), "rows of CSV")
    for row, line in zip(rows, lines[1:]):
        equal(list(row), lines[0], "names of columns")
        for (name, value), cell in zip(row.items(), line):
            equal(cell, as_csv(value, cell), f"{name} in {line}")


@test
def paths_to_several_objects_are_those_to_each():
    """One after the other; the status tells of one that nothing leads to."""
    [garbage, *_], sessions = truth(ONE)["Garbage"], truth(ONE)["CacheSessions"][:2]
    asked = [NEEDLE, garbage, "0x1", *sessions]
    for form, between in ((), "\n"), (("--json",), ""), (("--csv",), ""):
        for options in (), ("--parts",):
            alone = [run("path", unpacked(ONE), address, *form, *options) for address in asked]
            equal([one.status for one in alone], [0, 1, 1, 0, 0], "status of each")
            told = run("path", unpacked(ONE), *asked, *form, *options, expect=1)
            if form == ("--json",):
                equal(json.loads(told.out), [json.loads(one.out) for one in alone], "one document")
                continue
            head = alone[0].out.split("\n")[0] + "\n" if form else ""
            equal(told.out, head + between.join(one.out.removeprefix(head) for one in alone if one.out),
                  f"paths with {form}")
            equal(told.err, "".join(one.err for one in alone), "what is said on the standard error")


@test(builds=["gcc"])
def text_is_without_changes_that_nobody_asked_for():
    def head(*words):
        return run("list", "types", dump_of("go1.27-drift-2"), *words, "--limit", "1",
                   expect=0).out.split("\n")[0].split()

    deltas = ["count_delta", "bytes_delta"]
    equal([name for name in head() if "delta" in name], [], "without an earlier dump")
    equal([name for name in head("--since", dump_of("go1.27-drift-1")) if "delta" in name], deltas,
          "with one")
    equal(head("--columns", ",".join(deltas)), deltas, "asked for")
    names = answer("list", "types", dump_of("go1.27-drift-2"), "--limit", "1")[0]
    equal([name for name in names if "delta" in name], deltas, "of JSON")


def as_csv(value, cell):
    """How CSV writes a value of JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return cell if cell in (("yes", "true") if value else ("no", "false")) else str(value)
    if isinstance(value, float):
        return cell if float(cell) == value else str(value)
    return str(value)


@test(each=TABLES)
def text_has_a_line_for_each_row(table):
    rows = answer(*arguments(table))
    lines = run(*arguments(table), expect=0).out.splitlines()
    assert len(lines) >= len(rows), f"{len(lines)} lines for {len(rows)} rows"
    for line in lines:
        equal(line, line.rstrip(), "trailing blanks")
        assert line.isprintable(), f"{line!r} cannot be printed"


# What fills the cells has run with sanitizers by now.
@test(each=TABLES, builds=["gcc"])
def a_limit_gives_the_first_rows(table):
    rows = answer(*arguments(table))
    equal(answer(*arguments(table), "--limit", "2"), rows[:2], "2 rows")
    equal(answer(*arguments(table), "--limit", "0"), [], "no rows")


def key(value):
    """Order of values of one column: nothing first, addresses as numbers."""
    if isinstance(value, str) and value.startswith("0x"):
        return (1, int(value, 16))
    return (0,) if value is None else (1, value)


@test(each=TABLES, builds=["gcc"])
def rows_are_sorted_by_any_column(table):
    rows = answer(*arguments(table))
    for number, column in enumerate(rows[0] if rows else ()):
        option, reverse = (column, False) if number % 2 else ("-" + column, True)
        got = answer(*arguments(table), "--sort", option)
        equal(len(got), len(rows), "rows")
        values = [row[column] for row in got]
        equal(values, sorted(values, key=key, reverse=reverse), f"--sort {option}")


@test
def objects_of_equal_size_stay_in_the_order_of_addresses():
    got = answer("list", "objects", unpacked(ONE), "--sort", "-size")
    pairs = [(-row["size"], int(row["address"], 16)) for row in got]
    equal(pairs, sorted(pairs), "order")


@test
def json_is_ascii_safe_and_whole_lines():
    raw = run("list", "roots", unpacked(ONE), "--json", expect=0).raw_out
    equal(raw[-1:], b"\n", "last byte")
    json.loads(raw.decode("utf-8"))


@test
def show_has_the_object_with_its_fields():
    graph = oracle(ONE)
    index = graph.dump.find(int(NEEDLE, 16))
    shown = answer("show", unpacked(ONE), NEEDLE)
    equal(shown["address"], NEEDLE, "address")
    equal(shown["size"], graph.dump.objects[index].size, "size")
    equal(shown["reachable"], True, "reachable")
    pointers = [field["offset"] for field in shown["fields"] if field.get("target")]
    for offset, _ in graph.references[index]:
        assert offset in pointers, f"{offset} is no pointer of {shown}"


@test
def show_finds_the_object_of_an_interior_address():
    equal(answer("show", unpacked(ONE), "0xc000206fa0")["address"], "0xc000206000", "address")


@test
def strings_are_shown_as_text():
    """The first session of the cache has an ID and a buffer of text."""
    result = run("show", unpacked(ONE), "0xc000080180", expect=0)
    assert "session" in result.out, result


def bytes_of(lines):
    """Those that are shown in hexadecimal, and what stands of them as text."""
    pairs = [re.match(r" ((?:[0-9a-f]{2} )+) *(\S+)$", line) for line in lines]
    return (b"".join(bytes.fromhex(pair[1]) for pair in pairs if pair),
            sum(len(pair[2]) for pair in pairs if pair))


@test(builds=["gcc"])
def the_last_line_of_bytes_ends_with_them():
    for size, zeros in ((16, 0), (24, 0), (40, 0), (21, 3), (15, 1), (32, 8)):
        data = bytes(0x80 + i * 5 % 128 for i in range(size))
        content = b"".join((writer.HEADER, writer.params(), writer.record(1, writer.HEAP, data + bytes(zeros), []),
                            writer.record(1, writer.HEAP + 64, b"\1" * 64, []), writer.record(0)))
        with file_of(content) as file:
            lines = run("show", file.name, f"{writer.HEAP:#x}", expect=0).out.splitlines()
        equal(bytes_of(lines), (data, size), f"bytes of {size} and {zeros} zeros")
        equal([line for line in lines if line.endswith(" zeros")], [f" {zeros} zeros"] * bool(zeros), "zeros")


# No cell depends on which others are printed.
@test(each=TABLES, builds=["gcc"])
def chosen_columns_are_those_of_all(table):
    rows = answer(*arguments(table))
    if not rows:
        return
    names = list(rows[0])
    for chosen in ([names[0]], [names[-1], names[0]], names[::2], names[::-1]):
        chosen = list(dict.fromkeys(chosen))
        got = answer(*arguments(table), "--columns", ",".join(chosen))
        for row in got:
            equal(list(row), chosen, "names and order")
        equal(got, [{name: row[name] for name in chosen} for row in rows], f"only {chosen}")


@test
def what_is_not_printed_may_decide():
    every = answer("list", "objects", unpacked(ONE))
    got = answer("list", "objects", unpacked(ONE), "--columns", "address", "--sort", "-referrers",
                 "--where", "type ~ string and referrers > 1", "--limit", "5")
    right = [row for row in every if "string" in (row["type"] or "") and row["referrers"] > 1]
    right.sort(key=lambda row: -row["referrers"])
    equal(got, [{"address": row["address"]} for row in right[:5]], "addresses")
    got = answer("list", "objects", unpacked(ONE), "--columns", "address", "--where", "string")
    right = [row for row in every if "string" in (row["type"] or "").lower()]
    equal(got, [{"address": row["address"]} for row in right], "a word that any cell may have")


@test
def text_and_csv_have_the_chosen_columns():
    options = ("--columns", "size,address", "--limit", "2", "--sort", "-size")
    rows = answer("list", "objects", unpacked(ONE), *options)
    lines = run("list", "objects", unpacked(ONE), *options, expect=0).out.splitlines()
    equal(lines[0].split(), ["size", "address"], "heads")
    equal([line.split()[-1] for line in lines[1:]], [row["address"] for row in rows], "addresses")
    lines = run("list", "objects", unpacked(ONE), "--csv", *options, expect=0).out.splitlines()
    equal(lines, ["size,address"] + [f"{row['size']},{row['address']}" for row in rows], "CSV")


def tree_of(rows):
    """Sizes by the names of the rows above, of a tree that is printed with its depths."""
    above, sizes = [], {}
    for row in rows:
        above[row["depth"]:] = [row["backtrace"]]
        if not row["backtrace"].startswith("type "):
            sizes[tuple(above[1:])] = row["size"]
    return sizes


@test
def a_tree_is_printed_as_deep_as_asked():
    """The rows of a breakdown one by one, and as a tree."""
    trace = TESTDATA / "chromium" / "seed_table.json"
    flat = answer("list", "breakdown", trace, "min=0")
    stacks = {tuple(row["backtrace"]): row["size"] for row in flat if row["type"] is None}
    assert max(map(len, stacks)) > 1, stacks
    for depth in (1, 2, 99):
        rows = answer("list", "breakdown", trace, "min=0", "--depth", str(depth))
        equal(max(row["depth"] for row in rows), min(depth, 1 + max(map(len, stacks))), "depth")
        right = {stack: size for stack, size in stacks.items() if len(stack) <= depth}
        got = tree_of(rows)
        equal({stack: got.get(stack) for stack in right}, right, f"{depth} levels")
        rest = [stack for stack in got if stack not in right]
        equal([stack for stack in rest if stack[-1] != "<other>"], [], "more than rests of types")
    rows = answer("list", "breakdown", trace, "min=0", "--depth", "99", "--limit", "3")
    equal([row["depth"] for row in rows], [0, 1, 2], "the first rows")
    text = run("list", "breakdown", trace, "--depth", "2", "--columns", "backtrace", expect=0).out
    equal(text.splitlines()[1:4], ["everything", "  BrMain", "    MsgLp"], "text")


@test
def topmost_rows_are_those_without_a_depth():
    every = answer("list", "owners", unpacked(ONE))
    rows = answer("list", "owners", unpacked(ONE), "--depth", "2")
    assert len(rows) > len(every), rows
    top = [{name: row[name] for name in every[0]} for row in rows if row["depth"] == 0]
    equal(top, every, "owners")
    some = answer("list", "owners", unpacked(ONE), "--depth", "2", "--where", "kind = object")
    equal(some, [row for row in rows if row["kind"] == "object"], "filtered")
