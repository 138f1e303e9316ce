"""Who owns the memory, against taking things away from the graph that the oracle has read."""

import bisect
import collections
import itertools
import json
import re

from executables import dump_of, exe_of, truth_of
from harness import (
    DUMPS, ONE, answer, equal, graph_of, oracle, queries, real_files, run, stored, test, truth, unpacked,
)

EXE = ["go1.24.4-small", "go1.24.4-small-pie", "go1.27.3-small"]


def owners(name, *exe):
    return answer("list", "owners", dump_of(name), *exe)


def lost_without(graph, words):
    """(bytes, objects) that become unreachable when the pointers at some addresses are taken away."""
    return graph.lost(roots=[root for root in graph.roots if root.address not in words])


def words_of(name, variable, exe):
    """Where the pointers in a global variable are."""
    words = {int(row["address"], 16) for row in answer("list", "roots", dump_of(name), variable, *exe)}
    assert words, f"{variable} has no pointers"
    return words


@test(each=DUMPS)
def owners_share_out_all_that_is_reachable(name):
    info, rows = answer("info", unpacked(name)), owners(name)
    equal(sum(row["owned_bytes"] for row in rows), info["reachable_bytes"], "bytes")
    equal(sum(row["retained_objects"] for row in rows), info["reachable_objects"], "objects")
    sizes = [row["owned_bytes"] for row in rows]
    equal(sizes, sorted(sizes, reverse=True), "the order")


@test(each=DUMPS, builds=["gcc"])
def objects_have_the_owner_that_counts_them(name):
    """A row of the owners is a set of its own, shared or not; so are the groups of objects by owner."""
    groups = answer("list", "objects", dump_of(name), "--group", "owner")
    own = {(row["bytes"], row["count"]): row["value"] for row in groups if row["value"]}
    rows = [row for row in owners(name) if row["owned_bytes"]]
    sizes = collections.Counter((row["owned_bytes"], row["retained_objects"]) for row in rows)
    equal(sum(row["bytes"] for row in groups if row["value"]), sum(row["owned_bytes"] for row in rows), "bytes")
    equal(sum(row["count"] for row in groups if row["value"]), sum(row["retained_objects"] for row in rows), "objects")
    single = [row for row in rows if row["kind"] == "global"]
    for row in single:
        size = row["owned_bytes"], row["retained_objects"]
        if sizes[size] == 1:
            equal(own.get(size), row["name"], f"the owner of {size}")


@test(each=EXE, builds=["gcc"])
def queries_group_by_owner_and_package(name):
    lines = run("sql", dump_of(name), exe_of(name), "SELECT package, sum(size) FROM objects GROUP BY 1", "--json", expect=0)
    packages = answer("list", "packages", dump_of(name), "--exe", exe_of(name))
    by_sql = {row["package"]: row["sum(size)"] for row in json.loads(lines.out)}
    equal(by_sql, {row["package"]: row["bytes"] for row in packages}, "bytes of packages")
    found = answer("list", "objects", dump_of(name), "--exe", exe_of(name), "--where", 'owner = "main.gTree"')
    wanted = answer("list", "objects", dump_of(name), "retained=main.gTree", "--exe", exe_of(name))
    equal(found, wanted, "what main.gTree owns")


@test(each=EXE)
def what_a_map_and_a_list_hold_goes_with_both(name):
    exe, graph = ("--exe", exe_of(name)), oracle(name)
    rows = owners(name, *exe)
    shared = [row for row in rows if row["name"] == "main.gCache[*], shared with main.gCacheLast"]
    equal(len(shared), 1, "rows of sessions")
    equal(shared[0]["kind"], "shared", "kind")
    equal(shared[0]["type"], "main.Session", "type")
    alone = {row["name"]: row for row in rows if row["name"] in ("main.gCache", "main.gCacheLast")}
    both = set()
    for variable, row in alone.items():
        words = words_of(name, variable, exe)
        both |= words
        lost = lost_without(graph, words)
        equal((row["owned_bytes"], row["retained_objects"]), lost, f"lost with {variable}")
        assert row["shared_bytes"] >= shared[0]["owned_bytes"], f"shared by {variable}"
    lost, _ = lost_without(graph, both)
    equal(shared[0]["together_bytes"], lost, "lost with both")
    kept = sum(row["owned_bytes"] for row in alone.values()) + shared[0]["owned_bytes"]
    equal(lost, kept, "the parts of that")


