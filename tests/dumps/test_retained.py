"""Retained sizes against the reader in tests/oracle: what becomes unreachable without an object, without
a goroutine, without a set of objects; and combinations of sets."""

import random
import re

from executables import dump_of, exe_of, graph_with_exe
from harness import DUMPS, ONE, answer, equal, oracle, run, test, unpacked

OBJECTS, GOROUTINES = 30, 12  # of each dump; the unit tests look at more objects


@test(each=DUMPS, builds=["gcc"])
def what_goes_with_an_object(name):
    graph = oracle(name)
    alive = sorted(graph.distance)
    picked = random.Random(name).sample(alive, min(OBJECTS, len(alive)))
    addresses = [f"{graph.dump.address(index):#x}" for index in picked]
    rows = answer("retained", unpacked(name), *addresses)
    equal([row["address"] for row in rows], addresses, "addresses")
    for index, row in zip(picked, rows):
        got = row["retained_bytes"], row["retained_objects"]
        equal(got, graph.lost(index), f"retained by {row['address']}")


@test(each=DUMPS, builds=["gcc"])
def what_goes_with_a_goroutine(name):
    graph = oracle(name)
    rows = answer("list", "goroutines", unpacked(name))
    most = sorted(rows, key=lambda row: -row["retained_bytes"])[:GOROUTINES]
    index = {goroutine.id: i for i, goroutine in enumerate(graph.dump.goroutines)}
    for row in most:
        others = [root for root in graph.roots if root.goroutine != index[row["id"]]]
        equal(row["retained_bytes"], graph.lost(roots=others)[0], f"goroutine {row['id']}")


@test(each=DUMPS)
def dominators_of_all_objects(name):
    graph = oracle(name)
    rows = answer("list", "dominators", unpacked(name))
    equal(len(rows), len(graph.distance), "rows")
    total = graph.reachable_bytes()
    children = {}
    for row in rows:
        children.setdefault(row["dominator"], []).append(row["retained_bytes"])
    for row in rows:
        below = sum(children.get(row["address"], []))
        equal(row["retained_bytes"], row["size"] + below, f"children of {row['address']}")
    equal(sum(children[None]), total, "what no single object dominates")


def objects(name, *selection, expect=0):
    return {row["address"]: row["size"] for row in answer("list", "objects", unpacked(name), *selection, expect=expect)}


@test(each=DUMPS, builds=["gcc"])
def the_set_that_goes_with_objects(name):
    """The same objects, not only as many bytes: without one, two, and all of one slot size."""
    graph = oracle(name)
    alive = sorted(graph.distance)
    picked = random.Random(name).sample(alive, 2)
    size = graph.dump.objects[picked[0]].size
    addresses = [f"{graph.dump.address(index):#x}" for index in picked]
    of_size = [i for i, obj in enumerate(graph.dump.objects) if obj.size == size]
    for without, holders in (picked[:1], addresses[0]), (picked, " ".join(addresses)), (of_size, f"size={size}"):
        lost = {f"{graph.dump.address(i):#x}" for i in graph.gone(without=set(without))}
        equal(set(objects(name, f"retained={holders}", expect=0 if lost else 1)), lost, f"freed without {holders}")


@test(each=["go1.24.4-small", "go1.3.3-small"], builds=["gcc"])
def sets_are_combined_from_left_to_right(name):
    whole = objects(name)
    alive, dead = (objects(name, word, expect=None) for word in ("reachable", "unreachable"))
    small, big = (objects(name, f"size={size}") for size in (16, 48))
    equal({*alive, *dead}, set(whole), "reachable or not")
    for text, right in {
        "size=16 or size=48": {*small, *big},
        "size=16 and reachable": {*small} & {*alive},
        "size=48 minus reachable": {*big} - {*alive},
        "reachable minus size=16 minus size=48": {*alive} - {*small} - {*big},
        "size=16 or size=48 and unreachable": ({*small} | {*big}) & {*dead},
        "size=48 or reachable minus size=16": ({*big} | {*alive}) - {*small},
        "size=48 minus (reachable or size=16)": {*big} - {*alive} - {*small},
        "(size=16 or size=48) and (unreachable)": ({*small} | {*big}) & {*dead},
        f"object={min(whole)} or object={max(whole)}": {min(whole), max(whole)},
    }.items():
        equal(set(objects(name, text, expect=0 if right else 1)), right, text)


@test(each=["go1.24.4-small"])
def a_wrong_set_is_told(name):
    for text, told in {
        "retained=": "what retains",
        "retained=retained=0x10": "what retains",
        "retained=main.nothing": "main.nothing",
        "size=16 and size=many": "number of bytes",
        "(size=16": "not closed",
        "size=16)": "not opened",
        "(" * 101: "100 parentheses",
        "(size=16) 3": "not closed, or text",
        "object=0x10": "0x10",
        "reachable or ": "can be selected by",
        "at=main.nothing and reachable": "no such place",
        "size=16 and reachable=3": "number of bytes",
        'type=["no or size=16"] or size=48': 'the type ["no or size=16"] ', "size=48 or size=7": "slot of 7 bytes",
    }.items():
        result = run("list", "objects", unpacked(name), text)
        assert result.status != 0, text
        assert told in result.err, (text, result.err)


