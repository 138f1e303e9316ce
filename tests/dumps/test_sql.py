"""Queries of SQL, against the tables that they ask and against the reader in tests/oracle."""

import functools
import json
import random
import re
import sqlite3
import tempfile
from collections import Counter

from executables import dump_of, exe_of
from harness import DUMPS, ONE, SMALL, TESTDATA, UNPACKED, answer, equal, oracle, queries, run, test, unpack, unpacked


def sql(name, query, *options):
    return answer("sql", unpacked(name), query, *options)


@test(each=SMALL)
def sums_are_those_of_the_reader(name):
    graph = oracle(name)
    sizes = [obj.size for obj in graph.dump.objects]
    row = sql(name, "SELECT count(*) AS n, sum(size) AS bytes, max(size) AS most FROM objects")[0]
    equal((row["n"], row["bytes"], row["most"]), (len(sizes), sum(sizes), max(sizes)), "objects")
    row = sql(name, "SELECT sum(size) AS bytes FROM objects WHERE reachable")[0]
    equal(row["bytes"], graph.reachable_bytes(), "reachable bytes")
    rows = sql(name, "SELECT size, count(*) AS n FROM objects GROUP BY size")
    equal({row["size"]: row["n"] for row in rows}, Counter(sizes), "objects by size")


@test(each=["type", "type_known", "owner", "type, reachable", "type COLLATE NOCASE"])
def groups_of_shared_texts_are_those_of_sqlite(columns):
    """Rows that come sorted by a column are grouped as SQLite sorts them itself: '+' forbids the first."""
    def ask(query):
        return answer("sql", dump_of(ONE), query, "--exe", exe_of(ONE))

    sums = f"SELECT {columns}, count(*) AS n, sum(size) AS bytes, min(address) AS first FROM objects"
    own, sorts = (ask(f"{sums} GROUP BY {sign}{columns}") for sign in ("", "+"))
    equal(own, sorts, columns)
    equal(len(own) > 1, True, f"groups by {columns}")
    own, sorts = (ask(f"SELECT count(DISTINCT {sign}{columns.partition(',')[0]}) AS n FROM objects WHERE size > 32")
                  for sign in ("", "+"))
    equal(own, sorts, "distinct")


AGGREGATES = [
    "SELECT type, count(*), sum(size) FROM objects GROUP BY type",
    "SELECT type, size, count(*), max(size), min(size) FROM objects GROUP BY type, size",
    "SELECT type, count(*) AS n FROM objects GROUP BY type ORDER BY type DESC",
    "SELECT type, sum(size) bytes, avg(size) FROM objects WHERE reachable GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5",
    "SELECT type_known, type, total(size), sum(size) / count(*) FROM objects GROUP BY type, type_known HAVING count(*) > 3",
    "SELECT DISTINCT type, size FROM objects WHERE size > 32",
    "SELECT count(DISTINCT type), count(type), count(*), count(retained_bytes), sum(retained_bytes) FROM objects",
    "SELECT count(*), sum(size), avg(size), total(size) FROM objects WHERE type = 'nothing'",
    "SELECT type, max(size), size FROM objects GROUP BY type",
    "SELECT upper(type) AS name, 100.0 * sum(size) / count(*) FROM objects GROUP BY name ORDER BY count(*) DESC, name",
    "SELECT type, size, address FROM objects ORDER BY type DESC LIMIT 50",
    "SELECT type, address FROM objects ORDER BY type",
    "SELECT min(type), max(type), max(size) FROM objects WHERE size < 64",
    "SELECT max(size), min(retained_bytes), max(retained_bytes) FROM objects",
    "SELECT address, size FROM objects ORDER BY size DESC LIMIT 7",
    "SELECT address, size FROM objects ORDER BY size LIMIT 5 OFFSET 30",
    "SELECT address, size FROM objects WHERE size < 1000 ORDER BY size DESC LIMIT 4",
    "SELECT address, retained_bytes FROM objects ORDER BY retained_bytes LIMIT 6",
    "SELECT address, retained_bytes FROM objects ORDER BY retained_bytes DESC LIMIT -1 OFFSET 2",
    "SELECT address, size FROM objects ORDER BY size DESC, address LIMIT 9",
    "SELECT address FROM objects ORDER BY size LIMIT 0",
    "SELECT o.address, (SELECT p.address FROM objects p WHERE p.size < o.size ORDER BY p.size DESC LIMIT 1) AS less "
    "FROM objects o WHERE o.size > 500 LIMIT 20",
    "SELECT count(*) FROM objects WHERE type IS NULL OR retained_bytes IS NULL",
]


