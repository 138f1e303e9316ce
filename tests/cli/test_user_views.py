"""Tables that the user declares in the file `views` of the config folder: wherever tables are, and what is wrong."""

import json
import os
import pathlib
import tempfile

from executables import files
from harness import ONE, equal, run, stored, test, unpacked

VIEWS = """\
# mine
view big-types: types
  by package
  show sum bytes, most largest, rows, retained, delta bytes, owner
  where bytes > 1000\r

view huge: objects
show address, size, type
where size > 10k
sort size

view kinds-of-huge: huge
by type
show rows, bytes, share size, delta rows
"""


def viewed(content, *words, expect=None, **more):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/goheapx")
        file = pathlib.Path(folder, "goheapx", "views")
        if content is None:
            file.mkdir()
        else:
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return run(*words, expect=expect, environment={"XDG_CONFIG_HOME": folder}, **more)


def rows(*words, content=VIEWS):
    return json.loads(viewed(content, *words, "--json", expect=0).out)


def listed(*words):
    return json.loads(run("list", *words, "--json", expect=0).out)


def by_package(exe):
    """The view big-types, added up here."""
    classes = {}
    for row in listed("types", *exe, "--columns", "package,bytes,largest", "--where", "bytes > 1000"):
        classes.setdefault(row["package"], []).append(row)
    return {package: (sum(row["bytes"] for row in of), max(row["largest"] for row in of), len(of))
            for package, of in classes.items()}


@test
def classes_in_list_sql_and_the_explorer():
    exe = files(ONE)
    told = rows("list", "big-types", *exe)
    equal({row["package"]: (row["bytes"], row["largest"], row["count"]) for row in told}, by_package(exe), "list")
    equal([row["bytes"] for row in told], sorted((row["bytes"] for row in told), reverse=True), "the first number sorts")
    equal({row["bytes_delta"] for row in told}, {None}, "no earlier dump")
    words = "package, bytes, largest, count, retained_bytes, owner"
    asked = rows("sql", exe[0], f"SELECT {words} FROM big_types", *exe[1:])
    equal({row["package"]: row for row in asked},
          {row["package"]: {name: row[name] for name in words.split(", ")} for row in
           rows("list", "big-types", *exe, "--columns", words.replace(" ", ""))}, "SQL")
    screen = viewed(VIEWS, *exe, "-e", "big-types", expect=0).out
    assert "types, by package where bytes > 1000" in screen and "(built in)" in screen, screen
    screen = viewed(VIEWS, *exe, "-e", "big-types; search runtime", "-e", "keys Enter", expect=0).out
    assert 'package = "runtime" and (bytes > 1000)' in screen, screen


@test
def classes_retain_and_have_owners_as_the_same_rows_of_packages():
    """Of all types, without a filter, they are what the table packages says."""
    content = "view mine: types\nby package\nshow sum count, sum bytes, most largest, share bytes, retained, owner"
    names = "package,count,bytes,largest,share,retained_bytes,owner"
    mine = rows("list", "mine", *files(ONE), "--columns", names, "--sort", "package", content=content)
    equal(mine, listed("packages", *files(ONE), "--columns", names, "--sort", "package"), "packages")


@test
def views_of_rows_and_of_views():
    path = unpacked(ONE)
    huge = listed("objects", path, "--columns", "address,size,type", "--where", "size > 10k", "--sort", "-size")
    equal(rows("list", "huge", path), huge, "the same rows as with --where")
    sizes = {}
    for row in huge:
        sizes.setdefault(row["type"], []).append(row["size"])
    told = rows("list", "kinds-of-huge", path)
    equal({row["type"]: (row["count"], row["bytes"]) for row in told},
          {name: (len(of), sum(of)) for name, of in sizes.items()}, "by type")
    equal(run("show", path, huge[0]["address"], expect=0).out,
          viewed(VIEWS, "show", path, rows("list", "huge", path)[0]["address"], expect=0).out, "an object of a view")
    screen = viewed(VIEWS, path, "-e", "huge", "-e", "keys Enter", expect=0).out
    assert huge[0]["address"] in screen, screen


@test
def growth_since_an_earlier_dump():
    new, old = unpacked("series/go1.27-drift-3"), unpacked("series/go1.27-drift-1")
    content = "view mine: samples\nby function\nshow rows, sum estimated_bytes, delta rows, delta estimated_bytes"
    before = {row["function"]: row for row in rows("list", "mine", old, content=content)}
    told = rows("list", "mine", new, "--since", old, content=content)
    for row in told:
        was = before.get(row["function"], {"count": 0, "estimated_bytes": 0})
        equal((row["count_delta"], row["estimated_bytes_delta"]),
              (row["count"] - was["count"], row["estimated_bytes"] - was["estimated_bytes"]), row["function"])
    assert any(row["count_delta"] for row in told), told


@test
def schema_help_completion_and_agents_know_them():
    about = json.loads(viewed(VIEWS, "schema", "big-types", expect=0).out)
    equal(list(about["items"]["properties"]), ["package", "bytes", "largest", "count", "retained_bytes",
                                               "bytes_delta", "owner"], "schema")
    for words in (("help", "list"), ("completion", "bash"), ("completion", "zsh"), ("completion", "fish")):
        assert "big-types" in viewed(VIEWS, *words, expect=0).out, words
    assert "huge, by type" in viewed(VIEWS, unpacked(ONE), "-e", "kinds-of-h", expect=0).out, "an abbreviated name"
    with tempfile.TemporaryFile("w+") as asked:
        for number, method in enumerate(("initialize", "tools/list")):
            asked.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": {}}) + "\n")
        asked.seek(0)
        assert '"big-types"' in viewed(VIEWS, "mcp", stdin=asked).out, "the tool list"


