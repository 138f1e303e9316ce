"""The findings: places do not overlap and have the objects that they say; what the truth calls the leak is there."""

import re

from executables import dump_of, exe_of, truth_of, unmarked
from harness import answer, equal, input_of, oracle, real_files, run, stored, test, truth_in

PLACES = ("place", "runtime")
ORACLE = ["go1.24.4-small", "go1.26.10-server", "go1.27.3-small"]
HOLDERS = "go1.24-holders"
SAMPLES = [*ORACLE, "go1.19-drift-3", "go1.27-drift-3"]


OTHERS = {"runtime", "library", "libraries", "ended", "free slots"}  # kinds that are not of the program itself


def exe_for(name):
    return exe_of(name.rsplit("-", 1)[0] + "-1" if "-drift-" in name else name)


def found(dump, exe, *options):
    return answer("list", "findings", dump, "--exe", exe, *options)


@test(each=ORACLE, builds=["gcc"])
def places_have_their_objects_and_do_not_overlap(name):
    dump, exe = dump_of(name), exe_for(name)
    graph, seen = oracle(name), {}
    rows = [row for row in found(dump, exe) if row["kind"] in PLACES]
    assert rows, "no place"
    equal(sum(row["bytes"] for row in rows) <= graph.reachable_bytes(), True, "their bytes are reachable ones")
    for row in rows:
        number, _, kind = row["what"].rpartition(" × ")
        kind = kind.split(", ")[0]
        objects = answer("list", "objects", dump, f"at={row['name']}", "--exe", exe)
        of_kind = answer("list", "objects", dump, f"at={row['name']} type={kind}", "--exe", exe)
        equal([one["address"] for one in objects if one["type"] == kind],
              [one["address"] for one in of_kind], f"those of type {kind} at {row['name']}")
        equal(len(of_kind), row["count"], f"objects at {row['name']}")
        equal(int(number.replace(",", "") or 1), row["count"], "the number in words")
        own = sum(graph.dump.objects[graph.dump.find(int(one["address"], 16))].size for one in of_kind)
        assert own <= row["bytes"], (row, own)
        for one in of_kind:
            equal(seen.setdefault(one["address"], row["name"]), row["name"], f"the place of {one['address']}")


def without_keys(name):
    return re.sub(r'\[("(\\.|[^"\\])*"|\d+)\]', "[*]", name)


def places(dump, exe):
    """(name, type) -> [(objects, bytes)] of all rows of the table where, whose names are steps from the row above, behind
    those to an entry that all are in."""
    steps, found = [], {}
    for row in answer("list", "where", dump, "--exe", exe, "--depth", "99"):
        name = (row["name"] or "").strip() or f" > {row['type']}"
        plain = without_keys(name.split(" (")[0] if name.startswith("runtime.") else name)
        steps[row["depth"]:] = []
        if "[*]" in plain and plain != name:
            above = ["".join(steps[at:]) for at in range(len(steps))]
            plain = plain.removeprefix(next((a for a in above if plain.startswith(a) and plain != a), ""))
        steps.append(plain)
        found.setdefault(("".join(steps), row["type"]), []).append((row["count"], row["bytes"]))
    return found


def same_as_where(dump, exe):
    known, rows = places(dump, exe), [row for row in found(dump, exe) if row["kind"] in PLACES]
    for row in rows:
        kind = row["what"].rpartition(" × ")[2].split(", ")[0]
        steps = without_keys(row["name"])  # where all are in one entry
        assert (row["count"], row["bytes"]) in known[steps, kind], (row, known[steps, kind])
    return rows


@test(each=[*SAMPLES, "go1.19.8-server"], builds=["gcc"])
def a_row_has_the_objects_and_bytes_of_its_place(name):
    assert same_as_where(dump_of(name), exe_for(name))


def of_holders():
    return same_as_where(dump_of(HOLDERS), exe_of(HOLDERS)), found(dump_of(HOLDERS), exe_of(HOLDERS))


