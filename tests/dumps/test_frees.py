"""What a finding frees: bytes that a search in Python misses without its objects, or without the stacks of its
goroutines; and what each other way to ask says of the same set."""

import contextlib
import os
import re
import sqlite3
import tempfile

import v8
import v8_writer
from executables import dump_of, exe_of, graph_with_exe
from harness import CORPUS, DUMPS, TESTDATA, Skip, answer, equal, graph_of, input_of, oracle, queries, run, stored, test, truth_in, unpacked
from survive import file_of

NAMED = ["go1.24.4-small", "go1.26.10-server", "go1.27.3-small", "go1.24-holders", "go1.19-drift-3", "go1.27-drift-3"]


SUDOG = range(64, 129)  # bytes; of Go 1.6 the least


def set_of(row, *dump):
    """The objects of a finding. Those of a place are as many as it says, of the one type that it names."""
    objects = answer("list", "objects", *dump, row["expression"])
    if row["kind"] in ("place", "field", "runtime") and row["expression"].startswith("at="):
        equal((len(objects), len({one["type"] for one in objects})), (row["count"], 1), f"objects, types of {row['expression']}")
        assert sum(one["size"] for one in objects) <= row["bytes"], row
    return objects


def records_of(graph, goroutines):
    """What the runtime keeps of them when they have ended: their records, and those of what they wait for, which begin
    with the address of the goroutine's (runtime.sudog)."""
    at = {graph.dump.find(graph.dump.goroutines[i].address) for i in goroutines}
    all_of = {graph.dump.find(goroutine.address) for goroutine in graph.dump.goroutines}
    return at | {index for index, row in enumerate(graph.references)
                 if graph.dump.objects[index].size in SUDOG and is_record(row, at, all_of)}


def is_record(pointers, of, every):
    """Does it begin with one of these goroutines, and is it no list of several?"""
    return pointers[0][0] == 0 and pointers[0][1] in of and sum(target in every for _, target in pointers) == 1 if pointers else False


def freed(graph, row, *dump):
    """The same as a row's `frees`."""
    expression = row["expression"]
    if not expression.startswith("group="):
        return graph.lost(*(graph.dump.find(int(one["address"], 16)) for one in set_of(row, *dump)))[0]
    stacks = answer("list", "goroutines", *dump, expression)
    of = {row["id"] for row in stacks}
    index = {i for i, goroutine in enumerate(graph.dump.goroutines) if goroutine.id in of}
    others = [root for root in graph.roots if root.goroutine not in index]
    closed = records_of(graph, index)
    gone = graph.gone(others, follows=lambda source, *_: source not in closed)
    return graph.size(gone) + sum(row["stack_bytes"] for row in stacks)


def check(graph, *dump):
    rows = [row for row in answer("list", "findings", *dump) if row["expression"]]
    for row in rows:
        equal(row["frees"], freed(graph, row, *dump), f"what {row['expression']} frees, {row['what']}")
        if row["kind"] == "lost":
            assert row["frees"] >= row["bytes"], row
    return rows


@test(each=DUMPS, builds=["gcc"])
def a_row_frees_what_nothing_else_leads_to(name):
    check(oracle(name), unpacked(name))


@test(each=NAMED, builds=["gcc"])
def so_does_a_row_with_names(name):
    exe = exe_of(name.rsplit("-", 1)[0] + "-1" if "-drift-" in name else name)
    rows = check(graph_with_exe(name), dump_of(name), "--exe", exe)
    assert any("[*]" in row["expression"] for row in rows), rows


def check_snapshot(path):
    """Of V8. Among them a page that owns objects: no other reference to these counts."""
    with open(path, encoding="utf-8") as file:
        snapshot = v8.Snapshot(file.read())
    of = {snapshot.nodes[index].id: index for index in snapshot.objects}
    rows = answer("list", "findings", path)
    for row in rows:
        objects = [of[int(one["address"], 16)] for one in set_of(row, path)]
        equal(row["frees"], snapshot.retained(*objects), f"what {row['expression']} frees")
    return rows


@test
def a_row_of_v8_frees_what_nothing_else_leads_to():
    for name in ("v8/chromium-page.heapsnapshot", "v8/node20-leaks.heapsnapshot"):
        assert len(check_snapshot(input_of(name))) > 8, name


