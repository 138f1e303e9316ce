"""Why an object is alive: who holds it alone or together with others, against the reader in
tests/oracle with those left out."""

import random

from harness import FEW, ONE, SMALL, answer, equal, oracle, run, test, truth, unpacked
from executables import dump_of, exe_of


def lost_without(graph, places):
    """Objects that are out of reach when the roots at these addresses are gone."""
    return graph.gone([root for root in graph.roots if root.address not in places])


def words(name, *variables):
    size = truth(name).get("PtrSize", 8)
    for variable in variables:
        place = truth(name)["Globals"][variable]
        start = int(place["addr"], 16)
        yield from range(start, start + int(place["size"]), size)


@test(each=SMALL, builds=["gcc"])
def sessions_are_held_by_the_map_and_the_chain(name):
    graph = oracle(name)
    address = truth(name)["CacheSessions"][120]
    index = graph.dump.find(int(address, 16))
    for variable in ("main.gCache", "main.gCacheLast"):
        assert index not in lost_without(graph, set(words(name, variable))), variable
    lost = lost_without(graph, set(words(name, "main.gCache", "main.gCacheLast")))
    why = answer("why", unpacked(name), address)
    shared = why["held_jointly"][0]
    equal(shared["address"], address, "what is held together")
    equal(sum(holder["count"] for holder in shared["holders"]), 2, "holders")
    equal(shared["freed_objects"], len(lost), "objects that go with both")
    equal(shared["freed_bytes"], sum(graph.dump.objects[i].size for i in lost), "their bytes")
    assert "Neither of the two retains it" in why["text"], why["text"]


@test
def holders_are_named_where_there_is_an_executable():
    address = truth(ONE)["CacheSessions"][120]
    why = answer("why", dump_of(ONE), address, "--exe", exe_of(ONE))
    holders = {row["name"]: row["retained_bytes"] for row in why["held_jointly"][0]["holders"]}
    equal(set(holders), {"main.gCache", "main.gCacheLast"}, "holders")
    equal(holders["main.gCache"], 13656, "bytes of the map without its sessions")
    equal(why["owner"], None, "owner")
    equal(why["path"], 'main.gCache["session-0120"]', "path")


@test
def what_is_held_alone_names_its_dominators():
    needle = truth(ONE)["Objects"]["needle"]["addr"]
    for parts in ((), ("--parts",)):
        why = answer("why", dump_of(ONE), needle, "--exe", exe_of(ONE), *parts)
        steps = answer("path", dump_of(ONE), needle, "--exe", exe_of(ONE), *parts)[0]
        equal(why["held_jointly"], [], "co-holders")
        equal(why["owner"], "main.gDeep", "owner")
        equal(
            [row["address"] for row in why["dominators"] if row["address"]],
            [step["address"] for step in reversed(steps[1:-1])],
            "dominators, the nearest first",
        )
        equal("(group)" in why["text"], bool(parts), "the group of a map in the sentences")


@test
def what_alone_keeps_it_is_said():
    """A variable, an object behind two variables, both one after the other, nothing."""
    graph, told = oracle(ONE), truth(ONE)

    def said(address):
        text = answer("why", dump_of(ONE), address, "--exe", exe_of(ONE))["text"]
        return text.split("\n")

    def goes(address, *variables, without=None):
        """Is it out of reach without these, or without an object?"""
        roots = [root for root in graph.roots if root.address not in set(words(ONE, *variables))]
        without = {graph.dump.find(int(without, 16))} if without else ()
        return graph.dump.find(int(address, 16)) in graph.gone(roots, without)

    first, second, third = told["ListAddrs"][:3]
    session, array = told["CacheSessions"][120], told["CacheBufs"][120]
    equal((goes(first, "main.gListHead"), goes(second, without=first)), (True, True), "of the list")
    nearest, *others = said(first)
    assert nearest.startswith("Every path to it leads through main.gListHead (retains 15.6 KB): without that"), nearest
    assert not [line for line in others if "very path" in line], others
    nearest, *others = said(third)
    assert nearest.startswith("Every path to it leads through main.gListHead.Next (main.ListNode, retains"), nearest
    chain, = (line for line in others if "very path" in line)
    assert "leads through main.gListHead (main.ListNode, retains 15.6 KB). Without" in chain, chain
    equal([goes(array, "main.gCache"), goes(array, "main.gCacheLast"), goes(array, without=session)],
          [False, False, True], "of a session's array")
    behind, *_ = said(array)
    assert behind.startswith('Every path to it leads through main.gCache["session-0120"] (main.Session, '), behind
    assert said(session)[0].startswith("No single object keeps it alive: 2 roots do"), said(session)


def holders(graph, roots):
    """What the roots belong to: a word of a variable, a goroutine; None: their record is not known."""
    return {root.address if root.kind in ("data", "bss") else ("goroutine", root.goroutine) if root.goroutine is not None
            else None for root in roots}


