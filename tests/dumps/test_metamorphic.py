"""Answers that must fit together, whatever is right: a filter and its opposite part the rows, an order
only moves them, text, CSV and JSON say the same, and what `top` shows is what `retained` shows. All rows are
worked out anew; what is compared with them is asked a server, which is sooner and changes no answer."""

import collections
import csv
import functools
import io
import json
import random
import re

import harness
from core_files import core
from executables import exe_of
from harness import ONE, PROGRAM, TESTDATA, answer, equal, queries, run, test, unpacked
from mcp_client import Client

WITH_EXE = f"{ONE} with its executable"
CORE = "go1.26-park-stripped-quiet"
DUMPS = [ONE, WITH_EXE, "go1.5.4-small", "go1.24.4-small-mips", CORE]
LOGS = {"weird": TESTDATA / "netcf" / "weird.gclog", "seed_table": TESTDATA / "chromium" / "seed_table.json",
        "registry": TESTDATA / "v8" / "registry.heapsnapshot"}
INPUTS = [WITH_EXE, ONE, "weird", "go1.5.4-small", "seed_table", CORE, "go1.24.4-small-mips", "registry"]
WHOLE = {WITH_EXE, CORE, *LOGS}  # of the other inputs, every second table is asked for in all formats
FILTERS, ORDERS, ROWS = 8, 10, 1000  # tables of an input that are asked; rows where all are compared
COMBINED, REVERSED, LINES = 2, 3, 4  # combinations of two filters; of so many tables one is reversed, one in lines


@functools.lru_cache(maxsize=1)
def files(name):
    if name == WITH_EXE:
        return unpacked(ONE), "--exe", exe_of(ONE)
    if name == CORE:
        return (core(name),)
    return (str(LOGS[name]) if name in LOGS else unpacked(name),)


@functools.lru_cache(maxsize=1)
def tables(name):
    """{(table, arguments): its rows}: every table that has some, about the object that retains most of
    those with few references, and the first goroutine."""
    names = list(harness.forms())
    objects = rows_of(name, "objects", ())
    picked = max(objects or [{}], key=lambda row: (row.get("reachable"), row.get("referrers") or 0))
    address = picked.get("address")
    goroutine = next((str(row["id"]) for row in rows_of(name, "goroutines", ())), None)
    found = {}
    for table in names:
        for arguments in ((), (address,), (goroutine,), ("main",)):
            if None not in arguments and rows_of(name, table, arguments, alone=False):
                found[table, arguments] = rows_of(name, table, arguments)
                break
    assert len(found) > 1, f"only {list(found)} of {names}"
    return found


def rows_of(name, table, arguments, *options, alone=True):
    """The rows, or none where the dump has no such table."""
    dump, *exe = files(name)
    result = run("list", table, dump, *arguments, *exe, "--json", *options, alone=alone)
    return json.loads(result.out or "[]") if result.status == 0 else []


def chosen(name, count, why):
    """Some tables of an input, always the same."""
    chance = random.Random(f"{why} of {name}")
    every = sorted(tables(name))
    for table, arguments in chance.sample(every, min(count, len(every))):
        yield chance, table, arguments, tables(name)[table, arguments]


# ---- Filters


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def condition(chance, rows):
    """Compares a column with what a row has there."""
    for _ in range(100):
        column, value = chance.choice(list(chance.choice(rows).items()))
        if column in ("time", "pause", "waited", "fires_in", "period"):  # written with a unit, as 31 min
            if not isinstance(value, int):
                continue
            value = f"{value} ns"
        if isinstance(value, bool):
            return column
        if isinstance(value, int) and value >= 0 or re.fullmatch("0x[0-9a-f]+|[0-9]+ ns", str(value)):
            return f"{column} {chance.choice(('=', '!=', '<', '<=', '>', '>='))} {value}"
        words = re.findall("[A-Za-z]+", value) if isinstance(value, str) else []
        if words:
            likes = f"{column} {chance.choice(('~', '!~'))} {quoted(chance.choice(words))}"
            return chance.choice((likes, quoted(chance.choice(words)), f"{column} = {quoted(value)}"))
    return '"0"'


def kept(name, table, arguments, where):
    """The rows that a filter leaves, each as a text."""
    dump, *exe = files(name)
    result = run("list", table, dump, *arguments, *exe, "--json", "--where", where, expect=0, alone=False)
    return [json.dumps(row) for row in json.loads(result.out)]