@test(each=EXE)
def equals_are_one_row_in_each_field(name):
    exe = ("--exe", exe_of(name))
    known = truth(name)
    rows = answer("list", "owned", dump_of(name), "main.gTree", *exe)
    equal(len(rows), 1, "what the tree's variable holds")
    top = rows[0]["address"]
    below = answer("list", "dominated", dump_of(name), top, *exe)
    nodes = [row for row in below if row["type"] == "main.TreeNode"]
    equal({row["name"].split()[0] for row in nodes}, {".Left", ".Right"}, "its two branches")
    for row in nodes:
        field = "main.gTree" + row["name"].split()[0]
        equal(answer("show", dump_of(name), field, *exe)["address"], row["address"], field)
    equal(sum(row["retained_objects"] for row in below), rows[0]["retained_objects"] - 1, "objects")
    both = answer("list", "owned", dump_of(name), top, "like=" + known["TreeAddrs"][1], *exe)
    bytes_of = sum(row["retained_bytes"] for row in nodes)
    equal(sum(row["retained_bytes"] for row in both), bytes_of, "their bytes")


@test(each=DUMPS)
def what_goes_with_some_goroutines(name):
    graph, dump = oracle(name), unpacked(name)
    index = {goroutine.id: i for i, goroutine in enumerate(graph.dump.goroutines)}
    for table, word, column in (
        ("groups", "group", "group"),
        ("creators", "creator", "name"),
        ("reasons", "reason", "name"),
    ):
        rows = answer("list", table, dump)
        equal(sum(row["count"] for row in rows), len(index), f"goroutines in {table}")
        for row in sorted(rows, key=lambda row: -row["retained_bytes"])[:6]:
            some = answer("list", "goroutines", dump, f"{word}={row[column]}")
            equal(len(some), row["count"], f"{word}={row[column]}")
            gone = {index[goroutine["id"]] for goroutine in some}
            kept = [root for root in graph.roots if root.goroutine not in gone]
            lost, _ = graph.lost(roots=kept)
            equal(row["retained_bytes"], lost, f"lost with {word}={row[column]}")


@test(each=[f"{name} {table}" for name in EXE for table in ("types", "packages")])
def types_retain_no_byte_twice(named):
    name, table = named.split()
    column, words = table[:-1], ("--exe", exe_of(name)) + ("--parts",) * (table == "types")
    groups = answer("list", table, dump_of(name), *words)
    objects = answer("list", "objects", dump_of(name), *words, "--columns", f"address,{column}")
    group_of = {row["address"]: bare(row[column]) for row in objects}
    rows = answer("list", "dominators", dump_of(name), *words)
    dominator = {row["address"]: row["dominator"] for row in rows}
    sums = {}
    for row in rows:
        group, above = group_of[row["address"]], row["dominator"]
        while above and group_of[above] != group:
            above = dominator[above]
        if not above:
            sums[group] = sums.get(group, 0) + row["retained_bytes"]
    for row in groups:
        if row[column] != "(not known)":
            equal(row["retained_bytes"], sums.get(row[column], 0), row[column])


def bare(kind):
    """As the table of types has it: without how many there are in a row."""
    return re.sub(r"^(~?)\[\d+\]", r"\1[n]", kind or "")


@test(builds=["gcc"])
def top_is_the_beginning_of_the_owners():
    dump, exe = dump_of(ONE), ("--exe", exe_of(ONE))
    rows = owners(ONE, *exe)
    for top, limit in ((answer("top", dump, *exe), 20), (answer("top", dump, exe_of(ONE)), 20),
                       (answer("top", dump, *exe, "--limit", "3"), 3)):
        wanted = ("name", "type", "owned_bytes", "share")
        equal(
            [[row[name] for name in wanted] for row in top],
            [[row[name] for name in wanted] for row in rows[:limit]],
            "rows",
        )
    text = run("top", dump, *exe, "--limit", "2").out.splitlines()
    equal(len(text), 3, "lines")
    assert "main.gCache[*], shared with main.gCacheLast" in text[2], text[2]


@test(each=["go1.24.4-small"])
def what_retains_nothing_else_says_so(name):
    known = truth(name)
    last = known["CacheBufs"][0]
    result = run("list", "dominated", unpacked(name), last)
    assert "It retains only itself" in result.err, result.err
    equal(result.out, "", "rows")


@test(builds=["gcc"])
def wrong_words_are_told():
    dump = unpacked(ONE)
    for words, part in (
        (("dominated", "main.nothing"), "no address"),
        (("dominated", "goroutine 99999"), "no goroutine"),
        (("dominated", "@999999999"), "names nothing"),
        (("owned", "holding=999999"), "is not an owner"),
        (("owned", "holding=0", "like=zz"), "no address"),
    ):
        result = run("list", words[0], dump, *words[1:])
        assert result.status in (1, 2) and part in result.err, (words, result.err)


