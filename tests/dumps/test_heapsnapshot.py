"""What is exported for Chrome's DevTools, against the dumps as the readers in tests/oracle see them,
and as memlab sees it: HEAPSNAPSHOTCHECK=program opens a file with it and prints what some nodes
retain."""

import os
import random
import re
import subprocess
import tempfile
from collections import Counter

import heapsnapshot
import writer
from executables import exe_of
from harness import DUMPS, ONE, TESTDATA, Skip, answer, equal, oracle, run, test, truth, unpacked
from survive import file_of

CHECKER = os.environ.get("HEAPSNAPSHOTCHECK", "")
ODD = 'a"\n\u202e\U0001f600;,[L/x\0 7'


def snapshot_of(file, *more):
    out = run("export", "--format", "heapsnapshot", file, *more, expect=0).raw_out.decode("utf-8")
    return heapsnapshot.Snapshot(out)


def first_object(snapshot):
    """Behind the node that stands for what no root leads to."""
    return next(i for i, node in enumerate(snapshot.nodes) if node.name == "(not reachable)") + 1


@test(each=DUMPS)
def objects_and_references_are_those_of_the_dump(name):
    snapshot, graph = snapshot_of(unpacked(name)), oracle(name)
    first = first_object(snapshot)
    nodes = snapshot.nodes[first:]
    equal([node.size for node in nodes], [obj.size for obj in graph.dump.objects], "sizes")
    equal(len(snapshot.retained), len(snapshot.nodes), "nodes that the root leads to")
    for index, node in enumerate(nodes):
        right = Counter(target for _, target in graph.references[index])
        equal(Counter(edge.to - first for edge in node.edges), right, f"references of object {index}")
        for edge in node.edges:
            weak = index not in graph.distance and edge.to - first in graph.distance
            equal(edge.type == "weak", weak, f"the kind of an edge of object {index}")
    right = {root.target for root in graph.roots}
    held = {edge.to - first for node in snapshot.nodes[1 : first - 1] for edge in node.edges
            if edge.type in ("context", "internal")}
    equal(held, right, "objects with roots")


@test(each=DUMPS, builds=["gcc"])
def what_is_retained_is_what_would_be_lost(name):
    snapshot, graph = snapshot_of(unpacked(name)), oracle(name)
    first = first_object(snapshot)
    roots = next(i for i, node in enumerate(snapshot.nodes) if node.name == "(GC roots)")
    equal(snapshot.retained[roots], graph.reachable_bytes(), "bytes below the roots")
    equal(snapshot.retained[0], sum(obj.size for obj in graph.dump.objects), "bytes of all")
    alive = sorted(graph.distance)
    for index in random.Random(name).sample(alive, min(20, len(alive))):
        equal(snapshot.retained[first + index], graph.lost(index)[0], f"object {index}")


@test(each=DUMPS, builds=["gcc"])
def an_export_that_is_opened_has_the_reachability_of_the_dump(name):
    exported = run("export", "--format", "heapsnapshot", unpacked(name), expect=0).raw_out
    query = "SELECT reachable, count(*) AS n, sum(size) AS bytes FROM objects GROUP BY 1 ORDER BY 1"
    graph = oracle(name)
    total, alive = sum(obj.size for obj in graph.dump.objects), graph.reachable_bytes()
    counts = {False: len(graph.dump.objects) - len(graph.distance), True: len(graph.distance)}
    with file_of(exported, suffix=".heapsnapshot") as file:
        rows = answer("sql", file.name, query)
        equal({bool(row["reachable"]): (row["n"], row["bytes"]) for row in rows},
              {key: (counts[key], size) for key, size in ((False, total - alive), (True, alive)) if counts[key]}, "objects")
        denied = "All objects are reachable" in run("list", "unreachable", file.name).err
        equal(denied, not counts[False], "what the table denies")


@test
def with_an_executable_everything_has_a_name():
    snapshot, graph = snapshot_of(unpacked(ONE), "--exe", exe_of(ONE)), oracle(ONE)
    first = first_object(snapshot)
    for text in truth(ONE)["CacheSessions"]:
        node = snapshot.nodes[first + graph.dump.find(int(text, 16))]
        equal((node.type, node.name), ("object", "main.Session"), text)
        assert {"ID", "Buf"} <= {edge.name for edge in node.edges}, node
    rows = answer("list", "types", unpacked(ONE), "--exe", exe_of(ONE), "--parts")
    right = {row["type"]: (row["count"], row["bytes"]) for row in rows}
    counts, sizes = Counter(), Counter()
    for node in snapshot.nodes[first:]:
        counts[node.name] += 1
        sizes[node.name] += node.size
    for name, numbers in right.items():
        equal((counts[name], sizes[name]), numbers, name)
    names = {node.name for node in snapshot.nodes[:first]}
    assert {"main.gCache", "global variables"} <= names, names
    for goroutine in graph.dump.goroutines:
        assert any(re.match(rf"goroutine {goroutine.id}\b", name) for name in names), goroutine.id


@test
def names_are_texts_and_logs_have_numbers():
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file:
        names = {node.name for node in snapshot_of(file.name).nodes}
        assert any("\U0001f600" in name and "\n" not in name for name in names), names
    log = TESTDATA / "netcf" / "two_domains.gclog"
    snapshot = snapshot_of(log)
    rows = answer("list", "objects", log)
    equal([node.size for node in snapshot.nodes[first_object(snapshot) :]],
          [row["size"] for row in rows], "sizes")
    result = run("export", "--format", "heapsnapshot", TESTDATA / "chromium" / "odd.json", expect=1)
    assert "has no objects" in result.err, result


@test(each=["go1.19.8-small", ONE, "go1.24.4-small-mips", "go1.26.10-server"], builds=["gcc"])
def memlab_sees_the_same(name):
    if not CHECKER:
        raise Skip("HEAPSNAPSHOTCHECK names no program that opens a heap with memlab: .ci/memlab.sh makes one")
    graph = oracle(name)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.heapsnapshot")
        run("export", "--format", "heapsnapshot", unpacked(name), "-o", path, expect=0)
        with open(path, encoding="utf-8") as file:
            snapshot = heapsnapshot.Snapshot(file.read())
        first = first_object(snapshot)
        picked = random.Random(name).sample(sorted(graph.distance), 20)
        ids = {str(snapshot.nodes[first + index].id): index for index in picked}
        ran = subprocess.run([CHECKER, path, *ids], capture_output=True, text=True, check=True)
    nodes, size, edges = re.search(r"^nodes (\d+) self (\d+) edges (\d+)$", ran.stdout, re.M).groups()
    right = (len(snapshot.nodes), sum(obj.size for obj in graph.dump.objects),
             sum(len(node.edges) for node in snapshot.nodes))
    equal((int(nodes), int(size), int(edges)), right, "nodes, bytes and edges")
    told = dict(re.findall(r"^node (\d+) .* retained (\d+) dominator", ran.stdout, re.M))
    for number, index in ids.items():
        equal(int(told[number]), graph.lost(index)[0], f"retained by object {index}")
