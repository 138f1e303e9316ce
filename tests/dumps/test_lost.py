"""Goroutines that can never wake up: those that the programs know to be lost, and no other."""

import json
import pathlib
import re
import tempfile

from executables import built_from, dump_of, exe_of, truth_of
from harness import DUMPS, LAYOUTS, ROOT, SERVER, SMALL, answer, equal, oracle, run, test, truth, unpacked

DRIFT = [f"go1.{minor}-drift-{phase}" for minor in (19, 27) for phase in (1, 2, 3)]
# Of `small`, whatever else waits does so for a global variable.
LOST_IN_SMALL = {"main.gEmptySelect", "main.gNilChan", "main.gSend", "main.spawnAll.func1"}
SINCE = 4  # Go 1.x: before, what a goroutine waits for is not told


def minor(name):
    return int(re.match(r"go1\.(\d+)", name)[1])


def lost(path, *exe):
    return answer("list", "lost", path, *exe)


def phase_of(name):
    return truth_of(re.sub(r"-\d$", "", name))["dumps"][int(name[-1]) - 1]


def ids(rows):
    return sorted(row["id"] for row in rows)


@test(each=DRIFT, builds=["gcc"])
def exactly_those_of_a_series(name):
    phase = phase_of(name)
    right = sorted(g["id"] for g in phase["goroutines"] if g["leaked"])
    for exe in ([], ["--exe", exe_of(name)]):
        rows = lost(dump_of(name), *exe)
        equal(ids(rows), right, "lost goroutines")
    kinds = {g["id"]: g["kind"] for g in phase["goroutines"]}
    for row in rows:
        kind, on = kinds[row["id"]], row["waits_on"]
        if kind in ("nil channel", "empty select"):
            equal(on, {"nil channel": "nil channel", "empty select": "no case"}[kind], "waits_on")
        elif kind == "select":
            assert re.fullmatch(r"chan int 0x\w+, chan string 0x\w+", ", ".join(sorted(on.split(", ")))), row
        elif kind in ("send", "receive") or kind.startswith("pair"):
            assert re.fullmatch(r"chan (int|string) 0x\w+", on), row
        assert row["function"].startswith("main.leak") and row["creator"].startswith("main."), row


@test(builds=["gcc"])
def as_many_as_the_series_has_phases():
    for name in DRIFT:
        equal(len(lost(dump_of(name))), 85 * int(name[-1]), name)


@test(builds=["gcc"])
def the_runtime_s_own_report_agrees():
    report = phase_of("go1.27-drift-3")["leak_report"]
    right = sorted(int(g) for g in re.findall(r"^goroutine (\d+) \[.*\(leaked\)\]:$", report, re.M))
    equal(len(right), 255, "goroutines in the report")
    equal(ids(lost(dump_of("go1.27-drift-3"))), right, "lost goroutines")


@test(each=SMALL)
def none_of_those_that_globals_could_wake(name):
    rows = lost(unpacked(name))
    assert {row["function"] for row in rows} <= LOST_IN_SMALL | {"chanrecv"}, rows
    equal(len(rows), 3 if minor(name) >= SINCE else 2, "lost goroutines")
    assert all("(no cases)" in row["wait_reason"] or "(nil chan)" in row["wait_reason"]
               or row["wait_reason"] == "chan send" for row in rows), rows


@test(each=SERVER)
def those_that_a_service_has_lost(name):
    rows = lost(unpacked(name))
    known = truth(name)["LeakedGoroutines"] if minor(name) >= SINCE else 0
    equal(len(rows), known, "lost goroutines")
    assert all("ServeHTTP" in row["function"] for row in rows), rows


@test(each=["raftkv-go1.19", "webmetrics-go1.23", "go1.19-corner", "go1.27-corner"], builds=["gcc"])
def none_where_a_map_holds_what_they_wait_on(name):
    equal(lost(dump_of(name)), [], "lost goroutines")


def held(graph, goroutines):
    """The objects that nothing holds but these goroutines, by the plainest means: what is reachable
    without their stacks, and without the runtime's records of them."""
    dump = graph.dump
    records = {dump.find(dump.goroutines[g].address) for g in goroutines}
    cut = set(records)
    for index, references in enumerate(graph.references):
        if references and references[0][0] == 0 and references[0][1] in records \
                and dump.objects[index].size in (64, 96, 112):
            cut.add(index)
    return graph.gone([root for root in graph.roots if root.goroutine not in goroutines],
                      follows=lambda source, *_: source not in cut)


def of_ids(graph, wanted):
    return {i for i, g in enumerate(graph.dump.goroutines) if g.id in wanted}


@test(each=[name for name in DUMPS if minor(name) >= SINCE and name in LAYOUTS | {"go1.19.8-server"}],
      builds=["gcc"])