@test
def texts_and_maps_of_lines_are_two_rows():
    told, rows = truth_of(HOLDERS), {row["name"]: row for row in of_holders()[0]}
    texts, maps = rows["main.gBuffer.Lines[*].Text"], rows["main.gBuffer.Lines[*].Match"]
    equal((texts["what"], texts["bytes"]), (f"{told['lines']} × []byte", told["texts"]), "texts")
    equal(maps["what"], f"{told['lines']} × map[int]main.group, {5 * told['lines']:,} entries", "maps")


@test(each=[("by_name", "main.gApp.Server.ByName[*]", "main.session"), ("by_id", "main.gApp.Server.ByID[*]", "main.session"),
            ("scratched", "main.gApp.Server.Scratch[*]", "main.scratch"),
            ("pooled", "main.gApp.Server.Pool.local[*]", "main.scratch")])
def what_package_sync_holds_inside_of_objects(key_place_type):
    """In maps and pools: entries, nodes and lists are parts of these, and no steps."""
    key, place, kind = key_place_type
    told, known = truth_of(HOLDERS)[key], places(dump_of(HOLDERS), exe_of(HOLDERS))
    counts = [count for each in (kind, "~" + kind) for count, _ in known.get((place, each), ())]
    equal(sum(counts), told, f"objects at {place}")
    rows = answer("list", "objects", dump_of(HOLDERS), "--exe", exe_of(HOLDERS), f"at={place}")
    equal((len(rows), {row["type"] for row in unmarked(rows)}), (told, {kind}), f"objects at={place}")


@test
def dead_weak_pointers_are_counted():
    told, rows = truth_of(HOLDERS), of_holders()[1]
    dead = {row["name"]: row for row in rows if row["kind"] == "dead weak pointers"}
    equal(set(dead), {"main.gCache.ByID", "main.gCache.All"}, "where")
    for row in dead.values():
        equal((row["count"], row["what"]), (told["dead"], f"{told['dead']} of {told['weak']} weak pointers are dead"), "what")
    fields = answer("list", "fields", dump_of(HOLDERS), "main.gCache.All", "--exe", exe_of(HOLDERS))
    equal(sum(row["text"] == "dead" for row in fields), told["dead"], "elements of the slice")
    equal(sum((row["text"] or "").startswith("weak 0x") for row in fields), told["weak"] - told["dead"], "others")


@test(each=["go1.24.4-small", "go1.26.10-server", HOLDERS], builds=["gcc"])
def wrappers_of_go_statements_stand_for_what_they_call(name):
    rows = answer("list", "goroutines", dump_of(name), "--exe", exe_of(name))
    equal([row["function"] for row in rows if re.search(r"\.(gowrap|deferwrap)\d+$", row["function"] or "")], [], "wrappers")
    cleanup = [row["function"] for row in rows if "UniqueMapCleanup" in (row["function"] or "")]
    equal(len(cleanup), name == "go1.24.4-small", "the goroutine of package unique")


@test
def timers_have_one_row():
    told, rows = truth_of(HOLDERS), of_holders()[1]
    equal([row["count"] for row in rows if "imer" in row["what"]], [told["timers"]], "rows of timers")


@test
def elements_outside_of_a_slice_are_not_in_it():
    """A queue that is cut at its front holds all that was in it; both screens count what is in the slice by itself."""
    told, rows = truth_of(HOLDERS), of_holders()[1]
    [row] = [row for row in rows if row["name"].startswith("main.gQueue.Events")]
    equal(row["what"], f"{told['events'] - told['queued']} × main.event outside slices", "what is found")
    tree = answer("list", "where", dump_of(HOLDERS), "--exe", exe_of(HOLDERS), "--depth", "9", "--where", "expression ~ 'main.gQueue.Events'")
    counts = {row["name"]: row["count"] for row in tree if row["type"] == "main.event"}
    equal(counts, {"[*]": told["queued"], "[*] outside": told["events"] - told["queued"]}, "of each step")


