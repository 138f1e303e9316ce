"""Objects by variables, goroutines and paths: what the programs say of themselves."""

from executables import dump_of, exe_of
from harness import ONE, answer, equal, real_files, run, stored, test, truth

# Expressions as the source of the program has them, and what its truth calls the objects.
SMALL_OBJECTS = {
    "main.gDeep": "deep1",
    "main.gDeep.Items[1]": "deep2",
    'main.gDeep.Items[1].ByName["k"]': "deep3",
    'main.gDeep.Items[1].ByName["k"].F.needle': "needle",
    'main.gDeep.Items[1].ByName["k"].F.needle.Self': "needle",
    "main.gBigPtrs": "bigptrs",
    "main.gCache": "map_cache",
}


def object_at(expression, *where):
    return answer("show", where[0], expression, *where[1:])["address"]


@test
def expressions_lead_where_the_program_says():
    where = dump_of(ONE), "--exe", exe_of(ONE)
    objects = truth(ONE)["Objects"]
    for expression, name in SMALL_OBJECTS.items():
        equal(object_at(expression, *where), objects[name]["addr"], expression)
    session = truth(ONE)["CacheSessions"][17]
    for written in ('main.gCache["session-0017"]', "main.gCache[session-0017]"):
        equal(object_at(written, *where), session, written)


@test(builds=["gcc"])
def every_place_takes_an_expression():
    dump, exe = dump_of(ONE), exe_of(ONE)
    expression, other = "main.gDeep.Items[1]", 'main.gDeep.Items[1].ByName["k"].F.needle'
    address = truth(ONE)["Objects"]["deep2"]["addr"]
    needle = truth(ONE)["Objects"]["needle"]["addr"]
    for command in ("show", "path", "why", "retained"):
        by_name = run(command, dump, expression, "--exe", exe, "--json", expect=0).out
        equal(by_name, run(command, dump, address, "--exe", exe, "--json").out, command)
    for table in ("fields", "holders", "references", "referrers", "dominated", "path", "merged"):
        by_name = run("list", table, dump, expression, "--exe", exe, "--json", expect=0).out
        equal(by_name, run("list", table, dump, address, "--exe", exe, "--json").out, table)
    between = [row["address"] for row in answer("list", "between", dump, expression, other,
                                                "--exe", exe)]
    equal((between[0], between[-1]), (address, needle), "ends of the path between two")
    cuts = answer("freed", dump, expression, address, f"{expression}>{expression}.ByName",
                  "goroutine 30", "goroutine=30", "main.gDeep", "--exe", exe)
    equal(cuts[0]["alone_bytes"], cuts[1]["alone_bytes"], "what goes with the object")
    equal(cuts[3]["alone_bytes"], cuts[4]["alone_bytes"], "what goes with the goroutine")
    equal(len(cuts), 6, "cuts")
    several = answer("retained", dump, expression, address, "goroutine 30", "main.gDeep", "--exe",
                     exe)
    equal(len(several), 4, "what is retained by four")


@test(builds=["gcc"])
def a_group_is_all_of_its_goroutines():
    dump = dump_of("go1.26.10-server")
    group = next(row for row in answer("list", "groups", dump) if row["count"] > 1)["group"]
    ids = [row["id"] for row in answer("list", "goroutines", dump, f"group={group}")]
    one_by_one = answer("freed", dump, *(f"goroutine={id}" for id in ids))
    freed = answer("freed", dump, f"group={group}")[0]
    equal(freed["freed_bytes"], one_by_one[-1]["freed_bytes"], "bytes")
    equal(freed["freed_objects"], one_by_one[-1]["freed_objects"], "objects")
    assert freed["freed_objects"] > 0, "nothing hangs on them"
    below = answer("list", "dominated", dump, f"group={group}")
    # What they retain, in the tree and one by one, with their stacks.
    equal(sum(row["retained_bytes"] for row in below), sum(row["alone_bytes"] for row in one_by_one), "bytes below")


