"""Types with an executable that has been stripped, as many are in production: of the runtime's own type
table only. The same executable with its debug information says what is right. All but one lie in
../shared/corpus, and without them their tests are skipped."""

import collections
import functools
import pathlib
import re
import tempfile

import core_files
from executables import built_from, dump_of, exe_of, objects, strip, stripped, sure, unmarked
from harness import ONE, Skip, answer, equal, run, test

LOOKALIKES = pathlib.Path(__file__).with_name("lookalikes.go")
NEIGHBORS = pathlib.Path(__file__).with_name("neighbors.go")
# Percent of the reachable objects, and of their bytes, that have a type at least. Before Go 1.22 no
# allocation headers help; what hangs on global and local variables alone is guessed, of amd64 and
# arm64 by the types that the code of the variable's package names.
SHARES = {
    ONE: (92.5, 80.7),
    "go1.15.15-server": (99.3, 97.3),
    "go1.19.8-server": (99, 82.2),
    "go1.19.8-small": (99.1, 80.3),
    "go1.21.13-small": (99.2, 80.4),
    "go1.22.12-small": (99.3, 80.8),
    "go1.24.4-small-386": (85.1, 80.7),
    "go1.24.4-small-mips": (85.1, 80.6),
    "go1.24.4-small-pie": (99.1, 80.8),
    "go1.24.4-small-s390x": (92.4, 80.7),
    "go1.26.10-server": (99, 86.1),
    "go1.27.3-small": (99.3, 80.9),
    "raftkv-go1.19": (89, 90.5),
    "webmetrics-go1.23": (99.8, 99.8),
    "go1.19-corner": (99.8, 85.7),
    "go1.27-corner": (99.8, 84.6),
    "go1.19-park-plain-quiet": (97.4, 88.5),
    "go1.24-park-plain-quiet": (97.2, 91.8),
    "go1.24-park-arm64-quiet": (97.6, 91.4),
    "go1.27-park-plain-quiet": (96.8, 91.8),
    "go1.19-drift-1": (25.8, 64.1),
    "go1.19-drift-2": (84.2, 82.1),
    "go1.19-drift-3": (88.7, 87.3),
    "go1.27-drift-1": (99.5, 92.8),
    "go1.27-drift-2": (98.8, 95.4),
    "go1.27-drift-3": (98.8, 96.7),
}
# How many may have another type than with the debug information: a share, or so many.
ALLOWED = {"exact": (1 / 100_000, 0), "inferred": (1 / 100, 1), "guess": (5 / 100, 1)}


@functools.lru_cache(maxsize=1)
def reachable(name):
    rows = unmarked(answer("list", "objects", dump_of(name), "--exe", stripped(name), "--parts"))
    return [row for row in rows if row["reachable"]]


def plain(name):
    """A type's name without packages, whose names the two tell differently here and there. The
    runtime makes timers as what package time knows as its own, and has one type for what waits for a
    channel, and one for the tables of a map, whatever these are of."""
    name = name.replace("uint8", "byte").replace("runtime.timeTimer", "time.Timer")
    name = re.sub(r"^chan .* \(waiter\)$", "runtime.sudog", name)
    name = re.sub(r"map\[.* \(table\)$", "maps.table", name)
    return re.sub(r"[\w.\-~/%]*[./]", "", name).replace("Ticker", "Timer")


def is_same(told, right, known):
    """How many there are in a row is part of what is exact. Of a block of small values fewer may be
    known, which is never exact."""
    if known != "exact":
        if right == "tiny block":
            return True
        told, right = (re.sub(r"^\[\d+\]", "", name) for name in (told, right))
    begins = [plain(name.partition("…#")[0].rpartition(" ")[0]) for name in (told, right) if "…#" in name]
    if begins:  # a long name, of which the middle is left out: with packages elsewhere than without
        return all(plain(name).startswith(begin) for name in (told, right) for begin in begins)
    return plain(told) == plain(right)


@test(each=SHARES, builds=["gcc"], most=10)
def share_of_typed_objects(name):
    rows = reachable(name)
    for measure, least in zip((lambda row: 1, lambda row: row["size"]), SHARES[name]):
        typed = sum(measure(row) for row in rows if row["type_known"] != "none")
        assert typed * 100 >= least * sum(map(measure, rows)), (typed, least)


@test(each=SHARES, builds=["gcc"], most=10)
def types_are_those_with_debug_information(name):
    """Closures are told as their functions' type, structs by their first field, here and there."""
    types, right, wrong = objects(name), collections.Counter(), collections.defaultdict(collections.Counter)
    for row in reachable(name):
        told, known = types[row["address"]], row["type_known"]
        if "none" in (known, told["type_known"]):
            continue
        if is_same(row["type"], told["type"], known):
            right[known] += 1
        else:
            wrong[known][row["type"], told["type"]] += 1
    assert right["exact"] > 30, right
    for known, (share, some) in ALLOWED.items():
        total, count = right[known] + sum(wrong[known].values()), sum(wrong[known].values())
        assert count <= max(share * total, some), (known, total, wrong[known].most_common(5))


@test(builds=["gcc"])
def what_is_exact_hangs_on_no_guess():
    """What a record or an allocation header says, and what that leads to: here at least the rows of
    more than 512 bytes, none of which the program holds in an interface. How long they are their
    slices say, of which nothing is known here."""
    known = {row["address"]: row["type_known"] for row in reachable(ONE)}
    types = objects(ONE)
    rows = [address for address, row in types.items() if address in known and 512 < row["size"] <= 32768
            and re.match(r"\[\d+\]\*main\.", row["type"] or "")]
    assert len(rows) > 5 and not {known[address] for address in rows} & {"guess", "none"}, rows


