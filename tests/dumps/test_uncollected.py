"""Unreachable objects in the tree of a process's memory, by type and allocation site, against a program that is built
here, where there is a Go compiler: it has made a known number of objects in each of its calls."""

import contextlib
import pathlib
import re
import subprocess

from executables import exe_from
from harness import UNPACKED, answer, equal, run, test
from live import may_look, running
from toolchains import toolchain

SOURCE = pathlib.Path(__file__).with_name("uncollected.go")
SIZES = {"exact": 256, "rough": 1024}
MADE = {"exact": {"main.exactOften": 3999, "main.exactRarely": 999},
        "rough": {"main.roughOften": 40000, "main.roughRarely": 10000}}


@contextlib.contextmanager
def snapshot():
    may_look()
    exe, path = exe_from(SOURCE), UNPACKED / "uncollected.snapshot"
    with running(exe, env={}, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline(), "the program has ended"
        run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
    yield path, "--exe", exe


def below(rows, name):
    """The rows right below the one with a name."""
    at = next(i for i, row in enumerate(rows) if row["use"] == name)
    parts = []
    for row in rows[at + 1 :]:
        if row["depth"] <= rows[at]["depth"]:
            break
        if row["depth"] == rows[at]["depth"] + 1:
            parts.append(row)
    return rows[at], parts


def sites_of(rows, whole, name):
    """The bytes of each site below a row, which they add up to; are they estimated, and how many samples are they of?"""
    whole, sites = below(rows, whole)
    found, samples, estimated = {}, {}, set()
    for key in ("bytes", "resident_bytes"):
        equal(sum(row[key] for row in sites), whole[key], f"{name}: {key} of its sites")
    for row in sites:
        function, line, estimate = re.fullmatch(r"(\S+) uncollected\.go:(\d+)(, estimate)?", row["use"]).groups()
        assert f"func {function.split('.')[1]}()" in SOURCE.read_text().splitlines()[int(line) - 1], row
        found[function] = row["bytes"]
        samples[function] = int(row["meaning"].replace(",", "").removesuffix("s").removesuffix(" sample"))
        estimated.add(bool(estimate))
    return found, samples, estimated


@test(builds=["gcc"])
def unreachable_objects_are_counted_by_site():
    """A program of Go 1.22 and later tells the types of objects above 512 bytes. Before, those of a few are known from
    the samples, and the others are estimated by their shape."""
    with snapshot() as files:
        rows = answer("list", "memory", *files, "--depth", "4")
        query = "SELECT function, count(*) AS n, sum(size) AS bytes FROM samples WHERE NOT reachable GROUP BY 1"
        sampled = {row["function"]: row for row in answer("sql", *files, query)}
    equal(sum(row["bytes"] for row in below(rows, "unreachable")[1]), below(rows, "unreachable")[0]["bytes"], "types")
    found, samples, estimated = sites_of(rows, "main.exact", "exact")
    equal(found, {name: count * SIZES["exact"] for name, count in MADE["exact"].items()}, "bytes of exact")
    equal((samples, estimated), (MADE["exact"], {False}), "samples of exact")
    names = [row["use"] for row in below(rows, "unreachable")[1]]
    of_rough = next(name for name in names if name == "main.rough" or name.startswith(f"obj[{SIZES['rough']}] P"))
    found, samples, estimated = sites_of(rows, of_rough, "rough")
    equal((samples, estimated), ({name: sampled[name]["n"] for name in MADE["rough"]}, {True}), "samples of rough")
    slot = 1152 if toolchain(0)[1] >= 22 else 1024  # with its header of 8 bytes it needs the next size class
    made = sum(MADE["rough"].values()) * slot
    assert made * 9 // 10 < sum(found.values()) <= made, (found, made)
    for name, count in MADE["rough"].items():
        right = count * slot
        assert abs(found[name] - right) < made // 10, (name, found, right)
