"""Larger dumps, of programs around well-known libraries. They are not part of the repository: without
them (../shared/corpus/real) these tests are skipped."""

import re

from executables import exe_of
from harness import answer, equal, graph_of, indexed, real_files, run, test

NAMES = ["raftkv-go1.19", "webmetrics-go1.23"]


@test(each=NAMES, builds=["gcc"])
def totals(name):
    path, known = real_files(name)
    info = answer("info", path)
    equal(info["objects"], known["memstats"]["HeapObjects"], "objects")
    equal(info["object_bytes"], known["memstats"]["HeapAlloc"], "object_bytes")
    for key, value in {**known["oracle"], **reached(path)}.items():
        equal(info[key], value, key)


def reached(path):
    """The truth files know nothing of variables on stacks whose address is taken, which keep some objects alive."""
    graph = graph_of(path)
    return {"reachable_objects": len(graph.distance), "reachable_bytes": graph.reachable_bytes()}


@test(each=NAMES, builds=["gcc"])
def named_objects_are_held_by_their_holder(name):
    path, known = real_files(name)
    for named in known["named"]:
        if not named["block"]:
            continue
        shown = answer("show", path, named["addr"], environment=indexed(path))
        equal(shown["address"], named["block"], f"object of {named['name']}")
        equal(shown["size"], named["block_size"], f"size of {named['name']}")
        equal(shown["reachable"], True, f"{named['name']} is reachable")
        steps = answer("path", path, named["addr"], "--parts", environment=indexed(path))[0]
        equal(steps[-1]["address"], named["block"], f"end of the path of {named['name']}")
        if named.get("pointers_to_block") == 1:
            holder = named["pointed_at_by"][0]
            assert steps[-2]["address"] in holder, f"{named['name']}: {steps[-2]} is not {holder}"


@test(each=NAMES, builds=["gcc"])
def goroutine_groups_are_those_of_the_traceback(name):
    path, known = real_files(name)
    rows = answer("list", "goroutines", path)
    reasons = [row["wait_reason"] or row["status"] for row in rows]
    for group in known["goroutine_groups"]:
        if group["count"] >= 100:
            assert reasons.count(group["state"]) >= group["count"], group


@test(each=NAMES, builds=["gcc"])
def named_objects_retain_what_the_oracle_says(name):
    path, known = real_files(name)
    named = [item for item in known["named"] if item["block"]]
    assert len(named) > 10, named
    rows = answer("retained", path, *[item["addr"] for item in named])
    for item, row in zip(named, rows):
        equal(row["address"], item["block"], f"object of {item['name']}")
        told = row["retained_bytes"], row["retained_objects"]
        right = item["retained_bytes_by_oracle"], item["retained_objects_by_oracle"]
        if told != right:  # such variables hold a part of it (see reached)
            graph = graph_of(path)
            right = graph.lost(graph.dump.find(int(item["block"], 16)))
        equal(told, right, f"bytes and objects of {item['name']}")


LEAKS = {  # what the truth files tell of under "leak", as the overview has it
    "raftkv-go1.19": [r"main\.cluster\.Nodes\[\*\]\.FSM\.Data", r"FSM\.Watchers", r"3,000.*chan receive"],
    "webmetrics-go1.23": [r"main\.gw\.Metrics\.Requests\..*\.metrics", r"120 × \[\]byte .*net\.\(\*netFD\)\.Write"],
}


@test(each=NAMES, builds=["gcc"])
def the_overview_names_what_leaks(name):
    path, _ = real_files(name)
    lines = run("info", path, "--exe", exe_of(name)).out.splitlines()
    for leak in LEAKS[name]:
        assert any(re.search(leak, line) for line in lines), f"{leak} in {lines[:40]}"


@test(each=NAMES, builds=["gcc"])
def variables_own_what_goroutines_use(name):
    """The goroutines that run methods of the nodes or of the gateway are no owners of them."""
    path, _ = real_files(name)
    first = {"raftkv-go1.19": "main.cluster.Nodes", "webmetrics-go1.23": "main.gw"}[name]
    rows = answer("list", "owners", path, "--exe", exe_of(name))
    own = [row for row in rows if row["kind"] == "global"]
    equal(own[0]["name"], first, "the variable that owns most")
    assert own[0]["retained_bytes"] < own[0]["owned_bytes"] / 100, "goroutines hold it, too"


@test(builds=["gcc"])
def paths_that_are_alike_are_one():
    """To the channel of one watcher lead its map, its own goroutine, and all the goroutines that watch
    the store which has that map: these are one path, with their number."""
    name = "raftkv-go1.19"
    path, known = real_files(name)
    answers = {one["question"].split(":")[0]: one["answer"] for one in known["questions"]}
    watching = answers["how many goroutines are blocked in main.watchLoop (chan receive)"]
    channel = answers["goroutine of watcher 7"]
    paths = answer("path", path, channel, "--exe", exe_of(name))
    expressions = [steps[0]["path"] for steps in paths]
    equal(expressions[0], "main.cluster.Nodes[0].FSM.Watchers[7].C", "the first path")
    alike = [steps[0]["alike"] for steps in paths if "main.(*KV).Watch.func1" in steps[0]["path"]]
    equal(alike, [watching], "goroutines that watch the store")
    equal(len(answer("path", path, channel, "--parts", "--limit", "2500")), 2500, "paths, each for itself")


@test(builds=["gcc"])
def timers_of_the_runtime_are_said_to_be_such():
    """Each watcher has a timer that nothing of the program leads to first, but a processor's heap of them."""
    name = "raftkv-go1.19"
    path, _ = real_files(name)
    exe = ("--exe", exe_of(name))
    timers = answer("list", "objects", path, *exe, "--where", "type == 'time.Timer'", "--limit", "3")
    for timer in timers:
        root, *steps = answer("list", "path", path, timer["address"], *exe)
        equal(root["name"], "runtime.allp (timers)", "the root")
        assert any(step["name"].startswith(".timers[") for step in steps), steps
