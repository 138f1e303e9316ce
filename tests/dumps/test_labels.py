"""Labels of objects, without an executable: that what they say is true, by the types that the executable
gives to the same objects, and that no name is in them which the dump does not have."""

import collections
import re

from executables import dump_of, objects, truth_of
from harness import ONE, answer, equal, graph_of, run, test

# What an object with a label must be: the types that may stand behind it, and how many objects of
# a hundred must have one of them at least.
TRUE_OF = {
    "~map header": (r"map\[.* \(header\)$", 99),
    "~map buckets": (r"(\[\d+\])?map\[.* \(bucket\)$", 99),
    "~map groups": (r"(\[\d+\])?map\[.* \(group\)$", 99),
    "~map table": (r"map\[.* \(table\)$", 99),
    "~map directory": (r"(\[\d+\])?\*map\[.* \(table\)$", 99),
    "~channel": (r"chan |runtime\.hchan$", 99),
    "~channel buffer": (r"", 100),
    "~closure": (r".*(func|-fm|wrap|\.init)", 88),
    "~string data": (r"string data$|tiny block$", 99),
    "~[]byte data": (r"(\[\d+\])?uint8$|string data$|tiny block$", 99),
    "~slice array": (r"\[\d+\]|string data$|tiny block$", 97),
    "~text": (r"string data$|(\[\d+\])?uint8$|tiny block$", 97),
}
# Dumps with both kinds of maps, of other machines and of larger programs.
# Their dumps have the names of pointer types, as those of Go 1.7 and later have not.
OLD_NAMES = ["go1.5.4-small", "go1.6.4-server"]
DUMPS = [ONE, "go1.19.8-small", "go1.22.12-small", "go1.27.3-small", "go1.24.4-small-386",
         "go1.24.4-small-mips", "go1.24.4-small-s390x", "go1.15.15-server", "go1.26.10-server",
         "raftkv-go1.19", "webmetrics-go1.23"]


def labelled(name):
    """All objects, as they are without an executable."""
    return answer("list", "objects", dump_of(name), "--parts")


def kind_of(label):
    """"~map groups" of "~map groups of type@0x4e0c00", "~closure" of "~closure main.f"."""
    return next((kind for kind in sorted(TRUE_OF, key=len, reverse=True) if label.startswith(kind)), None)


@test(each=DUMPS, builds=["gcc"], most=6)
def kinds_are_those_of_the_types(name):
    types, right, wrong = objects(name), collections.Counter(), collections.defaultdict(list)
    for row in labelled(name):
        kind, told = kind_of(row["type"]), types[row["address"]]
        if kind is None or told["type_known"] == "none":
            continue
        if re.match(TRUE_OF[kind][0], told["type"]):
            right[kind] += 1
        else:
            wrong[kind].append((row["address"], told["type"]))
    assert len(right) >= 7, right
    for kind, rows in wrong.items():
        total = right[kind] + len(rows)
        # one of a few may be wrong: they are guesses
        allowed = max(1, total * (100 - TRUE_OF[kind][1]) / 100)
        assert len(rows) <= allowed, f"{len(rows)} of {total} are no {kind}: {rows[:5]}"


# How many of the truth's objects of a kind have its label.
@test(each=DUMPS[:7], builds=["gcc"])
def maps_and_channels_are_found(name):
    labels, wanted, found = {row["address"]: row["type"] for row in labelled(name)}, 0, 0
    for address, told in objects(name).items():
        kind = "~map header" if re.search(r"^map\[.*\(header\)$", told["type"] or "") else "~channel"
        if kind == "~channel" and not (told["type"] or "").startswith("chan "):
            continue
        wanted += 1
        found += labels[address].startswith(kind)
    assert wanted > 200 and found >= wanted * 0.97, (found, wanted)


@test(each=[*DUMPS, *OLD_NAMES], builds=["gcc"], most=6)
def no_name_is_invented(name):
    """A name is one that a record of the dump has, or of the runtime's own records."""
    records = answer("list", "itabs", dump_of(name))
    names = {(row["name"] or "").lstrip("*") for row in records}
    names |= {"runtime.g", "runtime.m", "runtime._defer", "runtime._panic"}
    for row in labelled(name):
        label = row["type"]
        if row["type_known"] != "none":
            equal(re.sub(r"^~|^\[n\]", "", label) in names, True, f"{label} is a name of the dump")
        elif label.startswith("target of *"):
            package = label.removeprefix("target of *").split("?@")[0]
            assert package in names, label
        else:
            assert re.match(r"~|obj\[\d+\]|type@0x[0-9a-f]+$|target of type@|allocated at ", label), label