# What is wrong, the line it is told of, and what is said.
WRONG = {
    "a name that exists": ("view types: objects\nby type\nshow rows", 1, "The name types is taken"),
    "a subcommand": ("view list: objects\nby type\nshow rows", 1, "The name list is taken"),
    "a command of the explorer": ("view quit: objects\nby type\nshow rows", 1, "The name quit is taken"),
    "two of one name": ("view a: types\nby type\nshow rows\nview a: types", 4, "taken by the view of line 1"),
    "a hostile name": ("view \x1b[31m: types\nby type\nshow rows", 1, "up to 32 small letters"),
    "a long name": (f"view {'a' * 33}: types", 1, "up to 32 small letters"),
    "no table": ("view a", 1, "a colon and a table"),
    "an unknown table": ("view a: tpyes\nby type\nshow rows", 1, 'There is no table "tpyes"'),
    "a hostile table": ("view a: \x1b[2J\nby type\nshow rows", 1, "There is no table"),
    "an argument too much": ("view a: sizes 5\nby size\nshow rows", 1, "types-size takes no argument"),
    "an argument too little": ("view a: fields\nby name\nshow rows", 1, "Say of what"),
    "columns of no table": ("view a: grouped type of objects\nby value\nshow rows", 1, "depend on its argument"),
    "an unknown column": ("view a: types\nby tpye\nshow rows", 2, 'has no column "tpye"'),
    "a hostile column": ("view a: types\nby \x1b[31m\nshow rows", 2, "has no column"),
    "an unknown measure": ("view a: types\n\nby type\nshow median bytes", 4, '"median bytes" is none of: rows,'),
    "a measure of nothing": ("view a: types\nby type\nshow sum", 3, '"sum" is none of'),
    "a sum of texts": ("view a: objects\nby size\nshow sum type", 3, "no numbers that can be added up"),
    "retained bytes of no objects": ("view a: warnings\nby offset\nshow retained", 3, "not about objects"),
    "bytes of rows of many objects": ("view a: types\nby package\nshow bytes", 3, "not about objects"),
    "the growth of nothing": ("view a: types\nby type\nshow delta bytes, sum bytes", 3, "is shown before it"),
    "twice the same": ("view a: types\nby type\nshow rows, rows, rows", 3, "twice"),
    "an unknown relation": ("view a: types\nby type\nshow rows\nwhere bytes >> 5", 4, "In the filter"),
    "an unknown column of a filter": ("view a: types\nby type\nshow rows\nwhere byte > 5", 4, "byte"),
    "an unknown order": ("view a: types\nby type\nshow rows\nsort bytes", 4, 'no column "bytes"'),
    "a view of itself": ("view a: a\nby type\nshow rows", 1, "The view a is made of itself"),
    "a cycle": ("view a: b\nby type\nshow rows\nview b: c\nby type\nshow rows\nview c: a\nby type\nshow rows", 7,
                "The view a is made of itself"),
    "nothing to show": ("view a: types\nby type", 1, 'no line "show"'),
    "a line that is none": ("view a: types\nby type\nshow rows\ngroup by x", 4, "A line begins with view"),
    "a line of no view": ("by type\nview a: types", 1, "A view begins with its name"),
    "two filters": ("view a: types\nby type\nwhere bytes > 1\nwhere bytes > 2\nshow rows", 4, 'two lines "where"'),
}


@test(each=list(WRONG))
def what_is_wrong_is_told_and_the_rest_works(name):
    content, line, message = WRONG[name]
    good = f"{content}\nview good: types\nby package\nshow rows\n"
    result = viewed(good, "list", "good", unpacked(ONE), "--json", expect=0)
    assert json.loads(result.out), result
    told = [text for text in result.err.splitlines() if f"/goheapx/views, line {line}: " in text]
    assert told and message in told[0] and "\x1b" not in result.err, result.err
    assert result.err.count("/goheapx/views, line") <= 3, result.err


@test
def a_file_that_cannot_be_read():
    for content, message in ((None, "not a regular file"), (b"view a: types\0\n", "byte 0"), (b"#" * 70000, "too long")):
        result = viewed(content, "list", "types", unpacked(ONE), "--limit", "1", expect=0)
        assert message in result.err, result.err
    many = "".join(f"view v{i}: types\nby package\nshow rows\n" for i in range(40))
    result = viewed(many, "list", "v31", unpacked(ONE), expect=0)
    assert "line 97: There are too many views: 32 at most" in result.err, result.err


@test
def a_dump_without_the_parts():
    """A view of goroutines of a GC log: as the table itself, it is told."""
    log = stored("netcf/two_domains.gclog")
    content = "view mine: goroutines\nby status\nshow rows"
    result, own = viewed(content, "list", "mine", log), run("list", "goroutines", log)
    equal((result.status, result.out), (own.status, own.out), result)