@functools.cache
def copied(name):
    """The table objects in a database of Python's SQLite."""
    rows = answer("list", "objects", dump_of(name), *(("--exe", exe_of(name)) if name == ONE else ()))
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE objects (" + ", ".join(f'"{column}"' for column in rows[0]) + ")")
    database.executemany(f"INSERT INTO objects VALUES ({', '.join('?' * len(rows[0]))})",
                         [list(row.values()) for row in rows])
    return database


@test(each=AGGREGATES)
def what_is_counted_and_added_is_that_of_sqlite(query):
    """Equal rows are read once; Python's SQLite reads each of them."""
    for name in (ONE, SMALL[0]):
        got = answer("sql", dump_of(name), query, *(("--exe", exe_of(name)) if name == ONE else ()))
        asked = copied(name).execute(query)
        heads = [column[0] for column in asked.description]
        want = [dict(zip(heads, row)) for row in asked]
        for row in want:  # as they are printed
            row.update({head: float(f"{value:.6g}") for head, value in row.items() if isinstance(value, float)})
        equal(got, want, f"{name}: {query}")


@test
def equal_rows_are_read_once():
    rows = answer("sql", dump_of(ONE), 'SELECT type, "equal rows" AS n FROM objects', "--exe", exe_of(ONE))
    listed, read = Counter(row["type"] for row in answer("list", "objects", dump_of(ONE), "--exe", exe_of(ONE))), Counter()
    for row in rows:
        read[row["type"]] += row["n"]
    equal(read, listed, "objects by type")
    assert len(rows) < sum(listed.values()) / 4, len(rows)


@test(each=SMALL, builds=["gcc"])
def joins_follow_references(name):
    graph = oracle(name)
    pointing = Counter(target for row in graph.references for _, target in row)
    most = sorted(pointing, key=lambda target: (-pointing[target], target))[:5]
    for index in most:
        address = f"{graph.dump.address(index):#x}"
        rows = sql(name, "SELECT r.address AS holder FROM objects o, referrers(o.address) r "
                         f"WHERE o.address = '{address}'")
        right = {f"{graph.dump.address(holder):#x}" for holder, _ in graph.referrers[index]}
        equal({row["holder"] for row in rows}, right, f"what points at {address}")
    inside = f"{graph.dump.address(most[0]) + 1:#x}"
    equal(sql(name, f"SELECT * FROM objects WHERE address = '{inside}'"), [], "no object begins there")


@test(each=[*SMALL, "v8"], builds=["gcc"])
def references_of_all_are_those_of_each(name):
    file = TESTDATA / "v8" / "registry.heapsnapshot" if name == "v8" else unpacked(name)
    each = answer("sql", file, 'SELECT o.address AS object, r.* FROM objects o, "references"(o.address) r')
    equal(answer("sql", file, """SELECT object, r.* FROM "references"('all') r"""), each, "all")
    equal(len(each) > 10, True, f"{len(each)} references")
    for row in (7, len(each) - 1, 3, 4, 0):  # not in their order
        got = answer("sql", file, f"""SELECT object, r.* FROM "references"('all') r WHERE rowid = {row}""")
        equal(got, [each[row]], f"row {row}")
    got = answer("list", "references", file, "all", "--columns", "object,address", "--sort", "object")
    equal(sorted((row["object"], row["address"]) for row in got),
          sorted((row["object"], row["address"]) for row in each), "sorted")


@test
def what_stands_in_parentheses_is_the_argument():
    listed = answer("list", "objects", unpacked(ONE), "unreachable")
    equal(sql(ONE, "SELECT * FROM objects('unreachable')"), listed, "unreachable objects")
    equal(len(listed) > 0, True, "there are some")


