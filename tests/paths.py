"""Retaining paths as the program tells them, followed word by word through the bytes of the dump."""

import re
from collections import Counter

from harness import answers, equal, oracle, queries, unpacked


def check_paths(name, addresses):
    """Asks for the paths of all addresses, and checks each."""
    graph, addresses = oracle(name), list(addresses)
    holders = Counter(target for row in graph.references for _, target in row)
    holders.update(root.target for root in graph.roots)
    whole = answers("path", unpacked(name), *addresses, "--parts")
    folded = answers("path", unpacked(name), *addresses)
    for address, paths, of_program in zip(addresses, whole, folded, strict=True):
        assert paths, f"{address} has no path"
        for steps in paths:
            check_path(graph, steps, address)
        check_shortest(graph, paths[0], address)
        check_folded(graph, holders, paths, of_program, address)
        ends = [tuple((step["address"], step["offset"]) for step in steps) for steps in paths]
        equal(len(set(ends)), len(ends), f"different paths of {address}")
    check_tables(name, dict(zip(addresses, whole)))


OF_PATHS = {"path", "alike", "more", "also"}  # what no row of the table says of the first step


def check_tables(name, paths_of):
    """The table of the same name has the steps of one path, here the first and the last of each object."""
    asked = [(address, number) for address, paths in paths_of.items() for number in sorted({1, len(paths)})]
    tables = queries([f"SELECT * FROM path('{address} {number}')" for address, number in asked],
                     unpacked(name), "--parts")
    for (address, number), rows in zip(asked, tables):
        steps = paths_of[address][number - 1]
        equal([row.pop("step") for row in rows], list(range(len(steps))), f"steps to {address}")
        for row, step in zip(rows, steps):
            equal({key: row[key] for key in step if key not in OF_PATHS},
                  {key: value for key, value in step.items() if key not in OF_PATHS},
                  f"path {number} to {address}")


def check_folded(graph, holders, paths, folded, address):
    """As a program sees them, paths lack only parts of maps and channels, and arrays that nothing but
    the step before holds. holders: how many words point to each object."""
    equal(folded[0][0]["path"], paths[0][0]["path"], "expression")
    for seen in folded:
        # Without types, paths that differ may read alike; it may also be behind many that are alike.
        same = [steps for steps in paths if steps[0]["path"] == seen[0]["path"]]
        wrong = [what_is_missed(graph, holders, seen, steps) for steps in same]
        assert not wrong or "" in wrong, f"paths to {address}: {wrong}"


def what_is_missed(graph, holders, seen, steps):
    """What a folded path has not of one with all its steps, though it should; "": nothing."""
    left = iter(steps)
    kept = [next((step for step in left if step["address"] == shown["address"]), None) for shown in seen]
    if None in kept or kept[-1] is not steps[-1]:
        return f"{seen} leads otherwise"
    for step in steps[1:]:
        if not any(step is one for one in kept):
            index = graph.dump.find(int(step["address"], 16))
            part = re.search(r"\((table|tables|group|groups|bucket|buckets|extra|buffer)\)$|^~",
                             step["type"] or "")
            if not part and holders[index] != 1:
                return f"{step} is left out"
    for shown, step in zip(seen, kept):
        if shown["offset"] not in (None, step["offset"]):
            return f"{shown} is not {step}"
    return ""


def check_path(graph, steps, address):
    dump = graph.dump
    equal(steps[0]["kind"], "root", "kind of the first step")
    equal([step["kind"] for step in steps[1:]], ["object"] * (len(steps) - 1), "kinds")
    indices = [dump.find(int(step["address"], 16)) for step in steps[1:]]
    equal(indices[-1], dump.find(int(address, 16)), f"end of the path of {address}")
    for step, index in zip(steps[1:], indices):
        equal(int(step["address"], 16), dump.address(index), "address of a step")
    check_root(graph, steps, indices[0])
    for before, step, after in zip(indices, steps[2:], indices[1:]):
        references = graph.references[before]
        assert (step["offset"], after) in references, f"{step} is no reference of {references[:9]}"


def check_root(graph, steps, target):
    """The first step is a root of the dump that points to the second."""
    name = steps[0]["name"]
    places = [root for root in graph.roots if root.target == target]
    where = int(steps[0]["address"], 16) if steps[0]["address"] else 0
    if where:
        assert any(root.address == where for root in places), f"no root at {steps[0]}"
        root = next(root for root in places if root.address == where)
        if root.frame:
            assert root.frame.name in name, f"{name} does not name {root.frame.name}"
    else:
        assert any(root.address == 0 for root in places), f"no root like {steps[0]}"


def check_shortest(graph, steps, address):
    """The first path is the shortest of those from the firmest roots that there are. One past the
    runtime's plumbing comes last, so where it is shorter than all others nothing is compared."""
    index = graph.dump.find(int(address, 16))
    if graph.beside.get(index) == graph.distance[index]:
        equal(len(steps) - 1, graph.distance[index], f"steps to {address}")


def check_dominators(graph, steps, address):
    """A step is a dominator when the object is out of reach without it; what it retains is what is
    out of reach then, too."""
    end = graph.dump.find(int(address, 16))
    for step in steps[1:]:
        index = graph.dump.find(int(step["address"], 16))
        lost = graph.gone(without={index})
        equal(step["dominator"], end in lost, f"dominator {step['address']} of {address}")
        equal(step["retained_bytes"], graph.size(lost), f"retained by {step['address']}")