@test(each=["go1.24.4-small"])
def a_wrong_tag_is_told(name):
    for commands, told in {
        "tag minus type=main.Node": "Nothing is tagged yet",
        "tagged": "Nothing is tagged",
        "retains tagged": "Nothing is tagged",
        "tag size=16; untag; tagged": "Nothing is tagged",
        "tag size=many; tagged": "number of bytes",
        "sizes; tag; types; row 2; tag and; tagged; retains main.nothing": "main.nothing",
    }.items():
        result = run(unpacked(name), "-e", f"wait all; {commands}", expect=1)
        assert told in result.err, (commands, result.err)


# ---- Sets by type, package and allocation site


def grouped(name, table, about):
    rows = answer("list", table, dump_of(name), about, "--exe", exe_of(name))
    return {row["name"]: (row["count"], row["bytes"]) for row in rows}


def of_objects(name, chosen, column):
    """The same, from the objects of a set as the table objects lists them."""
    sums = {}
    for row in answer("list", "objects", dump_of(name), chosen, "--exe", exe_of(name), "--columns", f"size,{column}"):
        count, size = sums.get(row[column], (0, 0))
        sums[row[column]] = count + 1, size + row["size"]
    return sums


SETS = [f"{name} {what}" for name in (ONE, "go1.19-corner", "go1.27-corner")
        for what in {ONE: ("main.gTree", "main.gCache", "goroutine 29", "type=main.TreeNode or type=string"),
                     "go1.19-corner": ("main.strs", "type=string")}.get(name, ("type=string",))]


@test(each=SETS, builds=["gcc"])
def a_retained_set_adds_up(named):
    name, _, what = named.partition(" ")
    chosen = f"retained=({what})" if " or " in what else f"retained={what}"
    by_type = grouped(name, "retained-set", what)
    equal(by_type, of_objects(name, chosen, "type"), "by type")
    equal(grouped(name, "retained-set", f"{what} by type"), by_type, "by type, said")
    equal(grouped(name, "retained-set", f"{what} by package"), of_objects(name, chosen, "package"), "by package")
    by_site = grouped(name, "retained-set", f"{what} by site")
    whole = [tuple(map(sum, zip(*rows.values()))) for rows in (by_type, by_site)]
    equal(whole[0], whole[1], "by site")
    sampled = [row for row in answer("list", "samples", dump_of(name), "--exe", exe_of(name)) if row["function"]]
    sites = {row["object"]: row["function"] for row in sampled}
    right = {}
    for row in answer("list", "objects", dump_of(name), chosen, "--exe", exe_of(name), "--columns", "address"):
        site = sites.get(row["address"], "(not known)")
        right[site] = right.get(site, 0) + 1
    got = {}
    for site, (count, _) in by_site.items():
        function = site if site == "(not known)" else site.split(" ")[0]
        got[function] = got.get(function, 0) + count
    equal(got, right, "sites")
    column = of_objects(name, chosen, "site")
    equal({site or "(not known)": count for site, (count, _) in column.items()}, right, "the column")


@test(each=[ONE, "go1.27-corner"], builds=["gcc"])
def owned_sets_are_those_of_the_table_owners(name):
    owners = answer("list", "owners", dump_of(name), "--exe", exe_of(name))
    picked = [row for row in owners if row["kind"] in ("global", "goroutine") and row["owned_bytes"]][:20]
    assert len(picked) > 5, owners
    for row in picked:
        owner = row["name"].rpartition(" × ")[2]
        parts = [other["owned_bytes"] for other in owners if other["kind"] == row["kind"]
                 and re.match(rf"([\d,]+ × )?{re.escape(owner)}([.\[, ]|$)", other["name"])]
        equal(sum(size for _, size in grouped(name, "owned-set", owner).values()), sum(parts), owner)
    told = run("list", "owned-set", dump_of(name), "main.nonsense", "--exe", exe_of(name), expect=2).err
    assert "There is no owner" in told, told


@test(each=[ONE], builds=["gcc"])
def retained_sizes_of_types_and_packages_are_parts_of_their_sets(name):
    """Without all objects of it at least as much is freed; more where several of them together keep something alive."""
    graph = graph_with_exe(name)
    files = (dump_of(name), "--exe", exe_of(name))
    rows = answer("list", "objects", *files, "--columns", "address,type,package")
    index = {f"{graph.dump.address(id):#x}": id for id in range(len(graph.dump.objects))}
    less = 0
    for column in ("type", "package"):
        groups = {}
        for row in rows:
            groups.setdefault(row[column], []).append(index[row["address"]])
        for row in sorted(answer("list", f"{column}s", *files), key=lambda row: -row["retained_bytes"])[:25]:
            lost, _ = graph.lost(*groups[row[column]])
            assert row["retained_bytes"] <= lost, (row, lost)
            less += row["retained_bytes"] < lost
            if column == "type":
                whole = answer("list", "retained-set", dump_of(name), f"type={row['type']}", *files[1:])
                equal(sum(part["bytes"] for part in whole), lost, f"retained-set type={row['type']}")
    assert less, "no type keeps anything alive together only"