@test(each=sorted(FEW), builds=["gcc"])
def the_nearest_on_every_path_is_named(name):
    """Of objects at random: what is out of reach without which step, and how many variables and goroutines lead there."""
    graph, several = oracle(name), 0
    draw = random.Random(name)
    session = graph.dump.find(int(truth(name)["CacheSessions"][120], 16))  # in a map and in a chain
    for index in [session, *draw.sample(sorted(graph.distance), 20)]:
        why = answer("why", unpacked(name), f"{graph.dump.address(index):#x}", "--parts")
        steps = answer("path", unpacked(name), f"{graph.dump.address(index):#x}", "--parts")[0]
        on_path = [graph.dump.find(int(step["address"], 16)) for step in steps[1:-1]]
        lost = {at: graph.gone(without={at}) for at in on_path}
        nearest = next((at for at in reversed(on_path) if index in lost[at]), None)
        above = graph.ancestors(index)
        known = holders(graph, [root for root in graph.roots if root.target in above])
        first = why["text"].split("\n")[0]
        if nearest is not None:
            row = why["dominators"][0]
            equal((int(row["address"], 16), row["retained_bytes"], why["roots"]),
                  (graph.dump.address(nearest), graph.size(lost[nearest]), None), f"nearest to {index}")
            assert first.startswith("Every path to it leads through "), first
        elif len(known) == 1:
            equal(why["dominators"][0]["address"], None, "a root")
            assert first.startswith("Every path to it leads through "), first
        elif None not in known:
            several += 1
            equal((why["dominators"], why["roots"]), ([], len(known)), f"roots of {index}")
            assert first.startswith(f"No single object keeps it alive: {len(known):,} roots do"), (first, len(known))
    assert several, "no object of several roots"


@test
def what_nobody_holds_is_said():
    graph = oracle(ONE)
    lost = next(i for i in range(len(graph.dump.objects)) if i not in graph.distance)
    result = run("why", unpacked(ONE), f"{graph.dump.address(lost):#x}", expect=1)
    assert "No root in the dump leads to it" in result.out, result
    run("why", unpacked(ONE), "0x1", expect=1)
    run("why", unpacked(ONE), "nothing", expect=2)


@test(each=SMALL, builds=["gcc"])
def merged_paths_lead_to_everything_reachable(name):
    graph = oracle(name)
    rows = answer("list", "merged", unpacked(name))
    equal(sum(row["objects"] for row in rows), len(graph.distance), "objects of the topmost rows")
    equal(sum(row["bytes"] for row in rows), graph.reachable_bytes(), "their bytes")


@test
def merged_paths_of_a_type_begin_at_its_holders():
    rows = answer("list", "merged", dump_of(ONE), "type=main.Session", "--exe", exe_of(ONE))
    equal([row["name"] for row in rows], ["main.gCache", "main.gCacheLast"], "roots")
    equal(sum(row["objects"] for row in rows), len(truth(ONE)["CacheSessions"]), "sessions")


def check_freed(graph, rows, without_roots, without_edges):
    """The last row against a search without those roots (by address) and references."""
    lost = graph.gone([root for root in graph.roots if root.address not in without_roots],
                      follows=lambda source, _, target: (source, target) not in without_edges)
    equal(rows[-1]["freed_objects"], len(lost), "freed objects")
    equal(rows[-1]["freed_bytes"], graph.size(lost), "freed bytes")


@test(each=SMALL, builds=["gcc"])
def freed_is_what_a_search_without_the_cuts_misses(name):
    graph = oracle(name)
    dump = graph.dump
    steps = answer("path", unpacked(name), truth(name)["CacheSessions"][7], "--parts")[0]
    places = [step["address"] for step in steps[1:]]
    edges = list(zip(places, places[1:]))[-2:]
    indices = {(dump.find(int(a, 16)), dump.find(int(b, 16))) for a, b in edges}
    rows = answer("what-if", unpacked(name), *[f"{a}>{b}" for a, b in edges])
    check_freed(graph, rows, set(), indices)
    last = truth(name)["Globals"]["main.gCacheLast"]["addr"]
    rows = answer("what-if", unpacked(name), last, *[f"{a}>{b}" for a, b in edges])
    check_freed(graph, rows, {int(last, 16)}, indices)
    equal(len(rows), 1 + len(edges), "rows")


@test
def what_cannot_be_cut_is_said():
    dump = unpacked(ONE)
    assert "There is no reference" in run("what-if", dump, "0xc0000623c0>0xc0000dc000", expect=1).err
    assert "is no address, variable" in run("what-if", dump, "nonsense", expect=2).err
    assert "no goroutine 999" in run("what-if", dump, "goroutine=999", expect=1).err
    assert "names nothing" in run("what-if", dump, "root=99999", expect=2).err
    run("what-if", dump, expect=2)


@test
def what_the_runtime_holds_comes_after_the_program_s():
    [shared] = answer("why", unpacked("go1.26.10-server"), "main.service", "--exe", exe_of("go1.26.10-server"))["held_jointly"]
    of_runtime = [holder["name"].startswith(("runtime.", "sync.")) for holder in shared["holders"]]
    assert any(of_runtime) and of_runtime == sorted(of_runtime), shared["holders"]
