"""V8's heap snapshots: files made here and, where the corpus is there, those of Node.js and Chromium,
against the reader in tests/oracle/v8.py; what is odd or damaged; what the program exports itself."""

import json
import lzma
import random
import re
from collections import Counter

import v8
import v8_writer
from harness import TESTDATA, answer, equal, human, input_of, oracle, run, stored, test, unpacked
from survive import COUNT, file_of, survives_bytes

REGISTRY = TESTDATA / "v8" / "registry.heapsnapshot"
REAL = ["node20-leaks", "node24-leaks", "node26-series.2", "chromium-page"]
ODD = ["big-ids", "bom", "ephemeron", "permuted", "self-and-cycle", "shortcut", "strings-first",
       "types-permuted", "weak-only"]
SAMPLE = 12  # objects whose retained size is found by taking them away


def real(name):
    return input_of(f"v8/{name}.heapsnapshot")


def read(path):
    with open(path, encoding="utf-8") as file:
        return v8.Snapshot(file.read())


def number(address):
    return int(address, 16)


def is_equal(path, snapshot, sample):
    info = answer("info", path)
    strengths = Counter(edge.strength for edges in snapshot.references.values() for edge in edges)
    weak = snapshot.reach_all() - snapshot.reachable
    for key, right in (
        ("format", "v8"), ("complete", True), ("state", None),
        ("objects", len(snapshot.objects)), ("object_bytes", snapshot.bytes(snapshot.objects)),
        ("references", strengths["strong"]), ("dangling_references", 0),
        ("weak_references", strengths["weak"] + strengths["ephemeron"]),
        ("types", len(snapshot.types())),
        ("reachable_objects", len(snapshot.reachable)),
        ("reachable_bytes", snapshot.bytes(snapshot.reachable)),
        ("weakly_reachable_objects", len(weak)), ("weakly_reachable_bytes", snapshot.bytes(weak)),
    ):
        equal(info[key], right, key)
    equal(sum(info["owned_bytes"].values()), info["object_bytes"], "owned by all")
    rows = answer("list", "types", path)
    equal({row["type"]: (row["count"], row["bytes"]) for row in rows}, snapshot.types(), "types")
    roots = Counter((snapshot.nodes[edge.to].id, edge.strength) for _, edge in snapshot.roots)
    got = Counter((number(row["object"]), "weak" if "weak" in (row["flags"] or "") else "strong")
                  for row in answer("list", "roots", path))
    equal(got, roots, "roots")
    retained = {number(row["address"]): row["retained_bytes"] for row in answer("list", "objects", path)}
    equal(len(retained), len(snapshot.objects), "rows")
    for index in sample:
        node = snapshot.nodes[index]
        equal(retained[node.id], snapshot.retained(index), f"retained by {node}")
        references_are_equal(path, snapshot, index)
    for index in sorted(sample)[:2]:
        referrers_are_equal(path, snapshot, index)


def referrers_are_equal(path, snapshot, index):
    """Weak ones, too: they stand last, and with the roots in the other table."""
    address = hex(snapshot.nodes[index].id)
    right = Counter((snapshot.nodes[source].id, step(edge), edge.strength)
                    for source, edges in snapshot.references.items() for edge in edges if edge.to == index)
    rows = answer("list", "referrers", path, address)
    got = Counter((number(row["address"]), row["name"], row["strength"]) for row in rows)
    equal(got, right, f"referrers of {snapshot.nodes[index].name}")
    weak = [row["strength"] != "strong" for row in rows]
    equal(weak, sorted(weak), "order of referrers")
    held = [row["strength"] for row in answer("list", "holders", path, address)]
    roots = [edge.strength for _, edge in snapshot.roots if edge.to == index]
    equal(Counter(held), Counter(roots) + Counter(row["strength"] for row in rows), "roots and referrers")
    shown = answer("show", path, address)
    equal((shown["roots"], shown["referrers"], shown["weak_referrers"]),
          (len(roots), weak.count(False), weak.count(True)), "their numbers")


def references_are_equal(path, snapshot, index):
    right = Counter((snapshot.nodes[edge.to].id, step(edge), edge.strength)
                    for edge in snapshot.references[index])
    rows = answer("list", "references", path, hex(snapshot.nodes[index].id))
    got = Counter((number(row["address"]), row["name"], row["strength"]) for row in rows)
    equal(got, right, f"references of {snapshot.nodes[index].name}")
    for row in rows:
        equal(row["target"], row["address"], f"what a reference of {snapshot.nodes[index].name} leads to")


