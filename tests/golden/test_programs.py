"""The figures on the screens of whole programs (program_NAME.screen) are those of their truth files, or of the
reader in Python where the truth has none. What is compared is what is saved: test_golden.py says that the
program still prints it."""

import pathlib
import re

from harness import equal, human, oracle, real_files, test

FOLDER = pathlib.Path(__file__).parent


def of_truth(name):
    """Bytes, objects, reachable bytes, goroutines, stacks in use, and the groups of many goroutines."""
    _, known = real_files(name)
    stats, seen = known["memstats"], known["oracle"]
    groups = [(one["count"], one["state"]) for one in known["goroutine_groups"] if one["count"] >= 100]
    return stats["HeapAlloc"], stats["HeapObjects"], seen["reachable_bytes"], seen["goroutines"], stats["StackInuse"], groups


def of_oracle(name):
    graph = oracle(name)
    sizes = [one.size for one in graph.dump.objects]
    return sum(sizes), len(sizes), graph.reachable_bytes(), len(graph.dump.goroutines), None, []


PROGRAMS = {
    "webmetrics": lambda: of_truth("webmetrics-go1.23"),
    "raftkv": lambda: of_truth("raftkv-go1.19"),
    "server": lambda: of_oracle("go1.26.10-server"),
    "small": lambda: of_oracle("go1.24.4-small"),
}


def size_of(text):
    number, unit = text.split()
    return float(number) * {"B": 1, "KB": 1 << 10, "MB": 1 << 20}[unit]


@test(each=PROGRAMS, builds=["gcc"])
def screens_have_the_figures_of_the_truth(name):
    size, objects, reachable, goroutines, stacks, groups = PROGRAMS[name]()
    text = (FOLDER / f"program_{name}.screen").read_text()
    heads = re.findall(r"(\S.*\S) objects, (\S+ \S+)\n", text)
    equal({(one.split()[-1], bytes_of) for one, bytes_of in heads}, {(f"{objects:,}", human(size))}, "the first line")
    equal(set(re.findall(r"\n HEAP +(\S+ \S+) +(\S+) objects", text)), {(human(size), f"{objects:,}")}, "HEAP")
    equal(set(re.findall(r"\n +(\S+ \S+) +100\.0%  reachable", text)), {human(reachable)}, "reachable")
    equal(set(re.findall(r"\n GOROUTINES +(\S+) ", text)), {f"{goroutines:,}"}, "GOROUTINES")
    (told,) = set(re.findall(r"\n +(\S+ \S+) +stacks of \S+ goroutines", text))
    assert stacks is None or size_of(told) <= stacks, f"{told} are more than the {stacks} in use"
    rows = re.findall(r"\n +([\d,]+) +\S+ \S+  (?:waiting +)?(\S.*?)  ", text)
    for count, state in groups:
        assert (f"{count:,}", state) in rows, f"{count} {state} in {rows}"