def check_filters(chance, name, table, arguments, rows, pair):
    """What `and`, `or` and `not` make of two conditions follows from what each leaves. Some of these are asked."""
    ask = functools.partial(kept, name, table, arguments)
    a, b = pair
    every, of_a, of_b = [json.dumps(row) for row in rows], ask(a), ask(b)
    in_a, in_b = set(of_a), set(of_b)
    for where, got, kept_rows in ((a, of_a, in_a), (b, of_b, in_b)):
        equal(got, [row for row in every if row in kept_rows], f"{table} {arguments} where {where}")
    right = {
        f"not ({a})": [row for row in every if row not in in_a],
        f"({a}) and ({b})": [row for row in every if row in in_a and row in in_b],
        f"({a}) or ({b})": [row for row in every if row in in_a or row in in_b],
        f"not (({a}) or ({b}))": [row for row in every if row not in in_a and row not in in_b],
        f"not ({a}) or not ({b})": [row for row in every if row not in in_a or row not in in_b],
    }
    for where, wanted in chance.sample(sorted(right.items()), COMBINED):
        equal(ask(where), wanted, f"{table} {arguments} where {where}")
    return 0 < len(of_a) < len(every)


@test(each=INPUTS, builds=["gcc"], most=5)
def filters_part_the_rows(name):
    telling = 0
    for chance, table, arguments, rows in chosen(name, FILTERS, "filters"):
        pair = condition(chance, rows), condition(chance, rows)
        telling += check_filters(chance, name, table, arguments, rows, pair)
    assert telling, "no filter told rows apart"


# ---- Ways to ask


PICKED = 3  # values of a column that are asked for one by one
TREES = "where", "path-tree"  # in SQL with all levels, in list with the topmost unless --depth says otherwise
PAGES = "path", "warnings", "breakdown"  # the explorer shows no list of them


def texts_of(name):
    """(table, its arguments, a column of texts, how many rows have each of them), of every table."""
    for (table, arguments), rows in tables(name).items():
        for column in rows[0]:
            values = [row[column] for row in rows]
            if any(values) and all(value is None or isinstance(value, str) for value in values):
                yield table, arguments, column, collections.Counter(values)


def picked(counts):
    """The most frequent text, and others by chance."""
    texts = [text for text, _ in counts.most_common() if text]
    return dict.fromkeys(texts[:1] + random.Random(str(texts[:1])).sample(texts, min(PICKED - 1, len(texts))))


def of_sql(text):
    return "'" + text.replace("'", "''") + "'"


def statements(name):
    """For each column one GROUP BY, and a WHERE for each picked value; in the order of texts_of."""
    for table, arguments, column, counts in texts_of(name):
        source = '"' + table.replace("-", "_") + '"' + (f"({of_sql(' '.join(arguments))})" if arguments else "")
        top = "depth = 0" if table in TREES else "1"
        yield f'SELECT "{column}" AS k, count(*) AS n FROM {source} WHERE {top} GROUP BY 1'
        for text in picked(counts):
            yield f'SELECT count(*) AS n FROM {source} WHERE {top} AND "{column}" = {of_sql(text)}'


@test(each=INPUTS, builds=["gcc"], most=2)
def how_a_question_is_asked_never_changes_its_answer(name):
    """How many rows of a table have a text: JSON, SQL's GROUP BY and WHERE, an agent's filter and group."""
    dump, *exe = files(name)
    told = iter(queries(list(statements(name)), dump, *exe))
    asked = 0
    with Client(PROGRAM) as client:
        client.call("open", dump=str(dump), texts=True, **({"exe": str(exe[1])} if exe else {}))
        for table, arguments, column, counts in texts_of(name):
            what = f"{column} of {table} {arguments}"
            equal({row["k"]: row["n"] for row in next(told)}, dict(counts), f"GROUP BY {what}")
            of = {"table": table, "max_bytes": 16_000_000, **({"argument": " ".join(arguments)} if arguments else {})}
            for text in picked(counts):
                equal(next(told)[0]["n"], counts[text], f"WHERE {what} = {text!r}")
                rows, notes, bad = client.call("list", **of, where=f"{column} = {quoted(text)}", columns=column)
                assert not bad, (what, text, notes)
                equal(json.loads(rows), [{column: text}] * counts[text], f"where {what} = {text!r}")
            if f"{table}-{column}" in harness.forms():
                continue  # the group is a table of its own, with its own columns
            rows, notes, bad = client.call("list", **of, group=column)
            assert not bad, (what, notes)
            equal({row["value"]: row["count"] for row in json.loads(rows)}, dict(counts), f"group {what}")
            asked += 1
    assert asked > 5, asked


