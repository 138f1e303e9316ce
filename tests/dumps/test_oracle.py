"""The program against the reader in tests/oracle, on every dump of testdata."""

from datetime import datetime, timezone

from harness import DUMPS, answer, answers, equal, oracle, queries, test, unpacked
from paths import check_dominators, check_paths

STATUS = {0: "idle", 1: "runnable", 2: "running", 3: "syscall", 4: "waiting"}
WAITING = {4, 9, 10}  # and preempted, leaked


@test(each=DUMPS)
def info_is_the_same(name):
    graph = oracle(name)
    dump = graph.dump
    info = answer("info", unpacked(name))
    roots = {kind: graph.root_counts().get(kind, 0) for kind in info["roots"]}
    right = {
        "go_version": dump.params.version,
        "arch": dump.params.arch,
        "pointer_size": dump.params.pointer_size,
        "big_endian": dump.params.big_endian,
        "objects": len(dump.objects),
        "object_bytes": sum(obj.size for obj in dump.objects),
        "ghosts_dropped": len(dump.ghosts),
        "pointers": graph.pointers,
        "dangling_pointers": graph.dangling,
        "types": len(dump.types),
        "itabs": len(dump.itabs),
        "goroutines": len(dump.goroutines),
        "frames": len(dump.frames),
        "roots": roots,
        "finalizers": sum(not finalizer.queued for finalizer in dump.finalizers),
        "queued_finalizers": sum(finalizer.queued for finalizer in dump.finalizers),
        "reachable_objects": len(graph.distance),
        "reachable_bytes": graph.reachable_bytes(),
        "complete": True,
    }
    for key, value in right.items():
        equal(info[key], value, key)
    equal(sum(roots.values()), len(graph.roots), "roots of kinds that info names")


@test(each=DUMPS)
def memstats_are_the_same(name):
    got, right = answer("info", unpacked(name))["memstats"], oracle(name).dump.memstats
    for key, value in right.items():
        equal(got[key], value, key)


@test(each=DUMPS)
def the_last_collection_has_a_date(name):
    ended = oracle(name).dump.memstats["LastGC"]
    date = datetime.fromtimestamp(ended // 10**9, timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    rows = answer("list", "memstats", unpacked(name))
    [meaning] = [row["meaning"] for row in rows if row["name"] == "LastGC"]
    equal(meaning.endswith(f": {date}"), bool(ended), meaning)


@test(each=DUMPS)
def objects_are_the_same(name):
    graph = oracle(name)
    dump = graph.dump
    right = {
        f"{dump.address(i):#x}": (obj.size, i in graph.distance) for i, obj in enumerate(dump.objects)
    }
    rows = answer("list", "objects", unpacked(name))
    got = {row["address"]: (row["size"], row["reachable"]) for row in rows}
    equal(len(rows), len(right), "rows")
    for address, value in right.items():
        equal(got.get(address), value, f"object {address}")


@test(each=DUMPS)
def goroutines_are_the_same(name):
    dump = oracle(name).dump
    rows = {row["id"]: row for row in answer("list", "goroutines", unpacked(name))}
    equal(len(rows), len(dump.goroutines), "rows")
    for goroutine in dump.goroutines:
        row = rows[goroutine.id]
        equal(row["address"], f"{goroutine.address:#x}", "address")
        equal(row["frames"], len(goroutine.frames), f"frames of goroutine {goroutine.id}")
        # Of others the runtime keeps that of the last wait.
        reason = goroutine.reason if goroutine.status in WAITING else ""
        equal(row["wait_reason"] or "", reason, f"reason of goroutine {goroutine.id}")
        equal(row["status"], STATUS[goroutine.status], f"status of goroutine {goroutine.id}")


def chosen(graph):
    """Objects that differ in what matters: most referrers, furthest, largest, with header, first, last."""
    count = len(graph.dump.objects)
    by = lambda key: max(range(count), key=key)
    picked = {
        0, count - 1, count // 2,
        by(lambda i: len(graph.referrers[i])),
        by(lambda i: graph.distance.get(i, 0)),
        by(lambda i: len(graph.references[i])),
        by(lambda i: graph.dump.objects[i].size),
        by(lambda i: (graph.dump.objects[i].header, len(graph.references[i]))),
    }
    return sorted(picked)


@test(each=DUMPS)
def references_and_referrers_are_the_same(name):
    graph = oracle(name)
    right = {}
    for index in chosen(graph):
        address = f"{graph.dump.address(index):#x}"
        right["references", address] = graph.references[index]
        right["referrers", address] = [(offset, source) for source, offset in graph.referrers[index]]
    told = queries([f"SELECT * FROM \"{table}\"('{address}')" for table, address in right],
                   unpacked(name), "--parts")
    told.append(answer("list", "referrers", unpacked(name), address, "--parts"))
    for (table, address), rows in zip([*right, ("referrers", address)], told, strict=True):
        got = [
            (row["offset"], graph.dump.find(int(row["address"], 16)))
            for row in rows
            if graph.dump.find(int(row["address"], 16)) is not None
        ]
        equal(sorted(got), sorted(right[table, address]), f"{table} of {address}")


@test(each=DUMPS)
def chosen_objects_have_their_shortest_paths(name):
    graph = oracle(name)
    check_paths(
        name, [f"{graph.dump.address(i):#x}" for i in chosen(graph) if i in graph.distance]
    )


@test(each=DUMPS, builds=["gcc"])
def dominators_of_paths_are_what_cannot_be_left_out(name):
    graph = oracle(name)
    near = [f"{graph.dump.address(index):#x}" for index in chosen(graph) if graph.distance.get(index, 100) < 10]
    for address, paths in zip(near, answers("path", unpacked(name), *near), strict=True):
        check_dominators(graph, paths[0], address)


@test(each=DUMPS, builds=["gcc"])
def kinds_of_other_roots_are_those_that_reach_it(name):
    graph = oracle(name)
    held_by = {}
    for root in graph.roots:
        held_by.setdefault(root.target, []).append(root)
    reached = [index for index in chosen(graph) if index in graph.distance]
    told = answers("path", unpacked(name), *(f"{graph.dump.address(index):#x}" for index in reached))
    for index, [[first, *_], *_] in zip(reached, told, strict=True):
        roots = [root for at in graph.ancestors(index) for root in held_by.get(at, ())]
        also = first["also"]
        words = {root.address for root in roots if root.kind in ("data", "bss")}
        goroutines = {root.goroutine for root in roots} - {None}
        others = sum(root.kind == "other" for root in roots)
        own = next((kind for kind in ("finalizer", "goroutine") if first["name"].startswith(kind)), "other")
        # Which variables are the runtime's is told by what stands in them.
        equal(also["global"] + also["runtime"], len(words) + others - (own == "other"), f"variables, {first}")
        equal(also["parked"] + also["running"], len(goroutines) - (own == "goroutine"), f"goroutines, {first}")
        finalized = any("finalizer" in root.kind for root in roots)
        equal(also["finalizer"] > 0 or own == "finalizer", finalized, f"finalizers, {first}")


@test(each=DUMPS)
def unreachable_objects_have_no_path(name):
    graph = oracle(name)
    lost = [i for i in range(len(graph.dump.objects)) if i not in graph.distance]
    for index in (lost[:1] + lost[-1:]):
        paths = answer("path", unpacked(name), f"{graph.dump.address(index):#x}", expect=1)
        equal(paths, [], "paths")