@test(each=["types", "goroutines", "roots", "owners", "segments", "frames", "finalizers"])
def a_table_is_what_list_prints(table):
    argument = ["1"] if table == "frames" else []
    rows = answer("list", table, dump_of(ONE), *argument, "--exe", exe_of(ONE))
    of = f'"{table}"' + (f"('{argument[0]}')" if argument else "")
    got = answer("sql", dump_of(ONE), f"SELECT * FROM {of}", "--exe", exe_of(ONE))
    plain = [{key: int(value) if isinstance(value, bool) else value for key, value in row.items()
              if isinstance(value, (int, str))} for row in rows]
    got = [{key: value for key, value in row.items() if isinstance(value, (int, str)) and key != "share"}
           for row in got]  # shares are not rounded
    by_text = functools.partial(json.dumps, sort_keys=True)
    equal(sorted(got, key=by_text), sorted(plain, key=by_text), "rows")


@test(each=["where", "path_tree"], builds=["gcc"])
def trees_are_unfolded(table):
    rows = answer("list", table.replace("_", "-"), dump_of(ONE), "--depth", "100000")
    got = answer("sql", dump_of(ONE), f'SELECT depth, name, bytes FROM "{table}"')
    equal([(row["depth"], row["name"], row["bytes"]) for row in got],
          [(row["depth"], row["name"], row["bytes"]) for row in rows], "rows")


@test
def a_type_is_looked_up():
    exe = ("--exe", exe_of(ONE))
    rows = answer("sql", dump_of(ONE), "SELECT * FROM objects WHERE type = 'main.Session'", *exe)
    equal(len(rows), 250, "sessions")


SAMPLES = [*DUMPS, "go1.19-corner", "go1.27-corner", "go1.22.12-plumbing", "go1.26-coroutines", "v8/registry.heapsnapshot",
           *(f"netcf/{path.name}" for path in sorted((TESTDATA / "netcf").glob("*.gclog"))),
           "core/go1.24-queued.core", "core/go1.26-park-stripped-quiet.core"]


def sample(name):
    """A file of testdata, and the executable where it is one of those that have one there."""
    if not name.endswith(".core"):
        return [TESTDATA / name] if "/" in name else [dump_of(name)]
    exe = name.removesuffix(".core") + ".exe"
    return [unpack(TESTDATA / f"{file}.xz", UNPACKED / file) for file in (name, exe)]


