"""The program against what the dumped programs knew of themselves (testdata/NAME.truth.json.xz)."""

import bisect
import re

from harness import DUMPS, ONE, SMALL, answer, equal, oracle, run, test, truth, unpacked
from paths import check_paths


class Objects:
    """What `list objects` says, by any address within an object."""

    def __init__(self, name):
        rows = answer("list", "objects", unpacked(name))
        self.rows = sorted(rows, key=lambda row: int(row["address"], 16))
        self.starts = [int(row["address"], 16) for row in self.rows]

    def at(self, address):
        index = bisect.bisect_right(self.starts, int(address, 16)) - 1
        if index >= 0 and int(address, 16) < self.starts[index] + self.rows[index]["size"]:
            return self.rows[index]
        return None


def held(name):
    """(name, address) of everything that the truth says is held by something that dumps record."""
    known = truth(name)
    for key in ("ListAddrs", "TreeAddrs", "CacheSessions", "CacheBufs"):
        yield from ((f"{key}[{i}]", address) for i, address in enumerate(known.get(key, [])))
    for key, value in known.get("Objects", {}).items():
        # Interface words may be static data; a cleanup's argument is in no record.
        in_record = not any("runtime.AddCleanup" in holder for holder in value.get("held_by", []))
        if value.get("held_by") and in_record and not key.startswith("iface_"):
            yield key, value["addr"]


@test(each=DUMPS)
def is_walked_to_its_end(name):
    info = answer("info", unpacked(name))
    known = truth(name)
    equal(info["complete"], True, "complete")
    right = [[offset, True] for offset in oracle(name).dump.broken]  # a fault of Go 1.5
    got = [[w["offset"], "fault of Go 1.5" in w["text"]] for w in info["warnings"]]
    equal(got, right, "warnings")
    equal(info["format"], oracle(name).dump.layout.name, "format")
    equal(info["arch"], known["Arch"], "arch")
    equal(info["pointer_size"], known.get("PtrSize", 8), "pointer_size")
    if info["format"] != "go1.7":  # the header is all that such a file says of its version
        assert info["go_version"] in known["Go"], f"{info['go_version']} is not {known['Go']}"
    elif info["go_version"]:
        equal(info["go_version"].split()[0].split("-")[0], known["Go"].split()[0], "go_version")


@test(each=SMALL)
def counts_equal_memstats(name):
    info = answer("info", unpacked(name))
    known = truth(name)
    if not info["format"].startswith("go1.3"):  # whose statistics count stacks as objects
        equal(info["objects"], known["HeapObjects"], "objects")
        equal(info["object_bytes"], known["HeapAlloc"], "object_bytes")
    for field in ("HeapObjects", "HeapAlloc", "NumGC"):
        equal(info["memstats"][field], known[field], field)


@test(each=SMALL)
def what_is_held_is_reachable(name):
    objects = Objects(name)
    missing = [what for what, address in held(name) if objects.at(address) is None]
    equal(missing, [], "held, but no object")
    lost = [what for what, address in held(name) if not objects.at(address)["reachable"]]
    equal(lost, [], "held, but unreachable")


@test(each=SMALL)
def garbage_is_unreachable(name):
    objects = Objects(name)
    rows = [objects.at(address) for address in truth(name)["Garbage"]]
    equal(sum(row is None for row in rows), 0, "garbage that is not in the dump")
    stale = 1 if name.startswith("go1.4") else 0  # a word of a stack that is not in use any more
    equal(sum(row["reachable"] for row in rows), stale, "garbage with a path")


@test(each=SMALL)
def paths_to_named_objects_are_in_the_bytes(name):
    addresses = {what: address for what, address in held(name) if "[" not in what}
    for key in ("ListAddrs", "TreeAddrs", "CacheSessions", "CacheBufs"):
        addresses[key] = truth(name)[key][-1]
    check_paths(name, addresses.values())


@test(each=SMALL)
def the_needle_is_held_by_its_holders(name):
    """global main.gDeep, deep1, ..., deep3, closure, needle."""
    known = truth(name)
    steps = answer("path", unpacked(name), known["Objects"]["needle"]["addr"], "--parts")[0]
    equal(steps[0]["kind"], "root", "kind of the first step")
    if "main.gDeep" in known["Globals"]:
        equal(steps[0]["address"], known["Globals"]["main.gDeep"]["addr"], "the global")
    holders = list(known["NeedlePath"])
    if oracle(name).dump.layout.name in ("go1.3", "go1.3beta1", "go1.4"):
        holders.insert(-1, "variable")  # a closure holds what it captures by its address
    equal(len(steps), len(holders), "steps")
    for step, holder in zip(steps, holders):
        if holder in known["Objects"]:
            equal(step["address"], known["Objects"][holder]["addr"], holder)


@test(each=DUMPS)
def goroutines_are_those_of_the_traceback(name):
    """runtime.Stack was called just before the dump."""
    rows = {row["id"]: row for row in answer("list", "goroutines", unpacked(name))}
    stacks = re.findall(r"^goroutine (\d+) (?:.* )?\[([^\],]*)", truth(name)["Stacks"], re.M)
    states = {int(number): state for number, state in stacks}
    for number, state in states.items():
        if state == "running":
            continue  # the one that wrote the dump: see the_dumping_goroutine
        row = rows[number]
        equal(row["wait_reason"] or row["status"], state, f"state of goroutine {number}")
    equal(len(rows), len(oracle(name).dump.goroutines), "goroutines")
    system = len(rows) - len(states)
    assert 0 < system < 10, f"{system} goroutines are not in the traceback"


@test(each=SMALL)
def the_deep_recursion_holds_a_list(name):
    """301 frames of main.gDeepRec, each with a pointer to a node that points to the next one."""
    dump = oracle(name).dump
    deep = next(g for g in dump.goroutines if sum(f.name == "main.gDeepRec" for f in g.frames) > 9)
    frames = answer("list", "frames", unpacked(name), str(deep.id))
    functions = [row["function"] for row in frames]
    equal(functions.count("main.gDeepRec"), 301, "frames of main.gDeepRec")
    equal(functions, [frame.name for frame in deep.frames], "functions")


@test(builds=["gcc"])
def the_chain_of_the_deep_recursion_is_walked_by_keys():
    """From the local of the innermost frame along the list, to the node that points nowhere."""
    graph = oracle(ONE)
    deep = next(f for f in graph.dump.frames if f.name == "main.gDeepRec")
    node = next(graph.dump.find(word) for _, word in graph.dump.words(deep.data, deep.fields))
    last, steps = node, 0
    while graph.references[last]:
        last, steps = graph.references[last][0][1], steps + 1
    assert steps >= 299, f"the list has only {steps + 1} nodes"
    walk = "keys o Enter\n" * steps
    result = run("-e", f"goto {graph.dump.address(node):#x}\n{walk}", unpacked(ONE), expect=0)
    assert f"object {graph.dump.address(last):#x}" in result.out, result


@test
def what_is_held_twice_is_retained_by_neither():
    """The sessions of small hang on a map, and on a chain from another variable."""
    known = truth(ONE)
    cache = known["Objects"]["map_cache"]["addr"]
    rows = answer("retained", unpacked(ONE), cache, *known["CacheSessions"])
    equal(rows[0]["retained_bytes"], 13656, "bytes of the map")
    equal({row["retained_bytes"] for row in rows[1:]}, {4496}, "bytes of each session")
    equal({row["dominator"] for row in rows}, {None}, "what holds one alone")
