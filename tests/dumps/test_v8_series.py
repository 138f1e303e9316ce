"""Snapshots of V8 of one process, whose objects keep their ids: files made here, and those of Node.js where it is."""

import itertools
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
from collections import Counter

import v8
import v8_writer
from harness import TESTDATA, Skip, answer, equal, run, test

KINDS = ["object", "closure", "string", "array"]


class Process:
    """Objects that live and die. An id is given once, in the order of birth."""

    def __init__(self, seed):
        self.chance, self.live, self.last = random.Random(seed), {}, 3
        self.grow(400)

    def grow(self, count, name=None):
        for _ in range(count):
            self.last += 2
            self.live[self.last] = (self.chance.choice(KINDS), name or self.chance.choice(["Cart", "Item", "User"]))

    def collect(self, share):
        for number in list(self.live):
            if self.chance.random() < share:
                del self.live[number]

    def snapshot(self, order="mixed"):
        w = v8_writer.Writer()
        held = w.group("(Global handles)")
        numbers = sorted(self.live, reverse=order == "backwards")
        if order == "mixed":
            self.chance.shuffle(numbers)
        for place, number in enumerate(numbers):
            kind, name = self.live[number]
            node = w.node(kind, name, 32)
            w.nodes[node][2] = number
            w.edge(held, "element", place, node)
        w.nodes[held][2] = 1 << 30  # of a native thing: it tells no time
        return w.text()


def written(folder, texts):
    files = []
    for place, text in enumerate(texts):
        files.append(pathlib.Path(folder) / f"{place}.heapsnapshot")
        files[-1].write_text(text)
    return files


def series(seed, orders=("mixed",) * 3):
    """The texts of three snapshots, and of each object of the last one the first that has it."""
    process, texts, born = Process(seed), [], {}
    for place, order in enumerate(orders):
        if place:
            process.collect(0.3)
            process.grow(150, "Rec")
            texts_of = [number for number, (kind, _) in process.live.items() if kind == "string"]
            process.live[texts_of[0]] = ("concatenated_string", "")  # it became another thing, but is the same
        for number in process.live:
            born.setdefault(number, place + 1)
        texts.append(process.snapshot(order))
    return texts, {number: born[number] for number in process.live}


def births(*files):
    """What the program says of each object of the first file."""
    since = [word for file in files[1:] for word in ("--since", file)]
    return {int(row["address"], 16): row["born"] for row in answer("list", "objects", files[0], *since)}


@test(each=range(3))
def each_object_is_known_by_its_id(seed):
    texts, born = series(seed)
    with tempfile.TemporaryDirectory() as folder:
        first, second, last = written(folder, texts)
        for before in ((first, second), (second, first)):
            equal(births(last, *before), born, "born")
        groups = answer("list", "objects", last, "--since", second, "--since", first, "--group", "born")
        equal({row["value"]: row["count"] for row in groups}, Counter(born.values()), "groups")


@test
def files_are_compared_in_the_order_of_their_ids():
    texts, _ = series(7)
    with tempfile.TemporaryDirectory() as folder:
        files = written(folder, texts)
        told = [answer("diff", files[0], files[2])]
        equal(told[0]["compared_by"], "place", "how they are compared")
        result = run("diff", files[2], files[0], "--json", expect=0)
        equal(json.loads(result.out), told[0], "in the other order")
        assert f"{files[2]}: It is the newer dump, although it was not named last" in result.err, result
        screens = {run("-e", "objects type=Rec", "-e", "group born", "--size", "100x30", *order, expect=0).out.replace(
            str(order[0]), "").replace(str(files[2]), "") for order in itertools.permutations(files)}
        equal(len(screens), 1, "screens")
        result = run("list", "objects", files[0], "--since", files[2], expect=2)
        assert "is not from before: it was written after the other one" in result.err, result