@test(each=EXE, builds=["gcc"])
def rows_say_how_they_hang_on_the_row_above(name):
    """Parts of maps are no rows; the topmost ones are what they are with them."""
    exe = ("--exe", exe_of(name))
    whole, parts = (
        answer("list", "owners", dump_of(name), *exe, "--depth", "3", *option)
        for option in ([], ["--parts"])
    )
    words = r" \((header|table|group|bucket)\)$"
    equal([row["name"] for row in whole if re.search(words, row["type"] or "")], [], "rows of parts")
    assert any(re.search(words, row["type"] or "") for row in parts)
    equal([row["owned_bytes"] for row in whole if row["depth"] == 0],
          [row["owned_bytes"] for row in parts if row["depth"] == 0], "bytes of the topmost")
    tags = [row["name"] for row in whole if row["name"].startswith(".Tags")]
    equal(collections.Counter(tags), {".Tags  map[string]string  1 entry": 250}, "maps of sessions")


@test(each=EXE, builds=["gcc"])
def groups_hang_where_each_of_them_does(name):
    """The place of a group is told by classes of steps, that of its members one by one by the path."""
    rows = answer("list", "owners", dump_of(name), "--exe", exe_of(name), "--depth", "4")
    named = 0
    for at, row in enumerate(rows):
        place = re.match(r"(.*?)  [\d,]+ × ", row["name"])
        below = itertools.takewhile(lambda other: other["depth"] > row["depth"], rows[at + 1:])
        if row["kind"] != "group" or not place:
            continue
        if place[1].startswith("main.gCache"):
            continue  # in rows of a group with several owners objects have no row above them
        for other in below:
            if other["depth"] == row["depth"] + 1 and other["kind"] == "object" and "  " in other["name"]:
                step = re.sub(r'\[("(\\.|[^"\\])*"|[^]"]*)*\]', "[*]", other["name"].split("  ")[0])
                step = step.replace(" key [*]", "[*] key")
                step = step.replace(".children[*].v", "[*]")  # an entry of a trie, which has a field of its own
                equal(step, place[1], f"where {other['address']} hangs")
                named += 1
    assert named > 1000, named


@test(builds=["gcc"])
def what_owns_but_retains_nothing_says_so():
    name = "webmetrics-go1.23"
    path, exe = real_files(name)[0], stored(f"real/{name}.exe")
    rows = answer("list", "owners", path, "--exe", exe)
    owned = next(row["owned_bytes"] for row in rows if row["name"] == "main.gw")
    assert owned > 1 << 20, owned
    told = run("list", "dominated", path, "main.gw", "--exe", exe, expect=0)
    assert f"With retain strong it owns {owned / (1 << 20):.1f} MB" in told.out + told.err, told


@test(builds=["gcc"])
def a_pool_is_called_by_its_variable():
    rows = answer("list", "owners", unpacked(ONE), "--exe", exe_of(ONE))
    pools = [row for row in rows if row["kind"] == "pool"]
    assert "fmt.ppFree" in {row["name"] for row in pools}, pools  # print.go
    equal([row["name"] for row in pools if "sync.Pool" in row["name"]], [], "pools without a name")


@test(each=["main.gTree", "main.gCache", "goroutine 29", "main.gSizePtrs"])
def a_check_measures_what_is_owned(owner):
    rows = answer("list", "owners", dump_of(ONE), "--exe", exe_of(ONE))
    own = sum(row["owned_bytes"] for row in rows if row["kind"] != "shared"
              and re.match(rf"([\d,]+ × )?{re.escape(owner)}([.\[, ]|$)", row["name"]))
    for relation, status in ((f"= {own}", 0), (f"> {own}", 1)):
        run("check", dump_of(ONE), "--exe", exe_of(ONE), "--assert", f"owned({owner}) {relation}", expect=status)


@test
def what_is_no_owner_is_an_error():
    told = run("check", dump_of(ONE), "--exe", exe_of(ONE), "--assert", "owned(main.nonsense) < 1", expect=2).err
    assert "main.nonsense" in told, told
    told = run("check", dump_of(ONE), "--exe", exe_of(ONE), "--assert", "owned(main.gTree of mine) < 1", expect=2).err
    assert "is left over" in told, told


@test(each=["samples", "collections", "timers", "finalizers", "pinned"], builds=["gcc"])
def rows_of_other_tables_have_the_owner_of_their_object(table):
    """As objects have it: {address: owner}."""
    files = dump_of("go1.27-corner"), "--exe", exe_of("go1.27-corner")
    owner_of = {row["address"]: row["owner"] for row in answer("list", "objects", *files, "--columns", "address,owner")}
    address = {"samples": "object", "finalizers": "object"}.get(table, "address")
    rows = answer("list", table, *files, "--columns", f"{address},owner")
    known = [row for row in rows if row[address] in owner_of]
    assert known or table == "timers", rows[:3]
    equal([(row[address], row["owner"]) for row in known], [(row[address], owner_of[row[address]]) for row in known], table)