def their_bytes_go_with_them(name):
    rows, graph = lost(unpacked(name)), oracle(name)
    together = held(graph, of_ids(graph, set(ids(rows))))
    info = answer("info", unpacked(name))
    equal(info["lost_goroutines"], len(rows), "lost_goroutines")
    equal(info["lost_bytes"], graph.size(together), "lost_bytes")
    equal(info["lost_stack_bytes"], sum(row["stack_bytes"] for row in rows), "lost_stack_bytes")
    for row in rows[:5]:
        equal(row["retained_bytes"], graph.size(held(graph, of_ids(graph, {row["id"]}))), f"bytes of {row}")


@test(builds=["gcc"])
def those_that_wait_for_global_variables_are_counted():
    """None of them is lost, since a variable is always in reach, but they wait."""
    dump, exe, counts = built_from(ROOT / "tests" / "dumps" / "staticlocks.go")
    for options in ([], ["--exe", exe]):
        result = run("list", "lost", dump, *options, expect=0)
        number = re.search(r"still reach what (\d+) others wait for", result.err)
        assert number and int(number[1]) == sum(counts.values()), result


@test(each=["go1.19-corner", "go1.27-corner"])
def where_nobody_waits_that_is_said_of_all_kinds(name):
    """Goroutines of the runtime wait always; of the program none does in these."""
    reasons = {row["name"] for row in answer("list", "reasons", dump_of(name))}
    assert not re.search(r"chan|select|sync|semacquire|coroutine", " ".join(reasons)), reasons
    said = run("list", "lost", dump_of(name), expect=0).err
    assert "No goroutine of the program waits for a channel, a lock, a wait group, a condition or a coroutine." in said, said


@test
def a_check_tells_of_them():
    result = run("check", unpacked("go1.24.4-small"), "--assert", "lost() == 0", "--json", expect=1)
    equal(json.loads(result.out)[0]["value"], 3, "value")
    run("check", unpacked("go1.27-corner"), "--assert", "lost() == 0", expect=0)


@test
def coroutines_that_nobody_can_resume():
    """testdata/README.md: of 230 that wait, 30 can be resumed by a variable."""
    path = unpacked("go1.26-coroutines")
    rows = lost(path)
    equal(len(rows), 200, "lost goroutines")
    equal({row["wait_reason"] for row in rows}, {"coroutine"}, "reasons")
    equal({row["function"] for row in rows}, {"main.first.rows.func1"}, "functions")
    equal(answer("info", path)["lost_unknown"], 0, "of which it cannot be told")


@test
def nothing_is_said_of_what_cannot_be_told():
    """Up to Go 1.3 no dump leads to what a goroutine waits for."""
    path = unpacked("go1.3.3-small")
    result = run("list", "lost", path)
    assert "cannot be told" in result.err and "can still" not in result.err, result.err
    assert answer("info", path)["lost_unknown"] > 0
    run("check", path, "--assert", "lost() < 2", expect=1)
    result = run("check", path, "--assert", "lost() = 2", expect=2)
    assert "cannot be told" in result.err, result.err


@test(each=["go1.24.4-small", "go1.26-coroutines", "go1.3.3-small"])
def none_is_lost_for_want_of_roots(name):
    """Where the dump is cut before the end of its roots, or damaged before it, what a goroutine waits for may be held by
    what is missing. What is wrong behind them changes nothing."""
    whole = pathlib.Path(unpacked(name)).read_bytes()
    rows = {row["id"]: row["wait_reason"] for row in lost(unpacked(name))}
    forever = {id for id, reason in rows.items() if "(no cases)" in reason or "(nil chan)" in reason}
    first = lambda kind: answer("list", "records", unpacked(name), kind, "--limit", "1")[0]["offset"]
    data, bss, end = first("data"), first("bss"), first("memstats")
    zero = lambda at: whole[:at] + bytes(64) + whole[at + 64:]
    changed = [whole[:at] for at in (data - 20_000, data, data + 9_000, bss, bss + 20_000)] + [zero(data + 1), zero(first("goroutine"))]
    behind = [whole[:at] for at in (first("profile") + 1, len(whole) - 1)] + [zero(first("profile") + 1)]
    with tempfile.NamedTemporaryFile(prefix="goheapx-test-", suffix=".dump") as file:
        for kind, contents in ((False, changed), (True, behind)):
            for number, content in enumerate(contents):
                pathlib.Path(file.name).write_bytes(content)
                what = f"{number}, behind the roots: {kind}"
                assert not answer("info", file.name)["whole"], what
                at_most = "at most retained_bytes" in run("list", "lost", file.name).err
                equal(at_most, not kind and bool(lost(file.name)), f"{what}: what roots that are missing may hold")
                if kind:
                    equal(ids(lost(file.name)), sorted(rows), what)
                    continue
                assert set(ids(lost(file.name))) <= forever, what
                said = run("list", "lost", file.name, expect=0).err
                assert "cannot be told" in said and "roots may be missing" in said and "No goroutine" not in said, said
                assert answer("info", file.name)["lost_unknown"] > 0, what
