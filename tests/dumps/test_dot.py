"""Graphs for graphviz, read by a small parser of its language, and by dot where there is one, against
the paths of the program and the reader in tests/oracle."""

import re
import shutil
import subprocess

import writer
from executables import exe_of
from harness import ONE, SMALL, Skip, answer, equal, oracle, run, test, truth, unpacked
from survive import file_of

STRING = r'"(?:[^"\\]|\\.)*"'
ATTRIBUTE = rf"[a-z]+=(?:{STRING}|[a-z0-9]+)"
LINE = re.compile(rf"\t(n\d+)(?: -> (n\d+))?(?: \[({ATTRIBUTE}(?:, {ATTRIBUTE})*)\])?;")
ODD = 'a"\n\u202e\U0001f600;,[L/x\0 7\'\\&amp;<b>\\'


class Dot:
    def __init__(self, text):
        lines = text.splitlines()
        equal((lines[0], lines[-1]), ("digraph heap {", "}"), "brackets")
        assert re.fullmatch(rf'\tcharset="UTF-8"; labelloc=t; label={STRING};', lines[1]), lines[1]
        self.title, self.nodes, self.edges = lines[1], {}, []
        for line in lines[4:-1]:
            parts = LINE.fullmatch(line)
            assert parts, line
            one, other, rest = parts.groups()
            attributes = dict(item.split("=", 1) for item in re.findall(ATTRIBUTE, rest or ""))
            label = unquoted(attributes.get("label", '""'))
            if other:
                self.edges.append((one, other, label, "style" in attributes))
            else:
                self.nodes[one] = label
        assert all(a in self.nodes and b in self.nodes for a, b, _, _ in self.edges), "nodes of edges"

    def address(self, node):
        """Of an object: below it stands its size."""
        found = re.search(r" (0x[0-9a-f]+)\n[\d.]+ [KMG]?B", self.nodes[node])
        return int(found[1], 16) if found else None

    def drawn(self):
        return [node for node in self.nodes if not re.search(r" (others|below), | more above$", self.nodes[node])]


def unquoted(text):
    plain = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])
    return plain.replace("&amp;", "&")


def graph_of(form, file, *words):
    return Dot(run("export", "--format", form, file, *words, expect=0).out)


@test
def paths_are_those_of_path():
    exe = ("--exe", exe_of(ONE))
    for address in (truth(ONE)["Objects"]["needle"]["addr"], truth(ONE)["CacheSessions"][120]):
        dot = graph_of("dot", unpacked(ONE), address, *exe, "--depth", 500, "--limit", 1000)
        drawn = {(dot.address(a), dot.address(b)) for a, b, _, _ in dot.edges}
        paths = answer("path", unpacked(ONE), address, *exe, "--limit", 1000)
        right = set()
        for steps in paths:
            places = [int(step["address"], 16) for step in steps[1:]]
            right.update(zip([None, *places], places))
        equal(drawn, right, address)
        equal(len({dot.address(node) for node in dot.nodes} - {None}), len({b for _, b in right}), "objects")
        assert f"{len(paths)} path" in dot.title, dot.title
    labels = [label for _, _, label, _ in graph_of("dot", unpacked(ONE), truth(ONE)["Objects"]["needle"]["addr"],
                                                   *exe).edges]
    equal(labels[1:], [".Items[1]", ".ByName", '["k"]', ".F", ".needle"], "fields")


@test
def long_paths_are_cut_and_many_are_bounded():
    with file_of(writer.deep_chain(1000)) as file:
        last = f"{writer.HEAP + 999 * 16:#x}"
        for more, nodes in (((), 20), (("--depth", 3), 6), (("--limit", 7), 6), (("--depth", 501), 100)):
            dot = graph_of("dot", file.name, last, *more)
            equal(len(dot.nodes), nodes, f"nodes with {more}")
            left = [label for _, _, label, dashed in dot.edges if dashed]
            equal(left, [f"{1001 - nodes} steps more"], "what is left out")
        equal(len(graph_of("dot", file.name, last, "--depth", 501, "--limit", 1000).nodes), 1000, "nodes")
    address = truth(ONE)["CacheSessions"][120]
    dot = graph_of("dot", unpacked(ONE), address, "--limit", 2)
    assert len(dot.nodes) == 2 and "others are left out" in dot.title, dot.title