@test(each=[*DUMPS, *OLD_NAMES], builds=["gcc"], most=6)
def every_reachable_object_has_a_telling_label(name):
    """But for what only variables on stacks lead to whose address is taken: these are no words of a frame's mask."""
    graph = graph_of(dump_of(name))
    unlisted = {word.address for word in graph.hidden}
    held = {root.target for root in graph.roots if root.address not in unlisted}
    for row in labelled(name):
        hidden = not row["referrers"] and graph.dump.find(int(row["address"], 16)) not in held
        if row["reachable"] and re.match(r"obj", row["type"]) and not hidden:
            assert " held " in row["type"], row


# How many objects of a type with many have a shape's label other than most, and how many objects of
# such a label are of another type than most. Before neighbouring places were joined the first were
# 18, 61550, 52263, 3855, 706 and 588, the second the same.
SPLITS = {
    ONE: (15, 0),
    "webmetrics-go1.23": (1600, 3),
    "go1.27-corner": (51000, 340),
    "go1.24-park-plain-quiet": (3700, 16),
    "go1.19-drift-2": (215, 335),
    "go1.27-drift-2": (100, 25),
}
MANY = 10


def outside_of_most(groups, least):
    return sum(group.total() - max(group.values()) for group in groups.values() if group.total() >= least)


@test(each=SPLITS, builds=["gcc"])
def a_type_is_in_one_label_and_a_label_of_one_type(name):
    types = objects(name)
    of_type, of_label = (collections.defaultdict(collections.Counter) for _ in range(2))
    for row in labelled(name):
        told = types[row["address"]]
        if row["reachable"] and row["type"].startswith("obj[") and told["type_known"] in ("inferred", "exact"):
            right = re.sub(r"^\[\d+\]|string data", "", told["type"])
            of_type[right][row["type"]] += 1
            of_label[row["type"]][right] += 1
    split, mixed = outside_of_most(of_type, MANY), outside_of_most(of_label, 1)
    assert split <= SPLITS[name][0] and mixed <= SPLITS[name][1], (split, mixed)


@test
def totals_are_those_of_the_rows():
    info, rows = answer("info", dump_of(ONE)), [row for row in labelled(ONE) if row["reachable"]]
    split = collections.Counter(row["type_known"] for row in rows)
    for known, told in info["typed"].items():
        equal(told["objects"], split[known], f"{known} objects")
    equal(info["typed_objects"], len(rows) - split["none"], "typed objects")
    equal(sum(told["objects"] for told in info["labelled"].values()), split["none"], "labelled")


@test
def alike_objects_share_a_label():
    """The list's nodes and the tree's were allocated at one line each."""
    truth, labels = truth_of(ONE), {row["address"]: row["type"] for row in labelled(ONE)}
    for key, function in (("ListAddrs", "main."), ("TreeAddrs", "main.")):
        counts = collections.Counter(labels[address] for address in truth[key])
        label, count = counts.most_common(1)[0]
        assert label.startswith(f"allocated at {function}"), label
        assert count >= 0.95 * len(truth[key]), counts


@test
def types_table_groups_by_label():
    groups = {row["type"]: row for row in answer("list", "types", dump_of(ONE), "--parts")}
    rows = collections.Counter(row["type"] for row in labelled(ONE))
    equal({label: group["count"] for label, group in groups.items()}, dict(rows), "groups")
    some = max(groups, key=lambda label: groups[label]["count"])
    equal(len(answer("list", "objects", dump_of(ONE), f"type={some}", "--parts")), rows[some], some)


@test
def show_says_what_a_label_is():
    row = next(row for row in labelled(ONE) if row["type"] == "~map header")
    told = answer("show", dump_of(ONE), row["address"])
    equal((told["type"], told["type_known"]), ("~map", "none"), "type of a map's header")
    equal({field["name"] for field in told["fields"]}, {None}, "names of its fields")


@test
def a_label_is_named_with_its_mark_however_it_is_asked():
    """A name selects what cells have: without the mark of a guess none of the labels, and an error says so."""
    dump = dump_of(ONE)
    for label in ("~string data", "~[]byte data"):
        rows = [row for row in answer("list", "objects", dump) if row["type"] == label]
        assert rows, label
        equal(answer("list", "objects", dump, f"type={label}"), rows, label)
        equal(answer("list", "objects", dump, "--where", f'type = "{label}"'), rows, label)
        equal(answer("sql", dump, f"SELECT count(*) AS n FROM objects WHERE type = '{label}'")[0]["n"], len(rows), label)
        for asked in (("list", "objects", dump, f"type={label[1:]}"), ("sql", dump, f"SELECT * FROM objects('type={label[1:]}')")):
            result = run(*asked, expect=None)
            assert result.status in (1, 2) and f"type={label}" in result.err, result
        equal(answer("list", "objects", dump, "--where", f'type = "{label[1:]}"'), [], label)
    assert "~string data" in run("-e", "strings", dump, expect=0).out
