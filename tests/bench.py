"""make bench: heaps of unusual shapes and real programs of testdata, measured one after the other; tables as
Markdown, which doc/speed.md is, or JSON.

usage: bench.py [--json] [--nodes N] [--table FILE] BENCH SHAPES
"""

import argparse
import datetime
import json
import lzma
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

RUNS = 3
LIMIT = 1.5  # times the mixed heap, per reference
SHAPES = ["mixed", "list", "ring", "hub", "comb", "tree", "ladder", "bridges", "slices", "dangling"]
BASE = SHAPES[0]
REAL = {
    "dump": ["go1.19-corner.dump"],
    "dump, executable": ["go1.19-corner.dump", "go1.19-corner.exe"],
    "core": ["core/go1.26-park-stripped-quiet.core", "core/go1.26-park-stripped-quiet.exe"],
}
TESTDATA = pathlib.Path(__file__).parent.parent / "testdata"


def machine():
    """Nothing that names it: what it computes with."""
    models = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return f"{len(models) or os.cpu_count()} x {models[0] if models else 'unknown processor'}"


def commit():
    """The last one that others have, where there is a branch of these."""
    for name in ("main", "HEAD"):
        shown = subprocess.run(["git", "merge-base", name, "HEAD"], capture_output=True, text=True)
        if shown.returncode == 0:
            return shown.stdout[:10]
    return "unknown"


def measure(bench, *files):
    """The medians of some runs, for a dump and its executable."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(pathlib.Path(files[0]).parent)}  # for the secret of indexes
    runs = [json.loads(subprocess.run([bench, "--json", *files], check=True, capture_output=True, env=environment).stdout)
            for _ in range(RUNS)]
    for part in ("cpu_ns", "memory_bytes"):
        runs[0][part] = {name: statistics.median(run[part][name] for run in runs) for name in runs[0][part]}
    return runs[0]


def all_shapes(bench, shapes, nodes):
    measured = {}
    with tempfile.TemporaryDirectory(prefix="goheapx-bench-", dir=pathlib.Path(bench).parent) as folder:
        dump = f"{folder}/heap.dump"
        for shape in SHAPES:
            print(f"{shape} ...", file=sys.stderr)
            with open(dump, "wb") as file:
                subprocess.run([shapes, shape, str(nodes)], check=True, stdout=file)
            measured[shape] = measure(bench, dump)
    return measured


def all_real(bench):
    measured = {}
    with tempfile.TemporaryDirectory(prefix="goheapx-bench-", dir=pathlib.Path(bench).parent) as folder:
        for title, names in REAL.items():
            print(f"{title} ...", file=sys.stderr)
            files = [pathlib.Path(folder, kind) for kind in ("heap", "program")[:len(names)]]
            for file, name in zip(files, names):
                file.write_bytes(lzma.open(f"{TESTDATA / name}.xz").read())
            measured[title] = measure(bench, *files)
    return measured


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def per_reference(run):
    return run["cpu_ns"]["all"] / max(run["references"], 1)


def shapes_table(measured):
    base = per_reference(measured[BASE])
    text = row(["shape", "objects", "references", "ns an object", "ns a reference", f"x {BASE}", "peak bytes an object"])
    text += row(["---"] + ["--:"] * 6)
    for shape, run in measured.items():
        text += row([
            shape, f"{run['objects']:,}", f"{run['references']:,}",
            f"{run['cpu_ns']['all'] / run['objects']:.0f}", f"{per_reference(run):.0f}",
            f"{per_reference(run) / base:.2f}",
            f"{run['memory_bytes']['peak, anonymous'] / run['objects']:.0f}",
        ])
    above = [shape for shape, run in measured.items() if per_reference(run) > LIMIT * base]
    return text + "\n" + (f"More than {LIMIT} times the {BASE} heap for each reference: {', '.join(above)}.\n" if above
                          else f"No shape takes more than {LIMIT} times the {BASE} heap for each reference.\n")


def stages_table(measured):
    text = row(["ns an object", *measured]) + row(["---"] + ["--:"] * len(measured))
    for name in next(iter(measured.values()))["cpu_ns"]:
        text += row([name, *(f"{run['cpu_ns'].get(name, 0) / run['objects']:.1f}" for run in measured.values())])
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--nodes", type=int, default=1000000)
    parser.add_argument("--table", type=argparse.FileType("w"), default=sys.stdout)
    parser.add_argument("bench")
    parser.add_argument("shapes")
    options = parser.parse_args()
    measured = all_shapes(options.bench, options.shapes, options.nodes)
    real = all_real(options.bench)
    about = {"machine": machine(), "date": datetime.date.today().isoformat(), "commit": commit(), "runs": RUNS}
    if options.json:
        print(json.dumps({**about, "shapes": measured, "real": real}, indent=1))
        return
    print(f"""# How fast it is

Written by `make bench TABLE=doc/speed.md` on {about['machine']}, {about['date']}, commit {about['commit']}. All
times are of the processor, not of the clock, medians of {RUNS} runs; a busy machine changes them by a third. The
heaps are made by `tests/bench/shapes.c`. "All" is every stage up to what the first screen tells, without an
executable; "naive walk" reads every object's record by itself, byte by byte, into one table; "first screen" is
what that takes beside the stages, "index" what `goheapx index` takes beside both.

{shapes_table(measured)}
{stages_table(measured)}
Of real programs in `testdata`, where opening the executable counts for more than the
{", ".join(f"{run['objects']:,}" for run in real.values())} objects:

{stages_table(real)}""", end="", file=options.table)


main()
