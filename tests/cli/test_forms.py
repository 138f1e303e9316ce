"""Forms of tables: a word chooses them, and each answers to its former name, as it did before, in every way to ask."""

import json

from executables import dump_of, exe_of
from harness import ONE, PROGRAM, TESTDATA, answer, equal, queries, run, test
from mcp_client import Client

# The former name, what it is about, and the same as a table with its form
FORMER = [
    ("groups", None, ("goroutines", "--group", "stack")),
    ("creators", None, ("goroutines", "--group", "creator")),
    ("reasons", None, ("goroutines", "--group", "reason")),
    ("top", None, ("owners", "--list")),
    ("root-classes", None, ("owners", "--group", "root")),
    ("owned-set", "owner", ("owners", "--group", "type")),
    ("dominated", "object", ("retained", "--tree")),
    ("owned", "object", ("retained", "--list")),
    ("retained-set", "object", ("retained", "--group", "type")),
    ("sizes", None, ("types", "--group", "size")),
    ("shapes", None, ("types", "--group", "shape")),
    ("packages", None, ("types", "--group", "package")),
    ("holders", "object", ("referrers", "--group", "root")),
    ("merged-paths", "object", ("path", "--tree")),
    ("between", "two", ("path",)),
    ("profile", "profile", ("profiles",)),
    ("samples", None, ("profiles", "--group", "object")),
    ("owner-sites", None, ("profiles", "--group", "owner")),
    ("heaps", None, ("breakdown", "--group", "heap")),
    ("allocators", None, ("breakdown", "--group", "reports")),
    ("memstats", None, ("info",)),
    ("pauses", None, ("info", "--group", "pause")),
    ("defers", None, ("stack", "--group", "defer")),
    ("panics", None, ("stack", "--group", "panic")),
]
DUMPS = {
    ONE: lambda: (dump_of(ONE), "--exe", exe_of(ONE)),
    "V8": lambda: (TESTDATA / "v8/registry.heapsnapshot",),
    ".NET": lambda: (TESTDATA / "netcf/two_domains.gclog",),
    "Chromium": lambda: (TESTDATA / "chromium/odd.json",),
    "Chromium's allocators": lambda: (TESTDATA / "chromium/allocators.json",),
}
ANSWER = {ONE: 21, "V8": 9, ".NET": 8, "Chromium": 1, "Chromium's allocators": 1}  # former names that have rows, at least


def first(table, dump, column, **more):
    rows = json.loads(run("list", table, *dump, "--json", "--limit", "1", *more.get("options", ())).out or "[]")
    return str(rows[0][column]) if rows else None


def subjects(dump):
    """What tables may be about: an object that retains something, an owner, two objects, a profile."""
    held = first("objects", dump, "address", options=("--where", "references > 0"))
    return {
        None: [],
        "object": [held] if held else None,
        "owner": [name] if (name := first("owners", dump, "name")) else None,
        "two": [held, first("references", (dump[0], held, *dump[1:]), "target")] if held else None,
        "profile": [id] if (id := first("profiles", dump, "id")) else None,
    }


def same(asked, expected, what):
    equal((asked.status, asked.out), (expected.status, expected.out), what)
    return asked.status == 0 and asked.out not in ("", "[]\n")


@test(each=DUMPS, builds=["gcc"])
def former_names_answer_as_their_forms(name):
    dump, rows = DUMPS[name](), 0
    about = subjects(dump)
    for former, of, (table, *options) in FORMER:
        words = about[of]
        if words is None:
            continue
        old = run("list", former, dump[0], *words, *dump[1:], "--json")
        rows += same(run("list", table, dump[0], *words, *dump[1:], *options, "--json"), old, former)
        if options[:1] == ["--group"]:
            by = (*words, "by", options[1])
            same(run("list", table, dump[0], *by, *dump[1:], "--json"), old, f"{former}: {table} {by}")
    assert rows >= ANSWER[name], rows


def sql_name(former, of, form):
    """The name of a form in SQL: that of the table, then the word."""
    table, *options = form
    words = {"owned-set": "owners_set", "retained-set": "retained_set", "between": "path_between",
             "profile": "profiles_stack"}
    return words.get(former) or "_".join([table, *(option.strip("-") for option in options if option != "--group")])


@test(each=DUMPS, builds=["gcc"])
def former_names_answer_in_sql(name):
    dump = DUMPS[name]()
    about = subjects(dump)
    for former, of, form in FORMER:
        if about[of] is None:
            continue
        argument = "('" + " ".join(about[of]).replace("'", "''") + "')" if about[of] else ""
        old, new = (run("sql", dump[0], f'SELECT * FROM "{table}"{argument}', *dump[1:], "--json")
                    for table in (former.replace("-", "_"), sql_name(former, of, form)))
        same(new, old, former)