@test(builds=["gcc"])
def parts_of_elements_have_their_own_bytes():
    """The program tells how many bytes the texts of its lines have, and how many the maps beside them."""
    rows = same_as_where(stored("daemons2/lines.core"), stored("daemons2/lines"))
    want = truth_in("daemons2/truth.json")["lines"]["bytes"]
    for kind, size in want.items():
        [row] = [row for row in rows if f"8,000 × {kind}" in row["what"].replace("~", "")]
        assert abs(row["bytes"] - size) < size / 50, (row, size)


@test(builds=["gcc"])
def what_a_map_of_package_sync_holds_is_said():
    """5,000 buckets in a sync.Map that an object points to; 3,000 of them in the core before."""
    core, old = stored("daemons2/buckets.2.core"), stored("daemons2/buckets.1.core")
    rows = found(core, stored("daemons2/buckets"), "--since", old)
    [row] = [row for row in rows if row["what"].replace("~", "") == "5,000 × main.leaky"]
    assert row["name"].endswith(".buckets.live[*]"), row
    [row] = [row for row in rows if row["what"] == "3,000 > 5,000"]
    assert row["name"].endswith(".buckets.live"), row


@test(each=["go1.19", "go1.27"], builds=["gcc"])
def goroutines_that_pile_up_between_two_dumps_come_first(version):
    """Of the program's groups the senders alone grow by many."""
    first, last = (sum(one["kind"] == "send" for one in truth_of(f"{version}-drift")["dumps"][dump]["goroutines"])
                   for dump in (0, 2))
    rows = found(dump_of(f"{version}-drift-3"), exe_of(f"{version}-drift-1"), "--since", dump_of(f"{version}-drift-1"))
    row, = (row for row in rows if row["kind"] == "more goroutines")
    equal(row["count"], last - first, "how many more")
    assert row["name"].startswith("main.leakSend") and row["mark"] == "+", row
    assert rows.index(row) < min(i for i, other in enumerate(rows) if other["mark"] != "+"), rows
    alone = found(dump_of(f"{version}-drift-3"), exe_of(f"{version}-drift-1"))
    equal([row for row in alone if row["kind"] == "more goroutines"], [], "without an earlier dump")


@test(each=SAMPLES, builds=["gcc"])
def lost_goroutines_are_found_by_their_groups(name):
    dump, exe = dump_of(name), exe_for(name)
    lost = answer("list", "lost", dump, "--exe", exe)
    rows = [row for row in found(dump, exe) if row["kind"] == "lost"]
    equal(sum(row["count"] for row in rows), len(lost), "lost goroutines")
    equal(len(rows), len({row["group"] for row in lost}), "groups with lost goroutines")
    alone = sum(row["stack_bytes"] + row["retained_bytes"] for row in lost)
    assert sum(row["bytes"] for row in rows) >= alone, "those of a group may share objects"
    equal([row["bytes"] for row in rows], [row["frees"] for row in rows], "their bytes")
    equal({row["mark"] for row in rows} <= {"!"}, True, "marks")


@test(builds=["gcc"])
def the_leaks_of_real_programs_are_found():
    dump, _ = real_files("raftkv-go1.19")
    rows = found(dump, exe_of("raftkv-go1.19"))
    first = rows[0]
    equal((first["kind"], first["count"]), ("goroutines", 3000), "the goroutines that wait")
    equal(first["name"], "main.watchLoop, main.cluster.Nodes[0].FSM.Watchers[*].C", "where, and for what")
    equal([row["count"] for row in rows if row["name"] == "main.cluster.Nodes[0].FSM.Watchers[*]"], [3000], "watchers")
    dump, _ = real_files("webmetrics-go1.23")
    rows = found(dump, exe_of("webmetrics-go1.23"))
    equal([row["count"] for row in rows if row["name"] == "main.gw.Metrics.Requests.MetricVec.metricMap.metrics[*]"],
          [30000], "children of the metric")
    equal([row["count"] for row in rows if row["kind"] == "goroutines" and row["name"].startswith("main.(*Gateway).report")],
          [120], "goroutines that write the report")