@test(each=[ONE, "go1.26.10-server", "go1.27-corner"], builds=["gcc"])
def tries_are_known_without_debug_information(name):
    """Nodes of a sync.Map have types that no variable in the type table leads to."""
    def nodes(exe):
        rows = answer("list", "types", dump_of(name), "--exe", exe, "--parts")
        counts = collections.Counter()
        for row in rows:
            if re.match(r"~?(internal/sync|unique)\.(node|indirect|entry)\[", row["type"]):
                counts[sure(row["type"])] += row["count"]
        return counts

    want = nodes(exe_of(name))
    assert want.get("internal/sync.indirect[any,any]", 0) > 1, want
    equal(nodes(stripped(name)), want, "nodes")


@test(each=["go1.26.10-server", "go1.24-park-plain-quiet", "raftkv-go1.19"], builds=["gcc"])
def nothing_is_taken_for_something_else(name):
    right = objects(name)
    wrong = [(row["address"], row["type"], right[row["address"]]["type"]) for row in reachable(name)
             if row["type_known"] != "none" and not is_same(row["type"], right[row["address"]]["type"], row["type_known"])]
    equal(wrong, [], "address, type told, right type")


@test(builds=["gcc"])
def lookalikes_are_told_apart():
    """Pairs of pointers are no slots of a map, and headers of maps no structs with a slice."""
    dump, exe, _ = built_from(LOOKALIKES)
    with tempfile.NamedTemporaryFile() as file:
        file.write(strip(pathlib.Path(exe)))
        file.flush()
        right, told = ({row["address"]: row for row in unmarked(answer("list", "objects", dump, "reachable", "--exe", each, "--parts"))}
                       for each in (exe, file.name))
    wrong = [(told[at]["type"], row["type"]) for at, row in right.items()
             if told[at]["type_known"] != "none" and not is_same(told[at]["type"], row["type"], told[at]["type_known"])]
    headers = [(one, of) for one, of in wrong if of.startswith("map[") and not one.startswith("map[")]
    equal(headers, [], "parts of maps with other types")
    equal([one for one, _ in wrong if one.startswith("struct { key ")], [], "slots that are none")


@test(builds=["gcc"])
def a_map_has_the_type_of_its_groups():
    """Not that of a struct which has a map of the same shape: values of another size than these are no values of it."""
    dump, exe, truth = built_from(NEIGHBORS)
    if int(answer("info", dump)["go_version"].split(".")[1]) < 22:
        raise Skip("before Go 1.22 the allocator writes no types into groups; GO=program names a newer Go")
    with tempfile.NamedTemporaryFile() as file:
        file.write(strip(pathlib.Path(exe)))
        file.flush()
        rows = answer("list", "types", dump, "--exe", file.name)
    entries = collections.Counter()
    for row in rows:
        if row["type"].startswith(("map[string]", "~map[string]")):
            entries[row["type"]] += row["entries"]
    equal(entries["map[string]*main.plate"], truth["plates"], "plates")
    assert entries["map[string]main.bowl"] + entries["~map[string]main.bowl"] <= truth["bowls"], entries


def marked(lines):
    """Names of types that begin with the mark of a guess, "~", and others. Names of labels may begin with it, too."""
    names = {line.removeprefix("type ") for line in lines}
    return {name[1:] for name in names if name[0] == "~"}, {name for name in names if name[0] != "~"}


def guessed_types(rows):
    """By name: of a tenth of its objects or more it is a guess that they have it."""
    count = collections.Counter(row["type"] for row in rows)
    guessed = collections.Counter(row["type"] for row in rows if row["type_known"] == "guess")
    known = {row["type"] for row in rows if row["type_known"] != "none"}
    return {name: guessed[name] > 0 and guessed[name] >= count[name] // 10 for name in known if name}


@test(builds=["gcc"])
def a_guess_is_marked_in_memory_and_breakdown():
    core = core_files.core("go1.26-park-stripped-quiet")
    unreachable = guessed_types([row for row in answer("list", "objects", core) if not row["reachable"]])
    shown = [line[4:].split("  ")[0] for line in run("list", "memory", core, "--depth", "3", expect=0).out.splitlines() if line[:4] == " " * 4]
    guesses, others = marked(name for name in shown if name.strip())
    equal({name for name in unreachable if unreachable[name] and name in guesses | others} - guesses, set(), "not marked in memory")
    equal({name for name in unreachable if not unreachable[name]} & guesses, set(), "marked in memory")
    assert guesses & set(unreachable), shown
    files = (dump_of("go1.24.4-small-stripped"), "--exe", exe_of("go1.24.4-small-stripped"))
    sampled = {row["object"] for row in answer("list", "samples", *files)}
    live = guessed_types([row for row in answer("list", "objects", *files) if row["address"] in sampled])
    tree = run("list", "breakdown", *files, "--depth", "99", expect=0).out
    guesses, others = marked(re.findall(r"type (\S.*?)  ", tree))
    equal({name for name in live if live[name] and name in guesses | others} - guesses, set(), "not marked in breakdown")
    equal({name for name in live if not live[name]} & guesses, set(), "marked in breakdown")
    assert guesses & set(live), tree