@test
def former_names_answer_in_assertions_views_and_the_explorer():
    dump = DUMPS[ONE]()
    for former, form in (("groups", "goroutines-stack"), ("packages", "types-package"), ("sizes", "types-size")):
        old, new = (run("check", *dump, "--assert", f"{name}() >= 1", "--json", expect=0) for name in (former, form))
        equal([row["value"] for row in json.loads(new.out)], [row["value"] for row in json.loads(old.out)], former)
    for former, form in (("groups", "goroutines by stack"), ("groups", "goroutines; group stack"), ("packages", "types by package"),
                         ("memstats", "info"), ("shapes", "types-shape"), ("owned-set main.gBlob", "owners main.gBlob")):
        old, new = (run(*dump, "--fresh", "-e", f"{line}", expect=0).out for line in (former, form))
        equal(new.splitlines()[2:-1], old.splitlines()[2:-1], form)


@test
def former_names_answer_agents():
    with Client(PROGRAM) as client:
        client.call("open", dump=dump_of(ONE), exe=exe_of(ONE), texts=True)
        for former, table, more in (("groups", "goroutines", {"group": "stack"}), ("packages", "types", {"group": "package"}),
                                    ("dominated", "retained-tree", {}), ("dominated", "retained", {"argument": " by tree"})):
            words = first("objects", (dump_of(ONE),), "address") if former == "dominated" else ""
            old = client.call("list", table=former, argument=words)
            new = client.call("list", **{"table": table, **more, "argument": words + more.get("argument", "")})
            equal(new, old, former)


@test
def former_names_are_told_nowhere():
    words = {former for former, _, _ in FORMER if "-" in former} | {"groups", "memstats"}
    listed = set(json.loads(run("schema", "--all", expect=0).out)["$defs"])
    assert not words & listed, words & listed
    for shell in ("bash", "fish", "zsh"):
        script = run("completion", shell, expect=0).out
        for word in words - {"retained-set", "groups", "memstats"}:
            assert word not in script, (shell, word)
    told = run("help", "list", "--all", expect=0).out + run("manual", expect=0).out + run("skill", expect=0).out
    for word in words - {"retained-set", "groups", "memstats"}:
        assert word not in told, word


@test
def a_graph_of_dominators_is_dot_as_a_tree():
    dump, *exe = DUMPS[ONE]()
    address = first("objects", (dump,), "address", options=("--where", "references > 0"))
    old, new, named = (run("export", dump, address, *exe, "--format", *form, expect=0).out
                       for form in (("dot-dominators",), ("dot", "--tree"), ("dot-tree",)))
    equal((new, named), (old, old), "the graph")
    assert "dot-" not in run("help", "export", expect=0).out
    refused = run("export", dump, "--format", "hprof", "--tree", expect=2)
    assert "with --tree; there are dot" in refused.err, refused


@test
def retained_bytes_are_the_retained_size():
    """Of an owner that is one object or variable: what the table retained says; what it owns is owned_bytes."""
    dump, asked = DUMPS[ONE](), 0
    for row in answer("list", "owners", *dump, "--depth", "2"):
        if row["address"] and row["retained_bytes"] is not None and asked < 20:
            equal(row["retained_bytes"], answer("list", "retained", dump[0], row["address"], *dump[1:])[0]["retained_bytes"],
                  row["name"])
            asked += 1
    assert asked > 3, asked
    every = answer("list", "owners", *dump, "--retain", "all")
    equal([row["owned_bytes"] for row in every], [row["retained_bytes"] for row in every], "of all paths")


@test
def what_is_no_form_says_which_there_are():
    dump = DUMPS[ONE]()
    result = run("list", "goroutines", *dump, "--tree", expect=2)
    assert "--group stack" in result.err, result
    equal(answer("list", "owners", *dump, "--tree"), answer("list", "owners", *dump), "a table that is a tree")
    run("list", "owners", *dump, "--tree", "--list", expect=2)
    by_column = answer("list", "goroutines", *dump, "--group", "status")
    assert {"value", "count"} <= set(by_column[0]), by_column
    equal(queries(["SELECT count(*) AS n FROM goroutines_stack"], *dump)[0][0]["n"],
          len(answer("list", "goroutines", *dump, "--group", "stack")), "SQL")