@test(each=["go1.19", "go1.27"], builds=["gcc"])
def what_grew_comes_first(version):
    dumps = [dump_of(f"{version}-drift-{number}") for number in (1, 2, 3)]
    rows = found(dumps[2], exe_of(f"{version}-drift-1"), "--since", dumps[0], "--since", dumps[1])
    grown = [row for row in rows if row["kind"] == "growth"]
    equal({row["kind"] for row in rows if row["mark"] == "+"}, {"growth", "more goroutines"}, "kinds")
    equal([row["mark"] for row in rows[: len(grown) + 1]], ["+"] * (len(grown) + 1), "what grew")
    equal([row["what"] for row in grown if row["name"] == "main.sessions"], ["400 > 800 > 1,200"], "main.sessions")
    equal([row for row in found(dumps[2], exe_of(f"{version}-drift-1")) if row["kind"] == "growth"], [], "of one dump")


@test(builds=["gcc"])
def records_of_goroutines_that_have_ended_are_counted():
    case = "cases/runtime-words-goroutines-1.26"
    rows = [row for row in found(stored(f"{case}/app.dump"), stored(f"{case}/app")) if row["kind"] == "ended"]
    assert 59_900 <= rows[0]["count"] <= 60_099, rows


@test(builds=["gcc"])
def buffers_of_connections_are_no_duplicates():
    """Whatever is in them now: those that leak come first, as the program tells them."""
    case = "cases/pass-http-1.24"
    told, rows = truth_in(f"{case}/program-truth.json"), found(stored(f"{case}/app.dump"), stored(f"{case}/app"))
    equal([row["kind"] for row in rows if row["kind"] == "duplicates"], [], "equal contents")
    leaking = {row["name"]: row["count"] for row in rows if row["kind"] == "goroutines"}
    equal(leaking["net/http.(*persistConn).Read"], told["transports_leaked"], "idle connections")
    equal(leaking["net/http.(*persistConn).readLoop"], told["bodies_open"], "bodies that are not read")
    dump, exe = stored(f"{case}/app.dump"), stored(f"{case}/app")
    kinds = {(row["length"], row["kind"]) for row in answer("list", "duplicates", dump, "--exe", exe)}
    equal({kind for length, kind in kinds if length == 4096}, {"buffer"}, "arrays of readers and writers")
    assert (4, "string") in kinds, kinds


@test(each=SAMPLES, builds=["gcc"])
def what_a_row_is_about_is_not_cut(name):
    """At 80x24, of goroutines that can never wake up and of those that have ended."""
    screen = run("-e", "wait all\noverview", "--size", "80x24", dump_of(name), "--exe", exe_for(name), expect=0).out
    lines = [line for line in screen.split("\n") if line.startswith((" ! ", " ~ "))]
    for line in lines:
        assert re.search(r"never wake|finalizer|cleanup|have ended|unused parts|unused capacity|equal "
                         r"|free slots|timers", line), screen
    rows = found(dump_of(name), exe_for(name))[: len(lines)]
    assert lines or not any(row["mark"] for row in rows), screen