def screens(script, dump, *exe):
    """The screens that each of some command lines of the explorer leads to."""
    commands = [word for line in script for word in ("-e", line)]
    lines = run(dump, *exe, *commands, expect=0).out.splitlines()
    equal(len(lines) % len(script), 0, "lines of all screens")
    height = len(lines) // len(script)
    return ["\n".join(lines[at:at + height]) for at in range(0, len(lines), height)]


@test(each=INPUTS, builds=["gcc"], most=2)
def the_explorers_filter_leaves_as_many_rows(name):
    """The head of a filtered list counts them, as "3 of 14", or "14" where all are left; that of a tree does not."""
    compared = 0
    asked = [(f"{' '.join((table, *arguments))}; filter {column} = {quoted(text)}", counts[text], counts.total())
             for table, arguments, column, counts in texts_of(name) if table not in PAGES for text in picked(counts)]
    for (command, left, whole), screen in zip(asked, screens([command for command, *_ in asked], *files(name))):
        shown = re.search(r" ([\d,]+)(?: of ([\d,]+))? ─+›?─*$", screen, re.M)
        if shown:
            got = [int(number.replace(",", "")) for number in shown.groups(shown[1])]
            equal(got, [left, whole], f"{command} leads to\n{screen}")
            compared += 1
    assert compared > len(asked) // 3, (compared, len(asked))


@test(each=INPUTS, builds=["gcc"], most=2)
def a_column_alone_says_what_it_says_among_others(name):
    """It asks for all that it depends on."""
    dump, *exe = files(name)
    for table, arguments, column, _ in texts_of(name):
        alone = run("list", table, dump, *arguments, *exe, "--json", "--columns", column, "--no-cache", "--limit", ROWS)
        rows = tables(name)[table, arguments][:ROWS]
        equal(json.loads(alone.out), [{column: row[column]} for row in rows], f"{column} of {table} {arguments}")


# ---- Orders


def key_of(values):
    """Nothing first, addresses as numbers, texts by their bytes: a text may look like an address."""
    addresses = all(re.fullmatch("0x[0-9a-f]+", v) for v in values if isinstance(v, str))

    def key(value):
        if isinstance(value, str):
            return (1, int(value, 16)) if addresses else (1, value.encode())
        return (0,) if value is None else (1, value)

    return key


@test(each=INPUTS, builds=["gcc"], most=5)
def an_order_only_moves_rows(name):
    for number, (chance, table, arguments, rows) in enumerate(chosen(name, ORDERS, "orders")):
        column = chance.choice([c for c in rows[0] if not any(isinstance(r[c], list) for r in rows)])
        ask = functools.partial(rows_of, name, table, arguments, "--sort", alone=False)
        up, down = ask(column), ask(f"-{column}")
        for got, reverse in ((up, False), (down, True)):
            what = f"{table} {arguments} sorted by {column}"
            equal(sorted(map(json.dumps, got)), sorted(map(json.dumps, rows)), f"{what}: the rows")
            values = [row[column] for row in got]
            equal(values, sorted(values, key=key_of(values), reverse=reverse), what)
        if number % REVERSED == 0:
            equal(ask(column, "--reverse"), down, f"{table} --sort {column} --reverse")
            equal(ask(f"-{column}", "--reverse"), up, f"{table} --sort -{column} --reverse")


# ---- Formats


def parts_of(text):
    """The cells of a line are apart by two blanks at least; empty ones leave nothing."""
    return [part for part in re.split("  +", text.strip()) if part]


def in_parts(value):
    """What is to be seen of a value of JSON."""
    if value is None or isinstance(value, str):
        return parts_of(value or "")
    return [value] if value != [] else []


SIZES = {"B": 0, "KB": 10, "MB": 20, "GB": 30, "TB": 40, "PB": 50, "EB": 60}
TIMES = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10, "h": 3.6e12, "days": 8.64e13}


def same(cell, value):
    """Is a cell how a person reads a value of JSON?"""
    if isinstance(value, bool):
        return cell == ("yes" if value else "no")
    if isinstance(value, list):
        return cell == " > ".join(value)
    if isinstance(value, (int, float)):
        return same_number(cell, value)
    return cell in (value, f"~{value}")  # where it is a guess