def owned_most(rows, key, objects):
    """Checks the owner and its share of each row; objects: (row's key, owner, bytes)."""
    whole, owned = collections.Counter(), collections.defaultdict(collections.Counter)
    for of, owner, size in objects:
        whole[of] += size
        if owner:
            owned[of][owner] += size
    for row in rows:
        of = owned[row[key]]
        if not of:
            equal((row["owner"], row["owner_share"]), (None, None), f"owner of {row[key]}")
            continue
        equal(of[row["owner"]], max(of.values()), f"bytes of {row[key]} that {row['owner']} owns")
        assert abs(row["owner_share"] - 100 * of[row["owner"]] / whole[row[key]]) < 0.1, (row, whole[row[key]])


@test(each=[f"{name} {column}" for name in (ONE, "go1.27-corner") for column in ("type", "package")])
def types_and_packages_have_the_owner_of_most_bytes(named):
    name, column = named.split()
    rows, objects, some = queries((
        f"SELECT {column}, owner, owner_share FROM {column}s",
        f"SELECT {column}, owner, sum(size) AS bytes FROM objects GROUP BY 1, 2",
        "SELECT type, owner, owner_share FROM types WHERE argument = 'main'",
    ), dump_of(name), "--exe", exe_of(name))
    owned_most(rows, column, [tuple(row.values()) for row in objects])
    if column == "type":
        equal(some, [row for row in rows if row in some], "those of package main")
        assert some


@test(each=[ONE, "go1.27-corner"])
def spans_have_the_owner_of_most_bytes(name):
    rows, objects = queries(("SELECT address, bytes, owner, owner_share FROM spans",
                             "SELECT address, owner, size FROM objects"), dump_of(name), "--exe", exe_of(name))
    starts = sorted(int(row["address"], 16) for row in rows)
    span_of = [f"{starts[bisect.bisect(starts, int(row['address'], 16)) - 1]:#x}" for row in objects]
    owned_most(rows, "address", [(span, row["owner"], row["size"]) for span, row in zip(span_of, objects)])


@test(each=["go1.24.4-small", "go1.27-drift-3"])
def duplicates_have_the_owner_of_most_copies(name):
    """Where as many objects as the row counts have these contents, and zeros behind them."""
    graph, files = graph_of(dump_of(name)), (dump_of(name), "--exe", exe_of(name))
    rows = answer("list", "duplicates", *files, "--columns", "address,count,owner,owner_share")
    owner_of = {row["address"]: row["owner"] for row in answer("list", "objects", *files, "--columns", "address,owner")}
    alike, sure, members = collections.defaultdict(list), [], []
    for id in graph.distance:
        obj = graph.dump.objects[id]
        if not graph.references[id]:
            alike[bytes(obj.data[obj.header:]).rstrip(b"\0")].append((f"{graph.dump.address(id):#x}", obj.size))
    of = {address: group for group in alike.values() for address, _ in group}
    for row in rows:
        group = of[row["address"]]
        if len(group) == row["count"]:
            sure.append(row)
            members += [(row["address"], owner_of[address], size) for address, size in group]
    assert len(sure) > len(rows) / 3, (len(sure), len(rows))
    owned_most(sure, "address", members)


@test
def a_registry_is_named_after_the_program_s_object():
    """Package flag keeps a value of the program, which keeps a hundred tenants: 93 % of all that flag keeps."""
    told, files = truth_of("go1.24-holders"), (dump_of("go1.24-holders"), "--exe", exe_of("go1.24-holders"))
    name = f"~main.settings {told['settings']} by flag.CommandLine"
    rows = answer("list", "owners", *files)
    equal([row["name"] for row in rows if "flag.CommandLine" in row["name"]], [name], "the owner")
    assert not [row["name"] for row in rows if row["name"].startswith("main.") and " by main." in row["name"]], rows
    tenants = answer("list", "objects", *files, "type=main.tenant", "--columns", "address,owner")
    equal({row["owner"] for row in tenants}, {name}, "owners of tenants")
    equal(len(tenants), told["tenants"], "tenants")
    for owner in ("flag.CommandLine", f"main.settings {told['settings']}", f"~main.settings {told['settings']}"):
        owned = {row["address"] for row in answer("list", "objects", *files, f"owned={owner}")}
        assert owned >= {row["address"] for row in tenants}, owner