@test
def another_process_is_told_by_the_types_of_its_objects():
    with tempfile.TemporaryDirectory() as folder:
        one, other = written(folder, [Process(1).snapshot(), Process(2).snapshot()])
        result = run("diff", one, other, expect=0)
        assert "no object of one is an object of the other" in result.out, result
        assert "objects with numbers that both have are of another type" in result.err, result
        result = run("list", "objects", one, "--since", other, expect=2)
        assert "is of another process" in result.err, result


@test
def what_no_file_tells_is_not_denied():
    """Numbers of objects in two logs of .NET mean nothing to each other."""
    logs = [TESTDATA / "netcf" / f"leak_{when}.gclog" for when in ("before", "after")]
    said = run("diff", *logs, expect=0).out
    assert "which objects of one are objects of the other cannot be told" in said, said
    assert "no object" not in said, said


@test(each=["backwards", "ascending"])
def the_order_in_a_file_means_nothing(order):
    texts, born = series(11, ("mixed", order, order))
    with tempfile.TemporaryDirectory() as folder:
        first, second, last = written(folder, texts)
        equal(births(last, first, second), born, "born")


@test
def ids_that_come_twice_are_told():
    texts, _ = series(13)
    data = json.loads(texts[2])
    data["nodes"][2 + 6 * 9] = data["nodes"][2 + 6 * 10]
    with tempfile.TemporaryDirectory() as folder:
        first, _, last = written(folder, [texts[0], texts[1], json.dumps(data)])
        result = run("list", "objects", last, "--since", first, "--json", expect=0)
        rows = json.loads(result.out)
        equal(len({row["address"] for row in rows}), len(rows), "ids")
        assert "1 thing is wrong with the file" in result.err, result


NODE = """
const v8 = require('node:v8');
class Rec { constructor(i) { this.i = i; this.tags = ['a' + i, 'b' + i]; } }
class Cached { constructor(i) { this.i = i; } }
const audit = []; let cache;
globalThis.peek = () => [audit, cache];
function round(n) { for (let i = 0; i < n; i++) audit.push(new Rec(i)); cache = []; for (let i = 0; i < 300; i++) cache.push(new Cached(i)); }
async function write(name) { for (let i = 0; i < 3; i++) { gc(); await new Promise((r) => setTimeout(r, 5)); } v8.writeHeapSnapshot(name); }
(async () => { round(400); await write(process.argv[2]); round(900); await write(process.argv[3]); process.exit(0); })();
"""


OTHER = """
const http = require('node:http'); class Page { constructor(i) { this.html = ['<p>' + i]; } }
const pages = []; for (let i = 0; i < 3000; i++) pages.push(new Page(i)); globalThis.peek = () => [pages, http];
require('node:v8').writeHeapSnapshot(process.argv[2]); process.exit(0);
"""


@test(builds=["gcc"])
def what_node_writes_is_compared_by_ids():
    if not shutil.which("node"):
        raise Skip("there is no node, package nodejs has it")
    with tempfile.TemporaryDirectory() as folder:
        old, new, other = (pathlib.Path(folder) / f"{name}.heapsnapshot" for name in ("old", "new", "other"))
        for text, files in ((NODE, (old, new)), (OTHER, (other,))):
            script = pathlib.Path(folder) / "script.js"
            script.write_text(text)
            subprocess.run(["node", "--expose-gc", script, *files], check=True, capture_output=True)
        had = {node.id for node in read(old).nodes}
        for kind, born in (("Rec", {1: 400, 2: 900}), ("Cached", {2: 300})):
            groups = answer("list", "objects", new, f"type={kind}", "--since", old, "--group", "born")
            equal({row["value"]: row["count"] for row in groups}, born, kind)
        rows = answer("list", "objects", new, "--since", old)
        equal({int(row["address"], 16) for row in rows if row["born"] == 1},
              {int(row["address"], 16) for row in rows} & had, "those that were there before")
        assert "is of another process" in run("list", "objects", new, "--since", other, expect=2).err


def read(path):
    return v8.Snapshot(path.read_text(encoding="utf-8"))