@test(each=SAMPLES, builds=["gcc"])
def the_first_page_begins_with_findings_and_folds_what_is_small(name):
    """The account and a sentence stand before them, and what is wrong; one row stands for those below 1 %."""
    screen = run("-e", "wait all\noverview", "--size", "80x24", dump_of(name), "--exe", exe_for(name), expect=0).out
    lines = screen.split("\n")[3:]
    rows = found(dump_of(name), exe_for(name))
    if not rows:
        return
    heads = next(i for i, line in enumerate(lines) if re.match(r" +bytes +frees", line))
    wrong = sum(bool(re.match(r" (Crashed|Ended|in goroutine|Most of the heap|No root)", line)) for line in lines)
    assert heads <= max(3, 2 + wrong), screen
    more = re.search(r"^   ([\d,]+) more(.*): (?:up to )?([\d.]+ .?B)", screen, re.M)
    folded = rows[len(rows) - int(more[1].replace(",", "")):] if more else []
    largest = max([row["bytes"] or 0 for row in rows] + [answer("info", dump_of(name))["reachable_bytes"]])
    small = [(row["bytes"] or 0) < largest // 100 * (10 if row["kind"] in OTHERS else 1) and row["mark"] not in ("!", "+")
             for row in rows]
    if not more or "below" in more[2]:
        equal(small, [False] * (len(rows) - len(folded)) + [True] * len(folded), screen)


@test(builds=["gcc"])
def there_is_no_such_place():
    result = run("list", "objects", dump_of("go1.24.4-small"), "at=main.nothing", expect=2)
    assert "There is no such place" in result.err, result


@test(builds=["gcc"])
def the_first_line_is_one_where_the_heap_is_partly_resident():
    """Of a heap of which only a part is in memory the line has most sums."""
    shown = run("-e", "overview", "--exe", stored("daemons/node_exporter.exe"), stored("daemons/node_exporter.core"),
                expect=0).out.splitlines()
    assert re.fullmatch(r" [\d.]+ MB heap, [\d.]+% reachable, [\d.]+% resident · [\d.]+ KB stacks · [\d.]+ MB RSS",
                        shown[3]), shown[3]
    equal(shown[4].startswith(" Most of the heap is unreachable"), True, "the line after it")


# ---- Programs before they were mended: ../shared/corpus/value has the place of what each wastes

def mended():
    """(program, file, executable, names of the place), of those that were worth mending."""
    return [(one["case"], file, one["exe"], one["places"]) for one in truth_in("value/fixes/truth.json")
            if not one["trap"] for file in one["files"]]


FIRST = 5  # rows


@test(builds=["gcc"])
def what_was_mended_is_among_the_first_rows():
    first = said = 0
    for program, file, exe, places in mended():
        dump = input_of(f"value/fixes/{file}"), input_of(f"value/fixes/{exe}")
        rows = answer("list", "findings", dump[0], "--exe", dump[1])
        at = [number for number, row in enumerate(rows[:FIRST]) if row["name"] in places]
        assert at, (program, places, [row["name"] for row in rows])
        first += at[0] == 0
        head = "".join(run("-e", "overview", *dump, expect=0).out.split("bytes")[0].split())
        said += at[0] == 0 and any("".join(place.split()) in head for place in places)
        bare = [row["name"] for row in rows if row["kind"] in ("place", "field", "unused parts")]
        equal(len(bare), len(set(bare)), f"places of {program}, each once")
    assert first >= 11, first
    equal(said, first, "sentences that name the place of the first row")


@test(builds=["gcc"])
def a_field_with_most_of_a_set_is_a_row():
    file, exe = (input_of(f"value/fixes/go1.26/{name}") for name in ("docs.core", "app"))
    rows = {row["name"]: row for row in answer("list", "findings", file, "--exe", exe)}
    docs, raw = rows["main.shelf.docs[*]"], rows["main.shelf.docs[*].Raw"]
    equal((docs["kind"], raw["kind"], raw["what"]), ("place", "field", "1,500 × []byte"), "rows")
    assert docs["bytes"] / 2 <= raw["bytes"] < docs["bytes"], (docs, raw)
    objects = answer("list", "objects", file, "--exe", exe, raw["expression"])
    equal((len(objects), sum(one["size"] for one in objects)), (1500, raw["bytes"]), "its objects")