@test(builds=["gcc"])
def goto_and_object_say_which_object_it_is():
    dump, exe = dump_of(ONE), exe_of(ONE)
    address = truth(ONE)["Objects"]["deep2"]["addr"]
    shown = run(dump, "--exe", exe, "-e", "goto main.gDeep.Items[1]", expect=0).out
    assert f"main.gDeep.Items[1] is main.Deep2 {address}." in shown, shown
    shown = run(dump, "--exe", exe, "-e", 'object main.gCache["session-0017"]', expect=0).out
    assert f'object {truth(ONE)["CacheSessions"][17]} = main.gCache["session-0017"]' in shown, shown
    assert "goroutine 30" in run(dump, "--exe", exe, "-e", "goto goroutine 30", expect=0).out


# By the source of these programs; holders as their truth has them.
REAL_OBJECTS = {
    "raftkv-go1.19": {
        "main.cluster.Nodes[0]": "node n1",
        "main.cluster.Nodes[0].Raft": "raft n1",
        "main.cluster.Nodes[0].FSM": "fsm n1",
    },
    "webmetrics-go1.23": {
        "main.gw.Router": "router",
        "main.gw.Metrics": "metrics",
        "main.gw.Metrics.Reg": "registry",
        "main.gw.Metrics.Requests": "requests counter vec",
        "main.gw.Metrics.Requests.MetricVec.metricMap": "its metric map",
        "main.gw.Metrics.Requests.metricMap.metrics": "its map of children",
        "main.gw.Server": "http server",
        "main.gw.Server.activeConn": "its connections",
        "main.gw.Back": "backend",
        "main.gw.Back.Client": "backend client",
        "main.gw.Back.Client.Transport": "backend transport",
    },
}


def executable(name):
    return str(stored(f"real/{name}.exe"))


@test(each=list(REAL_OBJECTS), builds=["gcc"])
def expressions_of_real_programs(name):
    path, known = real_files(name)
    blocks = {named["name"]: named["block"] for named in known["named"]}
    rows = answer("retained", path, *REAL_OBJECTS[name], "--exe", executable(name))
    for row, (text, named) in zip(rows, REAL_OBJECTS[name].items(), strict=True):
        equal(row["address"], blocks[named], text)


@test(builds=["gcc"])
def show_says_that_a_variable_is_static():
    """runtime.forcegc is a mutex of a word, a *g, and whether that sleeps."""
    where = dump_of(ONE), "--exe", exe_of(ONE)
    root, = answer("list", "roots", where[0], "runtime.forcegc", *where[1:])
    start = hex(int(root["address"], 16) - 8)
    shown = answer("show", where[0], "runtime.forcegc", *where[1:])
    equal([shown["address"], shown["name"]], [start, "runtime.forcegc"], "the value")
    assert root["object"] in [field["object"] for field in shown["fields"]], shown["fields"]
    text = run("show", where[0], "runtime.forcegc", *where[1:], expect=0).out
    assert "outside of the heap" in text, text
    for direct in ("main.gDeep", truth(ONE)["Objects"]["deep2"]["addr"]):
        equal(answer("show", where[0], direct, *where[1:])["through"], None, direct)


@test(builds=["gcc"])
def a_variable_that_points_to_static_memory():
    path, known = real_files("raftkv-go1.19")
    where = "--exe", executable("raftkv-go1.19")
    cluster = next(named for named in known["named"] if named["name"] == "cluster")
    roots = answer("list", "roots", path, "main.cluster", *where)
    start = int(cluster["addr"], 16)
    assert roots and all(
        start <= int(root["address"], 16) < start + cluster["size_of_pointee"] for root in roots
    ), roots
    nodes = roots[0]["object"]
    shown = answer("show", path, "main.cluster", *where)
    equal(shown["address"], cluster["addr"], "the value")
    equal([field["object"] for field in shown["fields"] if field["object"]], [nodes], "its only pointer")
    freed = answer("freed", path, "main.cluster", *where)[0]
    equal(freed["alone_bytes"], answer("freed", path, nodes, *where)[0]["alone_bytes"], "freed")
    below = answer("list", "dominated", path, "main.cluster", "--parts", *where)
    equal(below[0]["address"], nodes, "dominated by it")
    below = answer("list", "dominated", path, "main.cluster", *where)
    count = sum(named["type"] == "*main.Node" for named in known["named"])
    equal([(row["type"], row["count"]) for row in below], [("main.Node", count)], "as the program says it")