def step(edge):
    """As the program writes it."""
    name = str(edge.name)
    pair = v8.PAIR.search(name) if edge.type == "internal" else None
    if pair:
        return f'["value in WeakMap @{pair[1]}"]'
    if edge.type in ("element", "hidden") or re.fullmatch(r"0|[1-9][0-9]{0,8}", name):
        return f"[{name}]"
    if re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name) and len(name) <= 200:
        return f".{name}"
    return f'["{name}"]'


@test
def registry_is_read_as_the_oracle_reads_it():
    snapshot = read(REGISTRY)
    equal(REGISTRY.read_text(), v8_writer.registry().text() + "\n", "the file and what writes it")
    is_equal(REGISTRY, snapshot, [i for i in snapshot.reachable if "\n" not in snapshot.nodes[i].name])
    weakly = {edge.to for edges in snapshot.references.values() for edge in edges if edge.strength != "strong"}
    for index in weakly:
        referrers_are_equal(REGISTRY, snapshot, index)


@test(each=REAL, builds=["gcc"], most=2)
def real_snapshots_are_read_as_the_oracle_reads_them(name):
    path = real(name)
    snapshot = read(path)
    shown = [i for i in sorted(snapshot.reachable)
             if all(str(edge.name).isascii() and str(edge.name).isprintable()
                    and "\\" not in str(edge.name) for edge in snapshot.references[i])]
    is_equal(path, snapshot, random.Random(name).sample(shown, SAMPLE))


@test(each=ODD)
def odd_files_are_read_as_the_oracle_reads_them(name):
    path = stored(f"v8/made/{name}.heapsnapshot")
    snapshot = read(path)
    is_equal(path, snapshot, snapshot.reachable)


@test(each=["counts-lie", "cut-strings", "edge-count-lies", "negative"])
def what_is_wrong_is_said(name):
    path = stored(f"v8/made/{name}.heapsnapshot")
    info = answer("info", path)
    assert info["state"] and info["warnings"], info
    equal(info["complete"], name != "cut-strings", f"{name} is whole")
    assert info["objects"] <= 4, info


def address_of(path, kind, place=0):
    rows = [row for row in answer("list", "objects", path) if row["type"] == kind]
    return rows[place]["address"]


@test
def path_names_variables_fields_and_elements():
    address = address_of(REGISTRY, "Session", 3)
    path = answer("path", REGISTRY, address)[0]
    names = [row["name"] for row in path]
    equal(names, ["(Global handles)[19]", None, ".context", ".registry", ".table", "[19]"], "steps")
    why = run("why", REGISTRY, address, expect=0).out
    assert "(Global handles)[19].context.registry.table[19]" in why, why
    info = run("info", REGISTRY, expect=0).out
    assert "(Global handles)[*].context.registry.table[*] " in info, info


@test(each=["node20-leaks", "node24-leaks"], builds=["gcc"])
def path_of_a_real_leak_names_the_variable(name):
    path = real(name)
    text = run("path", path, address_of(path, "Session")).out
    assert re.search(r"\.registry\s", text) and re.search(r"\.table\s", text), text
    address = address_of(path, "SharedContextVictim")
    assert ".victim" in run("path", path, address).out, "a variable of a context"


@test
def weak_references_are_shown_and_retain_nothing():
    cached, request = address_of(REGISTRY, "Cached"), address_of(REGISTRY, "Request")
    result = run("path", REGISTRY, cached, expect=1)
    assert ".target (weak)" in result.out, result
    assert "only weak references lead to" in result.err.lower(), result
    why = run("why", REGISTRY, cached, expect=1).out
    assert "only weak references reach it, from (Stack roots)[0]" in why, why
    equal(answer("show", REGISTRY, cached)["reachable"], False, "is it reachable")
    value = address_of(REGISTRY, "Value")
    equal([row["name"] for row in answer("path", REGISTRY, value)[0]][-2:],
          [".key", f'["value in WeakMap @{number(address_of(REGISTRY, "WeakMap"))}"]'], "by its key")
    shown = answer("show", REGISTRY, address_of(REGISTRY, "WeakMap"))
    equal((shown["references"], shown["weak_references"]), (0, 1), "references of the map")
    rows = answer("list", "holders", REGISTRY, cached)
    equal([(row["name"], row["strength"]) for row in rows], [("WeakRef.target", "weak")], "who refers to it")
    assert number(request) != number(cached)


