"""Retained sizes against the reader in tests/oracle: what becomes unreachable without an object, and
without a goroutine."""

import random

from harness import DUMPS, answer, equal, oracle, test, unpacked

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
        equal(got, graph.lost(without=index), f"retained by {row['address']}")


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