def same_number(cell, value):
    if re.fullmatch(r"-?[\d,]+", cell):
        return int(cell.replace(",", "")) == value
    if cell.startswith("+0x"):
        return int(cell[1:], 16) == value
    if cell.endswith("%"):
        return abs(float(cell[:-1]) - value) < 0.051
    number, unit = re.fullmatch(r"([\d,.]+) (\S+).*", cell).groups()
    step = 1 << SIZES[unit] if unit in SIZES else TIMES[unit]
    # One more digit than is shown, rounded or cut off.
    least = 10.0 ** -len(number.partition(".")[2])
    return abs(float(number.replace(",", "")) - value / step) <= least


def as_csv(value):
    if isinstance(value, bool):
        return {str(value).lower(), "yes" if value else "no"}
    if isinstance(value, list):
        return {"\n".join(value), " > ".join(value), ";".join(value)}
    return {"" if value is None else str(value)}


def unescaped(cell):
    """Without the sign that keeps a spreadsheet from reading a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@") else cell


@test(each=INPUTS, builds=["gcc"], most=5)
def text_csv_and_json_say_the_same(name):
    dump, *exe = files(name)
    turn = list(INPUTS).index(name)
    for number, ((table, arguments), rows) in enumerate(tables(name).items(), turn):
        if name not in WHOLE and number % 2:
            continue
        ask = functools.partial(run, "list", table, dump, *arguments, *exe, "--limit", ROWS, expect=0, alone=False)
        lines = list(csv.reader(io.StringIO(ask("--csv").out)))
        text = ask().out.split("\n")[1:-1]
        rows = rows[:ROWS]
        equal(lines[0], list(rows[0]), f"columns of {table}")
        if number // 2 % LINES == 0:
            each = ask("--jsonl").out.splitlines()
            equal([json.loads(line) for line in each], rows, f"lines of JSON of {table}")
        for row, line, shown in zip(rows, lines[1:], text):
            for (column, value), cell in zip(row.items(), line):
                assert {cell, unescaped(cell)} & as_csv(value), f"{column} of {table} {row} is {cell!r}"
            seen = parts_of(shown)
            wanted = [part for value in row.values() for part in in_parts(value)]
            equal(len(seen), len(wanted), f"cells of {shown!r} in {table} for {row}")
            for part, value in zip(seen, wanted):
                assert same(part, value), f"{value!r} of {table} {row} is {part!r} in {shown!r}"
        equal(len(lines) - 1, len(rows), f"rows of {table} in CSV")
        assert len(text) >= len(rows), f"{len(text)} lines of {table} for {len(rows)} rows"


# ---- Owners


@test(each=DUMPS)
def top_shows_what_retained_shows(name):
    """And `freed`, which takes the roots away and searches anew."""
    dump, *exe = files(name)
    stacks = {row["id"]: row["stack_bytes"] for row in answer("list", "goroutines", dump, *exe)}
    rows = answer("top", dump, *exe, "--limit", "40")
    counted = collections.Counter(row["kind"] for row in rows)
    names = [row["name"] for row in rows if row["kind"] == "global" and exe]
    alone_of = dict(zip(names, answer("retained", dump, *names, *exe), strict=True)) if names else {}
    for row in rows:
        shown = row["owned_bytes"], row["retained_objects"]
        goroutine = re.match(r"goroutine (\d+) ", row["name"])
        if row["name"] in alone_of:
            alone = alone_of[row["name"]]
            freed = alone["retained_bytes"], alone["retained_objects"]
            equal(freed, shown, f"retained {row['name']}")
        elif row["kind"] == "goroutine" and goroutine:
            freed = answer("freed", dump, f"goroutine={goroutine[1]}", *exe)[-1]
            # It owns its runtime.g and a runtime.sudog for each channel that it waits for, too, which the
            # runtime's list of goroutines keeps: 512 and 112 bytes at most. Its stack is freed, but not owned.
            more = shown[0] - freed["freed_bytes"] + stacks[int(goroutine[1])]
            objects = shown[1] - freed["freed_objects"]
            assert objects >= 1 and 0 < more <= 512 + 112 * (objects - 1), (row, freed)
    assert counted["global"] > 3 and (not exe or counted["goroutine"]), counted
    of_runtime = {row["kind"] for row in rows if row["name"].startswith("runtime.")}
    assert of_runtime <= {"runtime"}, f"kinds of variables of the runtime: {of_runtime}"