@test(builds=["gcc"])
def many_references_from_one_object_to_another_are_listed():
    """The number of each is looked up, not searched for: 60,000 would take a minute."""
    w = v8_writer.Writer()
    holder, other, count = w.node("object", "Holder", 8), w.node("object", "Other", 8), 60000
    w.edge(w.gc, "element", 1, holder)
    for i in range(count):
        w.edge(holder, "element", i, other)
        w.edge(holder, "weak", str(i % 100), other)
    # the writer looks for the edges of each node among all: these are of one node
    with file_of(w.text().encode(), ".heapsnapshot") as file:
        first, second = ("0x%x" % w.nodes[node][2] for node in (holder, other))
        rows = answer("list", "references", file.name, first)
        equal(Counter(row["strength"] for row in rows), {"strong": count, "weak": count}, "references")
        equal({row["target"] for row in rows}, {second}, "targets")
        rows = answer("list", "referrers", file.name, second)
        equal([(row["address"], row["strength"]) for row in rows],
              [(first, "strong")] * count + [(first, "weak")] * count, "referrers")


@test
def what_the_page_owns_counts_for_it_alone():
    """What the user roots reach is kept by them, whatever V8 or Node.js holds of it, too."""
    w = v8_writer.Writer()
    user, app, cache, entry = (w.node("object", name, size) for name, size in
                               (("global", 100), ("App", 10), ("Cache", 20), ("Entry", 1000)))
    environment, own = w.node("synthetic", "Node / Environment", 7), w.node("object", "Own", 50)
    w.edge(w.root, "shortcut", "1", user)
    w.edge(w.root, "element", 2, environment)
    for source, name, to in ((user, "app", app), (app, "cache", cache), (cache, "entry", entry),
                             (environment, "entry", entry), (environment, "own", own), (own, "app", app)):
        w.edge(source, "property", name, to)
    for group, to in ((w.group("(Stack roots)"), cache), (w.group("(Internalized strings)"), entry),
                      (w.group("(Global handles)"), app)):
        w.edge(group, "element", 1, to)
    right = {"global": 1130, "App": 1030, "Cache": 1020, "Entry": 1000, "(synthetic)": 57, "Own": 50}
    with file_of(w.text().encode(), ".heapsnapshot") as file:
        rows = answer("list", "objects", file.name)
        equal({row["type"]: row["retained_bytes"] for row in rows}, right, "retained")
        for row in rows:
            freed = answer("list", "objects", file.name, f"retained={row['address']}")
            equal(sum(each["size"] for each in freed), right[row["type"]], f"freed without {row['type']}")
            page = run("show", file.name, row["address"], expect=0).out
            assert f" retained     {human(right[row['type']])}," in page, page
        is_equal(file.name, read(file.name), [2, 3, 4, 5, 6, 7])


@test(each=["node20-leaks", "chromium-page"], builds=["gcc"])
def retained_sizes_are_those_of_the_dominators_of_devtools(name):
    """Its own code has told the dominator of each node. It lets references that retain nothing, such as shortcuts,
    lead into what the page owns: two objects of 54,863."""
    path, snapshot = real(name), read(real(name))
    with lzma.open(stored(f"v8/{name}.dt.jsonl"), "rt") as file:
        above = {row[0]: row[6] for row in map(json.loads, file)}
    below, order = {}, [1]
    for node, dominator in above.items():
        if node != dominator:
            below.setdefault(dominator, []).append(node)
    for node in order:
        order += below.get(node, [])
    retained = {node.id: node.size for node in snapshot.nodes}
    for node in reversed(order[1:]):
        retained[above[node]] += retained[node]
    rows = [row for row in answer("list", "objects", path) if row["reachable"]]
    others = [row for row in rows if row["retained_bytes"] != retained[number(row["address"])]]
    assert len(others) <= len(rows) / 20000, others[:5]


@test
def a_type_without_a_name_is_no_other():
    w = v8_writer.Writer()
    w.edge(w.gc, "element", 1, w.node("object", "Holder", 8))
    data = w.data()
    data["strings"][0] = "Zero"
    data["nodes"][2 * 6] = 77
    with file_of(json.dumps(data).encode(), ".heapsnapshot") as file:
        equal([row["type"] for row in answer("list", "objects", file.name)], ["(unknown)"], "types")
        info = answer("info", file.name)
        equal((info["complete"], len(info["warnings"])), (True, 1), "whole, and something is wrong with it")


@test
def sizes_have_64_bits():
    big = address_of(REGISTRY, "system / JSArrayBufferData")
    equal(answer("show", REGISTRY, big)["size"], 5 << 32, "size")