def relations(*dump):
    """(object, object that it references, offset) of all pointers that the program reads."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "dump.sqlite")
        run("export", "--format", "sqlite", "-o", file, *dump, expect=0)
        with contextlib.closing(sqlite3.connect(file)) as database:
            return database.execute('SELECT object, address, offset FROM "references"').fetchall()


class Core:
    """References and roots that the program reads in a core, which other tests compare with the dump of the same instant;
    the searches are these here."""

    def __init__(self, *dump):
        self.size = {row["address"]: row["size"] for row in answer("list", "objects", *dump)}
        self.references, self.roots = {}, []
        for holder, address, offset in relations(*dump):
            self.references.setdefault(holder, []).append((offset, address))
        for row in answer("list", "roots", *dump):
            of = re.match(r"goroutine (\d+) ", row["name"] or "")
            self.roots.append((row["object"], int(of[1]) if of else None))
        self.address = {row["id"]: row["address"] for row in answer("list", "goroutines", *dump)}
        self.alive = self.found()

    def found(self, without=(), ended=(), closed=()):
        """Objects that a search meets that enters none of `without`, no stack of `ended`, and leaves none of `closed`."""
        ahead = [at for at, goroutine in self.roots if goroutine not in ended or goroutine is None]
        seen = set()
        while ahead:
            at = ahead.pop()
            if at not in seen and at not in without:
                seen.add(at)
                ahead += [target for _, target in self.references.get(at, ()) if at not in closed]
        return seen

    def lost(self, **removed):
        return sum(self.size[at] for at in self.alive - self.found(**removed))

    def records(self, ended):
        """See records_of."""
        at, every = {self.address[one] for one in ended}, set(self.address.values())
        return at | {holder for holder, pointers in self.references.items()
                     if self.size[holder] in SUDOG and is_record(sorted(pointers), at, every)}


def check_core(*dump):
    core, rows = Core(*dump), [row for row in answer("list", "findings", *dump) if row["expression"]]
    for row in rows:
        expression = row["expression"]
        if expression.startswith("group="):
            stacks = answer("list", "goroutines", *dump, expression)
            ended = {one["id"] for one in stacks}
            frees = core.lost(ended=ended, closed=core.records(ended)) + sum(one["stack_bytes"] for one in stacks)
        else:
            frees = core.lost(without={one["address"] for one in set_of(row, *dump)})
        equal(row["frees"], frees, f"what {expression} frees, {row['what']}")
    return rows


def cases():
    """Dumps, cores and snapshots of programs with the trouble of public reports, each with its executable."""
    found = {(kind, path.parent.name, path.name.removesuffix(".xz")) for folder in (TESTDATA, CORPUS)
             for kind in ("cases", "cases4") for path in folder.glob(f"{kind}/*/*.*")
             if path.name.removesuffix(".xz").endswith((".dump", ".core", ".heapsnapshot"))}
    return ["/".join(one) for one in sorted(found)]


def worth():
    """The same of programs that waste a part of their heap."""
    if not (CORPUS / "value").exists():
        return []
    return [(f"value/fixes/{file}", f"value/fixes/{one['exe']}") for one in truth_in("value/fixes/truth.json") for file in one["files"]]


def executable_of(name):
    """In the folder of a case; None: there is none, or the one of a snapshot."""
    for exe in () if name.endswith(".heapsnapshot") else ("app", "app.all"):
        try:
            return input_of(name.rpartition("/")[0] + "/" + exe)
        except Skip:
            pass
    return None


UNREAD = ["c-shared-1.24/app.core", "c-shared-1.24/app.dump"]  # of a library, see dumps/test_libraries
WITHOUT = ["pie-external-1.22"]  # tests/oracle cannot read the executable: what is on stacks is in no dump


def check_any(path, exe):
    dump = (path, "--exe", exe) if exe else (path,)
    if path.endswith(".heapsnapshot"):
        return check_snapshot(path)
    if path.endswith(".core") or any(name in path for name in WITHOUT):
        return check_core(*dump)
    return check(graph_of(path, exe), *dump)


@test(each=[name for name in cases() if not name.endswith(tuple(UNREAD))], most=6, builds=["gcc"])
def a_row_of_a_case_frees_what_nothing_else_leads_to(name):
    check_any(input_of(name), executable_of(name))


@test(each=worth(), most=4, builds=["gcc"])
def a_row_of_what_is_wasted_frees_what_nothing_else_leads_to(files):
    assert check_any(*map(input_of, files))


def retained(expression, *dump):
    """Bytes of the objects that the table objects selects."""
    return sum(row["size"] for row in answer("list", "objects", *dump, f"retained={expression}"))


def told_elsewhere(expression, *dump):
    """What each other question says of the set of a finding, by the name of the question."""
    [what_if] = answer("what-if", *dump, expression)
    [of] = answer("list", "retained", *dump, expression)
    name = expression.replace("'", "''")
    sql = queries([f"select alone_bytes from what_if('{name}')", f"select retained_bytes from retained('{name}')",
                   f"select sum(bytes) as bytes from retained_set('{name}')"], *dump)
    [check] = answer("check", *dump, "--assert", f"retained({expression}) >= 0")
    stacks = 0
    if expression.startswith("group="):
        stacks = sum(one["stack_bytes"] for one in answer("list", "goroutines", *dump, expression))
    told = {"what-if": what_if["alone_bytes"], "together": what_if["freed_bytes"], "retained": of["retained_bytes"],
            "check": check["value"], "what_if of SQL": sql[0][0]["alone_bytes"], "retained of SQL": sql[1][0]["retained_bytes"],
            "retained-set": stacks + sum(one["bytes"] for one in answer("list", "retained-set", *dump, expression)),
            "retained_set of SQL": stacks + (sql[2][0]["bytes"] or 0),
            "retained=": stacks + retained(expression, *dump)}
    if stacks:
        told["tree"] = answer("list", "retained-tree", *dump, expression)[0]["retained_bytes"]
    else:
        told["show"] = answer("show", *dump, expression)
        told["show"] = told["show"].get("freed_bytes", told["show"].get("retained_bytes"))
    return told


@test(each=["go1.24-holders", "lines", "leak_after"], builds=["gcc"])
def other_questions_have_the_same_answer(name):
    dump = {"lines": lambda: (stored("daemons2/lines.core"), stored("daemons2/lines")),
            "leak_after": lambda: (TESTDATA / "netcf/leak_after.gclog",)}.get(
                name, lambda: (dump_of(name), "--exe", exe_of(name)))()
    rows = [row for row in answer("list", "findings", *dump) if row["expression"]]
    assert rows
    for row in rows:
        for question, bytes_ in told_elsewhere(row["expression"], *dump).items():
            equal(bytes_, row["frees"], f"{question} of {row['expression']}")
        if row["kind"] == "place" and row["expression"].startswith("at="):
            page = answer("show", *dump, row["expression"])
            equal((page["place_bytes"], page["also_held_by"]), (row["bytes"], row["also_held_by"]), row["expression"])
    sql = queries(["select frees, expression from findings where frees is not null"], *dump)[0]
    equal([(row["frees"], row["expression"]) for row in sql if row["expression"]],
          [(row["frees"], row["expression"]) for row in rows], "SQL")


@test(builds=["gcc"])
def a_thread_retains_the_same_wherever_it_is_asked_for():
    """Alone, by its number, by its function and in its group: with its stack, and what only records of it lead to."""
    dump = (stored("daemons2/lines.core"), stored("daemons2/lines"))
    threads = answer("list", "goroutines", *dump)
    for row in threads[:3] + threads[-3:]:
        name = f"goroutine {row['id']}"
        [what_if], [of] = answer("what-if", *dump, name), answer("list", "retained", *dump, name)
        equal((of["retained_bytes"], of["retained_objects"]), (what_if["freed_bytes"], what_if["freed_objects"]), name)
        assert of["retained_bytes"] >= row["stack_bytes"], (of, row)
        equal(of["share"], None, f"share of {name}: stacks are no part of the heap")


def calls(archived, whole=False):
    """Calls of clients, each with a payload; the archive, whose path is longer, has the payloads, too, or the calls."""
    w, count = v8_writer.Writer(), 40
    handles = w.group("(Global handles)")
    clients, array = w.node("object", "Clients", 16), w.node("array", "", 16 + 8 * count)
    nodes = [w.node("object", name, 16) for name in ("Archive", "Years", "Year", "Months")]
    w.edge(handles, "internal", "clients", clients)
    w.edge(handles, "internal", "archive", nodes[0])
    w.edge(clients, "property", "calls", array)
    for above, below, name in zip(nodes, nodes[1:], ("years", "year", "months")):
        w.edge(above, "property", name, below)
    for i in range(count):
        call, payload = w.node("object", "Call", 100), w.node("string", f"payload {i}", 1000)
        w.edge(array, "element", i, call)
        w.edge(call, "property", "payload", payload)
        if i < archived:
            w.edge(nodes[-1], "element", i, call if whole else payload)
    return w


@test(each=[(0, False), (3, False), (30, False), (30, True)])
def who_else_holds_the_objects_is_named(archived_whole):
    """Not who holds less than a tenth of them."""
    archived, whole = archived_whole
    w = calls(archived, whole)
    with file_of(w.text().encode(), ".heapsnapshot") as file:
        rows = answer("list", "findings", file.name)
        [row] = [row for row in rows if row["what"] == "40 × Call"]
        equal(row["name"], "(Global handles).clients.calls[*]", "the place")
        equal(row["bytes"], 40 * 1100, "bytes")
        equal(row["frees"], row["bytes"] - (0 if whole else archived * 1000), "what the calls free")
        screen = run("-e", f"wait all; object {row['expression']}; wait all; screen", file.name, expect=0).out
        assert f" {row['bytes'] / 1024:.1f} KB, frees {row['frees'] / 1024:.1f} KB " in screen, screen
        equal("also held by" in screen, bool(row["also_held_by"]), screen)
        equal(row["also_held_by"], "(Global handles).archive.years.year.months" if archived > 3 else None, "who else holds it")