@test(each=SMALL, builds=["gcc"])
def dominators_retain_what_goes_with_them(name):
    graph = oracle(name)
    rows = answer("list", "objects", unpacked(name), "--where", "reachable", "--sort", "-retained_bytes",
                  "--limit", 50)
    row = next(row for row in rows if row["retained_bytes"] > 3 * row["size"])
    dot, checked = graph_of("dot-dominators", unpacked(name), row["address"], "--limit", 30), 0
    assert len(dot.drawn()) <= 30, dot.nodes
    for a, b, _, dashed in dot.edges:
        above, below = dot.address(a), dot.address(b)
        if above is None or below is None or dashed:
            continue
        gone = graph.gone(without={graph.dump.find(above)})
        assert graph.dump.find(below) in gone, (dot.nodes[a], dot.nodes[b])
        checked += 1
    assert checked > 1, dot.edges


@test
def a_chain_of_dominators_is_bounded():
    with file_of(writer.deep_chain(1000)) as file:
        dot = graph_of("dot-dominators", file.name, f"{writer.HEAP + 500 * 16:#x}", "--depth", 2)
        equal(len(dot.drawn()), 5, "nodes")
        assert "1 below, 7.8 KB" in dot.nodes.values(), dot.nodes
        assert any(label.endswith(" more above") for label in dot.nodes.values()), dot.nodes


@test
def hostile_names_are_labels():
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file:
        for form, words in (("dot", (f"{writer.HEAP + 0x4000:#x}",)), ("dot-dominators", ("goroutine 1",)),
                            ("dot", (f"{writer.HEAP + 16:#x}",))):
            dot = graph_of(form, file.name, *words)
            assert any("\U0001f600" in label and "&amp;<b>" in label for label in dot.nodes.values()), dot.nodes


@test
def what_cannot_be_drawn_is_said():
    graph, dump = oracle(ONE), unpacked(ONE)
    lost = next(i for i in range(len(graph.dump.objects)) if i not in graph.distance)
    for form in ("dot", "dot-dominators"):
        for words, status, text in (
            ((), 2, "Name an object"), (("0x1",), 1, "0x1"), (("nothing",), 2, "is no address"),
            ((f"{graph.dump.address(lost):#x}",), 1, "No root in the dump leads to" if form == "dot" else "It is unreachable"),
            (("0xc000012340", "--limit", 1), 2, "between 2 and 1000"),
            (("0xc000012340", "--cutoff", "1%"), 2, "takes no --cutoff"),
        ):
            result = run("export", "--format", form, dump, *words, expect=status)
            assert text in result.err and not result.out, result
    for option in ("--limit", "--depth"):
        assert f"takes no {option}" in run("export", "--format", "folded", dump, option, 3, expect=2).err


@test(builds=["gcc"])
def graphviz_draws_it():
    if not shutil.which("dot"):
        raise Skip("there is no dot, package graphviz has it")
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file:
        for form, dump, word in (("dot", file.name, f"{writer.HEAP + 0x4000:#x}"),
                                 ("dot-dominators", file.name, "goroutine 1"),
                                 ("dot", unpacked(ONE), truth(ONE)["CacheSessions"][120]),
                                 ("dot-dominators", unpacked(ONE), truth(ONE)["CacheSessions"][120])):
            text = run("export", "--format", form, dump, word, expect=0).out
            drawn = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
            equal(drawn.stderr, "", "what dot says")
            equal(drawn.stdout.count("\nnode "), len(Dot(text).nodes), "nodes")