@test
def what_a_snapshot_does_not_tell_is_said():
    for table in ("goroutines", "spans", "fields"):
        result = run("list", table, REGISTRY, *(["0x5"] if table == "fields" else []), expect=1)
        assert result.err.startswith("goheapx: A heap snapshot of V8 has no "), result


@test
def questions_in_sql_are_answered():
    text = run("sql", REGISTRY, "select type, count(*) from objects group by type order by 2 desc, 1 limit 2",
               "--csv", expect=0).out
    equal(text.splitlines()[1:], ["(string),20", "Payload,20"], "rows")


@test(each=["go1.24.4-small", "go1.19.8-small"])
def what_is_exported_is_read_again(name):
    """Of the first dump all is compared with the reader of dumps, too."""
    text = run("export", "--format", "heapsnapshot", unpacked(name), expect=0).out
    with file_of(text.encode(), ".heapsnapshot") as file:
        snapshot, graph = v8.Snapshot(text), oracle(name)
        info = answer("info", file.name)
        equal(info["objects"], len(graph.dump.objects), "objects")
        equal(info["object_bytes"], sum(obj.size for obj in graph.dump.objects), "bytes")
        equal(info["reachable_objects"], len(graph.distance), "reachable")
        is_equal(file.name, snapshot, [])


@test
def sections_in_any_order_and_with_white_space():
    data = v8_writer.registry().data()
    whole = read(REGISTRY)
    for seed in range(6):
        names = list(data)
        random.Random(seed).shuffle(names)
        if seed == 0:
            names.sort(key="snapshot".__ne__)
        text = json.dumps({name: data[name] for name in names}, indent=seed % 3)
        if names[0] not in ("snapshot", "nodes", "edges", "strings"):
            continue
        with file_of(text.encode(), ".heapsnapshot") as file:
            is_equal(file.name, whole, [])


@test
def a_cut_is_always_told():
    data = REGISTRY.read_bytes().rstrip()
    chance = random.Random("cuts of a heap snapshot")
    whole = answer("info", REGISTRY)
    for length in sorted(chance.sample(range(20, len(data) - 1), COUNT)):
        info = survives_bytes(data[:length])
        if info:
            assert info["state"] and not info["complete"], f"cut at {length}"
            assert info["objects"] <= whole["objects"], f"cut at {length}"


def as_read(text):
    """What the oracle sees; None: it is no snapshot, or one that leaves something open."""
    try:
        snapshot = v8.Snapshot(text)
        data = json.loads(text)
        ids = [node.id for node in snapshot.objects.values()]
        good = (len(set(ids)) == len(ids) and data["snapshot"]["node_count"] == len(snapshot.nodes)
                and data["snapshot"]["edge_count"] * 3 == len(data["edges"]))
        return (len(snapshot.objects), snapshot.bytes(snapshot.objects)) if good else None
    except (ValueError, LookupError, TypeError, AssertionError, AttributeError, StopIteration,
            RuntimeError):
        return None


@test
def a_change_is_told_or_is_another_snapshot():
    """A change that nobody can tell makes another whole snapshot: then the oracle counts the same."""
    data = REGISTRY.read_bytes()
    chance = random.Random("changes of a heap snapshot")
    first, sections = data.index(b'"nodes":'), (data.index(b',"trace_function'), data.index(b',"strings"'))
    for _ in range(COUNT * 3):
        at = chance.randrange(first, len(data))
        if sections[0] < at < sections[1]:
            continue  # that is not read
        changed = data[:at] + bytes([chance.choice(b'09,[]{}"-\\x \xff')]) + data[at + 1 :]
        info = survives_bytes(changed)
        if info is None or info["state"]:
            continue
        right = as_read(changed.decode("utf-8", "replace"))
        equal((info["objects"], info["object_bytes"]), right, f"a change at {at}")


@test
def a_name_of_megabytes_may_be_that_of_everything():
    """Neither its copies nor reading it again and again may take memory or time."""
    w = v8_writer.Writer()
    name = "x" * (3 << 20) + " pair in WeakMap (table @7)"
    groups = [w.group(name[:-1] + "8)") for _ in range(1000)]
    before = w.root
    for i, group in enumerate(groups):
        node = w.node(("object", "native")[i % 2], name, 8)
        w.edge(group, "internal", name, node)
        w.edge(before, "property" if before else "element", name if before else 1, node)
        before = node
    data = w.data()
    data["trace_tree"] = "deep"
    text = json.dumps(data).replace('"deep"', "[" * 1_000_000 + "]" * 1_000_000)
    info = survives_bytes(text.encode())
    equal((info["state"], info["objects"], info["reachable_objects"]), (None, 1000, 1000), "nodes")