@test(each=SAMPLES, builds=["gcc"])
def a_condition_holds_where_the_cell_does(name):
    """For each type, source of a type and address: the rows of WHERE are those whose cell is that text, as
    GROUP BY, HAVING, JSON and filters count them."""
    files = sample(name)
    listed = answer("list", "objects", *files)
    for column in ("type", "type_known", "address"):
        cells = Counter(row[column] for row in listed if row[column] is not None)
        texts = sorted(cells)[:: len(cells) // 250 + 1]
        counts = ["SELECT count(*) AS n, min(rowid) AS first FROM objects WHERE {column} = {text}".format(
            column=column, text=quoted(text)) for text in texts]
        having = f"SELECT {column} AS text, count(*) AS n FROM objects GROUP BY 1 HAVING count(*) > 0"
        told = queries([*(" UNION ALL ".join(counts[first:first + 250]) for first in range(0, len(counts), 250)), having], *files)
        *found, groups = told
        found = [row for rows in found for row in rows]
        equal({text: row["n"] for text, row in zip(texts, found, strict=True)}, {text: cells[text] for text in texts}, column)
        equal({row["text"]: row["n"] for row in groups if row["text"] is not None}, cells, f"groups by {column}")
        places = {}
        for number, row in enumerate(listed):
            places.setdefault(row[column], number)
        equal({text: row["first"] for text, row in zip(texts, found, strict=True)}, {text: places[text] for text in texts},
              f"the first row of each {column}")
    most = [text for text, _ in Counter(row["type"] for row in listed if row["type"] and '"' not in row["type"]).most_common(3)]
    for text in most:
        got = answer("list", "objects", *files, "--where", f'type="{text}"')
        want = [row["address"] for row in listed if row["type"] == text]
        equal([row["address"] for row in got], want, f"filter {text}")


@test
def conditions_are_joined_as_in_any_table():
    """Rows that two conditions find are told apart by their numbers; texts are compared as the query says."""
    exe = ("--exe", exe_of(ONE))
    either = "(type = 'main.Session' AND size > 5) OR (type = 'string data' AND size > 10) OR address = '{}'"
    address = answer("sql", dump_of(ONE), "SELECT max(address) AS a FROM objects WHERE type = 'main.Session'", *exe)[0]["a"]
    either = either.format(address)
    for condition, plain in ((either, either.replace("type", "+type").replace("address", "+address")),
                             ("type = 'MAIN.SESSION' COLLATE NOCASE", "type = 'main.Session'"),
                             (f"address = '{address.upper()} ' COLLATE RTRIM", "0"),
                             (f"address = '{address} ' COLLATE RTRIM", f"address = '{address}'"),
                             ("type IN ('main.Session', 'string data')", "+type IN ('main.Session', 'string data')")):
        got, want = (answer("sql", dump_of(ONE), f"SELECT address FROM objects WHERE {where} ORDER BY 1", *exe)
                     for where in (condition, plain))
        equal(got, want, condition)
        equal(len(got) > 0, plain != "0", condition)
    joined = answer("sql", dump_of(ONE), "SELECT t.type, count(*) AS n FROM types t, objects o WHERE o.type = t.type GROUP BY 1", *exe)
    cells = Counter(row["type"] for row in answer("list", "objects", dump_of(ONE), *exe))
    equal({row["type"]: row["n"] for row in joined}, {row["type"]: cells[row["type"]] for row in joined}, "types and objects")
    equal(len(joined) > 50, True, f"{len(joined)} types")


@test
def what_is_looked_up_is_not_searched_for():
    address = answer("list", "objects", dump_of(ONE), "--limit", "1")[0]["address"]
    for condition, way in ((f"address = '{address}'", "address"), ("type = 'main.Session'", "column"),
                           ("rowid = 7", "rowid"), ("argument = 'size=64'", "argument")):
        plan = sql(ONE, f"EXPLAIN QUERY PLAN SELECT * FROM objects WHERE {condition}")
        assert plan[0]["detail"].endswith(f":{way}"), plan
    for row in (0, 7, 100):
        want = sql(ONE, f"SELECT address FROM objects LIMIT 1 OFFSET {row}")
        equal(sql(ONE, f"SELECT address FROM objects WHERE rowid = {row}"), want, "row")
    for condition in ("rowid = -1", "rowid = 1e12", "rowid = 7.5", "rowid = NULL"):
        equal(sql(ONE, f"SELECT address FROM objects WHERE {condition}"), [], condition)


def shell(text, *options, expect=0):
    with tempfile.TemporaryFile("w+") as file:
        file.write(text)
        file.seek(0)
        return run("sql", unpacked(ONE), *options, stdin=file, expect=expect)


@test
def statements_are_read_from_a_pipe():
    text = ".mode csv\n/* one; */ select 1 as a; select ';' as b -- ;\n, 2 as c;\n\nselect 3 as d"
    equal(shell(text).out, "a\r\n1\r\nb,c\r\n;,2\r\nd\r\n3\r\n", "answers")
    equal(json.loads(shell("select 1 as a;", "--json").out), [{"a": 1}], "answer")
    equal(shell("\n;;\n-- nothing\n").out, "", "answer to nothing")
    count = sql(ONE, "SELECT count(*) AS n FROM types")[0]["n"]
    equal(shell(".mode csv\nselect count(*) n from types;").out, f"n\r\n{count}\r\n", "types")


@test
def what_is_wrong_in_a_pipe_is_shown_with_its_line():
    result = shell("select 1;\n\nselect\n  sise from objects;\nselect 2;", expect=2)
    assert "Statement of line 3: no such column: sise, at line 2, character 3: sise" in result.err, result
    assert "2" not in result.out, result
    for text, said in ((".tabels", "perhaps .tables is meant"), (".mode xml", "table, csv or json"),
                       (".schema nothing", "no table"), ("drop table types;", "not authorized"),
                       ("select 'open", "unrecognized token")):
        result = shell(text, expect=2)
        assert "line 1: " in result.err and said in result.err, result


@test
def the_schema_is_that_of_the_tables():
    listed = answer("sql", unpacked(ONE), "SELECT * FROM objects LIMIT 1")
    schema = shell(".schema objects").out
    for column in listed[0]:
        assert f'\n  "{column}" ' in schema, (column, schema)
    tables = shell(".tables").out
    for table in ("objects", "what_if", "where", "goroutines"):
        assert f"\n  {table} " in "\n" + tables, tables
    assert "\n  sql " not in tables, tables
    everything = set(re.findall(r'CREATE TABLE "(\w+)"', shell(".schema").out))
    rare = {"records", "segments", "descriptors", "itabs", "warnings", "domains", "slots", "spans"}
    equal(everything - rare, {line.split()[0] for line in tables.split("\n") if line[2:3].strip()}, "tables")
    assert rare <= everything, everything


def examples():
    """The queries of the manual: what stands behind each question."""
    text = run("manual").out
    text = text[text.index("Questions and their queries:"):]
    for item in text[:text.index(".El")].split(".It ")[1:]:
        query = item[item.index("SELECT"):].replace("\n", " ")
        yield query.replace("\\(dq", '"').replace("\\&", "").replace("\\e", "\\")


@test
def the_queries_of_the_manual_answer():
    found = list(examples())
    equal(len(found), 10, "queries")
    for query in found:
        rows = answer("sql", dump_of(ONE), query, "--exe", exe_of(ONE))
        assert rows, query


@test
def what_is_wrong_is_said_and_nothing_is_written():
    for query, said in (
        ("SELECT * FROM objekts", "no such table: objekts"),
        ("SELECT sise FROM objects", "no such column: sise"),
        ("SELECT * FROM objects WHERE", "incomplete input"),
        ("SELECT * FRUM objects", "at character 10: FRUM objects"),
        ("", "Say of what"), (";", "empty"),
        ("SELECT 1; SELECT 2", "more than one query"),
        ("ATTACH 'file' AS other", "not authorized"),
        ("PRAGMA user_version", "not authorized"),
        ("CREATE TABLE t (a)", "not authorized"),
        ("DELETE FROM objects", "may not be modified"),
        ("SELECT * FROM referrers", "needs its argument"),
        ("SELECT * FROM referrers('main.nothing')", ""),
        ("SELECT load_extension('x')", "not authorized"),
        ("SELECT writefile('x', 'y')", "no such function"),
        ("SELECT replace(hex(zeroblob(15000000)), '0', 'ab')", "too big"),  # no call takes long
    ):
        result = run("sql", unpacked(ONE), query, expect=None)
        assert result.status in (0, 2) and said in result.err, (query, result)


@test
def numbers_of_all_kinds_are_printed():
    query = "SELECT -5 AS minus, 1.5 AS half, NULL AS none, 'a' || char(27) AS text, 1 = 1 AS yes"
    equal(sql(ONE, query), [{"minus": -5, "half": 1.5, "none": None, "text": "a\\x1b", "yes": 1}],
          "values")


@test(builds=["gcc"])
def options_hold_for_all_queries():
    """Queries that are read are answered with parts, and with earlier dumps, as those of the command line."""
    dump, exe = dump_of(ONE), ("--exe", exe_of(ONE))
    query, rows = "SELECT path.address FROM objects o, path(o.address) WHERE o.type = 'string data' LIMIT 500", []
    for parts in ((), ("--parts",)):
        rows.append(queries([query], dump, *exe, *parts)[0])
        equal(rows[-1], answer("sql", dump, query, *exe, *parts), f"paths {parts}")
    first = answer("sql", dump, query.replace("path.address", "o.address AS address"), *exe)[0]["address"]
    steps = [row["address"] for row in answer("list", "path", dump, first, *exe, "--parts")]
    equal([row["address"] for row in rows[1][:len(steps)]], steps, "the first of them")
    assert len(rows[1]) == 500 and rows[0] != rows[1], rows
    drift, drift_exe = [dump_of(f"go1.19-drift-{number}") for number in "13"], exe_of("go1.19-drift-1")
    query = "SELECT type, count_delta FROM types WHERE count_delta"
    asked = queries([query], drift[1], "--exe", drift_exe, "--since", drift[0])[0]
    equal(asked, answer("sql", drift[1], query, "--exe", drift_exe, "--since", drift[0]), "growth")
    assert asked, "nothing has grown"


def some_text(chance):
    """A few characters, some of which mean something in a pattern, so that much repeats."""
    alphabet = chance.choice(["ab", "aB%_", "ab*?[]^-", "aé€😀", "ab'\\", "A\u0131\u00c0"])
    return "".join(chance.choice(alphabet) for _ in range(chance.randrange(9)))


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


@test(builds=["gcc", "sanitize"])
def functions_are_those_of_sqlite():
    """Those that are our own answer as those of SQLite, of which Python has one."""
    chance, calls = random.Random(31), ["instr(x'0102', x'02')", "instr(123, 2)", "replace(NULL, 'a', 'b')",
                                        "replace('abc', '', NULL)", "'x' LIKE CAST(x'c0a5' AS TEXT)",
                                        "char(65533) LIKE CAST(x'c3' AS TEXT)", "trim(CAST(x'00' AS TEXT), CAST(x'00' AS TEXT))",
                                        "trim(NULL)", "'a' LIKE NULL", "replace('', '', 'x')", "trim('  a ')"]
    for _ in range(1500):
        a, b, c = (quoted(some_text(chance)) for _ in range(3))
        escape = quoted(chance.choice("\\%_aé"))
        calls.append(chance.choice([
            f"instr({a}, {b})", f"replace({a}, {b}, {c})", f"trim({a}, {b})", f"ltrim({a}, {b})", f"rtrim({a}, {b})",
            f"{a} LIKE {b}", f"{a} LIKE {b}", f"{a} LIKE {b} ESCAPE {escape}", f"{a} GLOB {b}", f"{a} GLOB {b}",
            f"instr(CAST({a} AS BLOB), CAST({b} AS BLOB))", f"{a} LIKE '%' || {b} || '%'", f"ltrim({a})"]))
    right = sqlite3.connect(":memory:")
    for first in range(0, len(calls), 400):
        part = calls[first:first + 400]
        query = "WITH t(a) AS (VALUES " + ", ".join(f"(hex({call}))" for call in part) + ") SELECT a FROM t"
        got = [row["a"] for row in answer("sql", dump_of(ONE), query)]
        for call, mine, row in zip(part, got, right.execute(query), strict=True):
            equal(mine, row[0], call)
    run("sql", dump_of(ONE), "SELECT 'a' LIKE 'a' ESCAPE 'bc'", expect=2)
    run("sql", dump_of(ONE), "SELECT json_patch('{}', '{}')", expect=2)
    most = run("sql", dump_of(ONE), "SELECT replace(hex(zeroblob(100000)), '0', hex(zeroblob(1000)))", expect=2)
    assert "too big" in most.err, most


@test(builds=["gcc"])
def long_texts_take_one_pass():
    """Each of these would compare every place of one text with half of it."""
    long, half = "hex(zeroblob(12000000))", "hex(zeroblob(6000000))"
    for call, right in ((f"instr({long}, {half} || '1')", 0), (f"length(replace({long}, {half} || '1', ''))", 24000000),
                        (f"length(trim({long}, replace({half}, '0', 'ab') || '1'))", 24000000),
                        (f"length(CAST(rtrim(replace({half}, '00', CAST(x'80' AS TEXT)), CAST(x'80' AS TEXT)) AS BLOB))", 0),
                        (f"{long} LIKE '%0%0%0%0%0%0%1'", 0)):
        equal(answer("sql", dump_of(ONE), f"SELECT {call} AS a"), [{"a": right}], call)
