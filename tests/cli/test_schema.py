"""goheapx schema: JSON Schema of what list prints with --json, which a validator that is not ours reads."""

import json

from core_files import HERE, core
from harness import ONE, ROOT, TESTDATA, Skip, answer, equal, forms, run, test, unpacked

KNOWN = ROOT / "tests" / "cli" / "schema.txt"
EACH = {
    ONE: lambda: unpacked(ONE),
    "a core": lambda: core(HERE[0]),
    "a GC log": lambda: TESTDATA / "netcf/two_domains.gclog",
    "a heap of Chromium": lambda: TESTDATA / "chromium/odd.json",
    "a heap of V8": lambda: TESTDATA / "v8/registry.heapsnapshot",
}
TABLES = {ONE: 40, "a core": 40, "a GC log": 8, "a heap of Chromium": 2, "a heap of V8": 10}  # that have rows


def validator(about):
    try:
        import jsonschema
    except ImportError:
        raise Skip("there is no validator of JSON Schema, package python3-jsonschema has one") from None
    jsonschema.Draft202012Validator.check_schema(about)
    return jsonschema.Draft202012Validator(about)


def schema(*table):
    return json.loads(run("schema", *table, expect=0).out)


def told(table, rows):
    """One line about a table: its columns and their types."""
    columns = (f"{name} {column.get('type', ['any'])[0]}" for name, column in rows["items"]["properties"].items())
    return f"{table}: {', '.join(columns)}"


@test
def a_column_is_removed_in_another_version_only():
    version, *known = KNOWN.read_text(encoding="utf-8").splitlines()
    now = {told(table, rows) for table, rows in forms().items()}
    equal((schema()["version"], now), (version, set(known)),
          f"{KNOWN.name} has the columns of a version: write down new ones, raise the version for what was removed")


@test
def a_table_of_its_own():
    every = json.loads(run("schema", "--all", expect=0).out)["$defs"]
    for table, rows in every.items():
        equal({**rows, "$schema": "https://json-schema.org/draft/2020-12/schema"}, schema(table), table)
    rare = {"records", "segments", "descriptors", "itabs", "warnings", "domains", "slots", "spans"}
    equal(set(every) - set(schema()["$defs"]), rare, "tables that only --all has")
    assert len(every) - len(rare) <= 46, sorted(every)
    equal(schema("goroutines-stack")["items"], forms()["goroutines-stack"]["items"], "a form by its name")
    result = run("schema", "typs")
    equal((result.status, result.out), (2, ""), result)
    assert "typ" in result.err and "types" in result.err, result


@test(each=EACH, builds=["gcc"])
def rows_are_valid(name):
    """Of every table: without an argument, or about the first object, goroutine or type."""
    path, tried = EACH[name](), 0
    things = [[]] + [[str(row[key])] for table, key in (("objects", "address"), ("goroutines", "id"), ("types", "type"))
                     for row in json.loads(run("list", table, path, "--json", "--limit", "1").out or "[]")]
    for table, about in forms().items():
        answers = (run("list", table, path, *thing, "--json", "--limit", "300") for thing in things)
        rows = next((json.loads(result.out) for result in answers if result.status != 2), [])
        validator(about).validate(rows)
        tried += bool(rows)
    assert tried > TABLES[name], tried


@test(builds=["gcc"])
def columns_that_are_named_are_valid():
    path = unpacked(ONE)
    for table in ("objects", "types", "goroutines", "where", "spans", "types-package"):
        about = forms()[table]
        named = ",".join(about["items"]["properties"])
        rows = answer("list", table, path, "--columns", named, "--limit", "20")
        equal(list(rows[0]), named.split(","), table)
        validator({**about, "items": {**about["items"], "required": []}}).validate(rows)


@test
def a_wrong_row_is_not_valid():
    check, row = validator(forms()["types"]), answer("list", "types", unpacked(ONE), "--limit", "1")[0]
    assert check.is_valid([row]), row
    for wrong in ({**row, "count": "7"}, {**row, "new": 1}, {k: v for k, v in row.items() if k != "bytes"}):
        assert not check.is_valid([wrong]), wrong
