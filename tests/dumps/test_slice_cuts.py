"""Elements outside of the windows of slices, against a program that is built here, where there is a Go compiler, and
tells which ones it has cut off: the findings name these places and no others, with what they alone keep alive."""

import json
import os
import pathlib
import re
import tempfile

from executables import built_from
from harness import answer, equal, graph_of, run, stored, test, truth_in

SOURCE = pathlib.Path(__file__).with_name("slicecuts.go")
CASE = "cases/slice-window-1.22"


def built():
    return built_from(SOURCE)


def cuts(dump, exe, *options):
    """The findings of this kind, by place."""
    rows = answer("list", "findings", dump, "--exe", exe, *options)
    return {row["name"]: row for row in rows if row["kind"] == "outside slices"}


def freed(graph, array, outside):
    """Bytes that nothing leads to if these words of an array are zero."""
    return graph.size(graph.gone(follows=lambda source, offset, _: source != array or not outside(offset)))


def freed_of(graph, cut):
    spans = [(first * cut["Size"], end * cut["Size"]) for first, end in cut["Outside"]]
    return freed(graph, graph.dump.find(int(cut["Address"], 16)),
                 lambda offset: any(first <= offset < end for first, end in spans))


@test(builds=["gcc"])
def elements_that_were_cut_off_are_found_with_what_they_alone_keep():
    dump, exe, told = built()
    graph, rows = graph_of(dump), cuts(dump, exe)
    equal(set(rows), {place["Name"] for place in told}, "places: no ring, no zeroed elements, no arena")
    for place in told:
        row = rows[place["Name"]]
        equal(row["count"], sum(end - first for cut in place["Arrays"] for first, end in cut["Outside"]), place["Name"])
        equal(row["bytes"], sum(freed_of(graph, cut) for cut in place["Arrays"]), f"bytes of {place['Name']}")
        equal(row["recoverable_bytes"], row["bytes"], "to save")
        equal("at least" in row["why"], len(place["Arrays"]) > 1, "several arrays may share objects")
        equal(row["what"], f"{row['count']} × main.item outside slices", "in words")


@test(builds=["gcc"])
def the_elements_that_were_cut_off_are_a_set():
    """Exactly these elements, of one array or of all at a place, pointers and structs alike."""
    dump, exe, told = built()
    for place in told:
        rows = answer("list", "values", dump, f"outside={place['Name']}", "--exe", exe)
        equal(sorted((int(row["address"], 16), row["key"]) for row in rows),
              sorted((int(cut["Address"], 16) + n * cut["Size"], n) for cut in place["Arrays"]
                     for first, end in cut["Outside"] for n in range(first, end)), place["Name"])
    one = told[-1]["Arrays"][7]["Address"]
    equal(len(answer("list", "values", dump, f"outside={one}", "--exe", exe)), 15, "one of several arrays")
    for nowhere in ("main.gRing", "main.gBoxes[*]", "main.nope", ""):
        result = run("list", "values", dump, f"outside={nowhere}", "--exe", exe, expect=1)
        assert "no elements outside of slices at this place" in result.err, result


@test(builds=["gcc"])
def an_index_has_them():
    dump, exe, _ = built()
    with tempfile.TemporaryDirectory() as folder:
        index, environment = os.path.join(folder, "index"), {"XDG_CACHE_HOME": folder}
        run("index", dump, "--exe", exe, "--index", index, environment=environment, expect=0)
        read = run("list", "findings", dump, "--exe", exe, "--index", index, "--json", environment=environment, expect=0)
        equal(json.loads(read.out), answer("list", "findings", dump, "--exe", exe), "read from the index")


@test(builds=["gcc"])
def a_queue_that_pops_by_cutting():
    dump, exe = stored(f"{CASE}/app.dump"), stored(f"{CASE}/app")
    told, rows = truth_in(f"{CASE}/program-truth.json"), cuts(dump, exe)
    queue, batch = rows["main.events.queue"], rows["main.events.batch"]
    equal((queue["count"], queue["bytes"]), (told["popped_but_held"], told["popped_bytes"]), "popped events")
    equal(batch["count"], told["batch_held"], "events of the batch")
    screen = run("-e", "wait all\noverview", "--size", "80x24", dump, "--exe", exe, expect=0).out
    assert "4,900 × main.event outside slices" in screen, screen
    opened = run("-e", "wait all\nfindings; follow; wait all", "--size", "80x24", dump, "--exe", exe, expect=0).out
    assert re.search(r"elements outside of slices at main\.events\.queue ─+ 4,900 ", opened), opened
    assert "{seq:17 " in opened, opened


@test(builds=["gcc"])
def elements_without_bytes_are_as_many_as_the_length_says():
    dump, exe, _ = built()
    for name, count in (("main.gEmpty", 5), ("main.gSignal", 2)):
        rows = answer("list", "values", dump, name, "--exe", exe)
        equal([(row["key"], row["value"], row["bytes"]) for row in rows], [(n, "{}", 0) for n in range(count)], name)


@test(builds=["gcc"])
def a_variable_that_is_a_struct_has_its_fields():
    """It points to two objects, neither of which it is."""
    dump, exe, _ = built()
    rows = answer("list", "fields", dump, "main.gPlace", "--exe", exe)
    equal([(row["offset"], row["name"]) for row in rows],
          [(0, "Name"), (16, "Sizes[0]"), (24, "Sizes[1]"), (32, "First"), (40, "Last")], "fields")
    equal([row["text"] for row in rows[:3]], ['"place"', "3", "4"], "values")
    ring = answer("list", "values", dump, "main.gRing", "--exe", exe)
    for row, element in zip(rows[3:], ring):
        assert element["value"].startswith(f"{row['object']} "), (row, element)
