"""Profiles that are exported, pprof and folded stacks, against the dumps as the readers in
tests/oracle see them, and as go tool pprof sees them. GO=program names a go that is not in $PATH."""

import os
import re
import subprocess
import tempfile
from collections import Counter, namedtuple

import pprof
import writer
from executables import exe_of
from harness import DUMPS, ONE, TESTDATA, Skip, answer, equal, oracle, run, test, unpacked
from heaps import function_of, outside_runtime, rate_of, scaled
from survive import file_of
from toolchains import go_of, tool_of

REST = "not reachable"
PROFILED = [ONE, "go1.5.4-server", "go1.10.8-server", "go1.15.15-server"]
Record = namedtuple("Record", "size live")
ODD = 'a"\n\u202e\U0001f600;,[L/x\0 7'


def exported(form, file, *more):
    return run("export", "--format", form, file, *more, expect=0).raw_out


def profile_of(file, *more, form="pprof"):
    return pprof.Profile(exported(form, file, *more))


def all_bytes(graph):
    return sum(obj.size for obj in graph.dump.objects)


@test(each=DUMPS)
def every_object_counts_once(name):
    profile, graph = profile_of(unpacked(name)), oracle(name)
    equal(profile.types, [("inuse_objects", "count"), ("inuse_space", "bytes")], "types")
    equal(profile.shown, "inuse_space", "what is shown")
    equal(profile.time, graph.dump.memstats["LastGC"], "time")
    equal(profile.total("inuse_objects"), len(graph.dump.objects), "objects")
    equal(profile.total("inuse_space"), all_bytes(graph), "bytes")
    rest = [sample.values for sample in profile.samples if sample.stack[-1].function == REST]
    right = len(graph.dump.objects) - len(graph.distance), all_bytes(graph) - graph.reachable_bytes()
    equal(rest, [list(right)] if right[0] else [], "what no root leads to")


@test(each=DUMPS, builds=["gcc"])
def what_is_below_a_goroutine_goes_with_it(name):
    profile, graph = profile_of(unpacked(name)), oracle(name)
    got = sum(sample.values[1] for sample in profile.samples
              if any(line.function.startswith("goroutine ") for line in sample.stack))
    right = sum(graph.lost(roots=[root for root in graph.roots if root.goroutine != index])[0]
                for index in {root.goroutine for root in graph.roots} - {None})
    equal(got, right, "bytes below goroutines")


@test
def what_is_below_a_variable_goes_with_it():
    exe = ("--exe", exe_of(ONE))
    profile, graph = profile_of(unpacked(ONE), *exe), oracle(ONE)
    got = Counter()
    for sample in profile.samples:
        for line in set(sample.stack):
            got[line.function] += sample.values[1]
    variables = {}
    for row in answer("list", "roots", unpacked(ONE), *exe):
        variable = re.match(r"main\.g[A-Z]\w*", row["name"] or "")
        if row["kind"] in ("data", "bss") and variable:
            variables.setdefault(variable[0], set()).add(int(row["address"], 16))
    assert len(variables) > 20, variables
    for variable, words in variables.items():
        others = [root for root in graph.roots if root.address not in words]
        equal(got[variable], graph.lost(roots=others)[0], variable)


@test(each=DUMPS)
def allocations_are_those_of_the_profiler(name):
    records = oracle(name).dump.profiles
    if not records:
        result = run("export", "--format", "pprof-alloc", unpacked(name), expect=1)
        assert "The dump has no allocation profile" in result.err and not result.out, result
        return
    profile = profile_of(unpacked(name), form="pprof-alloc")
    right = Counter()
    for record in records:
        all_bytes, all_count = scaled(record, record.allocs, rate_of(name))
        live_bytes, live = scaled(record, max(record.allocs - record.frees, 0), rate_of(name))
        stack = tuple((function_of(function), file, line) for function, file, line in outside_runtime(record.stack))
        add(right, stack, (all_count, all_bytes, live, live_bytes))
    got = Counter()
    for sample in profile.samples:  # one for each owner
        add(got, tuple(map(tuple, sample.stack)), sample.values)
    equal(got, right, "stacks")


def files_of(name):
    return (unpacked(name), "--exe", exe_of(ONE)) if name == ONE else (unpacked(name),)


def add(sums, key, values):
    for i, value in enumerate(values):
        sums[key, i] += value


@test(each=DUMPS)
def samples_have_the_owner_of_their_objects(name):
    profile = profile_of(unpacked(name))
    right = answer("sql", unpacked(name), "SELECT owner, count(*) AS n, sum(size) AS bytes FROM objects GROUP BY owner")
    equal(profile.by_label("owner", "inuse_space"), {row["owner"] or "": row["bytes"] for row in right}, "bytes")
    equal(profile.by_label("owner", "inuse_objects"), {row["owner"] or "": row["n"] for row in right}, "objects")
    owned = {sample.stack[-1].function == REST for sample in profile.samples if "owner" in sample.labels}
    equal(owned, {False}, "unreachable objects with an owner")


def near(got, right, slack, what):
    """What is rounded down for each part."""
    equal(set(got), set(right), what)
    for key, value in right.items():
        assert abs(got[key] - value) <= slack[key] + 1, (what, key, got[key], value)


@test(each=PROFILED, builds=["gcc"])
def allocations_are_divided_by_owner(name):
    """By the samples in the dump; of a stack that has more of them than live ones, only the sum is known."""
    files = files_of(name)
    profile = profile_of(*files, form="pprof-alloc")
    samples = answer("list", "samples", *files, "--columns", "profile,owner")
    profiles = {row["id"]: Record(row["size"], row["allocs"] - row["frees"]) for row in answer("list", "profiles", *files)}
    count, right, slack = Counter(row["profile"] for row in samples), Counter(), Counter()
    for row in samples:
        record = profiles[row["profile"]]
        share = min(1, max(record.live, 0) / count[row["profile"]])
        if row["owner"] and share:
            right[row["owner"]] += scaled(record, 1000, rate_of(name))[0] / 1000 * share
            slack[row["owner"]] += 1 + (share < 1) * scaled(record, 1, rate_of(name))[0]
    got = profile.by_label("owner", "inuse_space")
    del got[""]
    near(got, right, slack, "bytes by owner")
    equal({sample.values[0] - sample.values[2] for sample in profile.samples if "owner" in sample.labels}, {0}, "freed")


@test(each=PROFILED, builds=["gcc"])
def sites_are_added_up_by_owner(name):
    files = files_of(name)
    sizes = {row["id"]: Record(row["size"], 0) for row in answer("list", "profiles", *files)}
    samples = answer("list", "samples", *files, "--columns", "object,profile,owner,function,line,type,estimated_bytes")
    objects = {row["address"] for row in answer("list", "objects", *files, "--columns", "address")}
    right, slack, whole, count = Counter(), Counter(), Counter(), Counter()
    for row in samples:
        whole[row["profile"]] += row["estimated_bytes"]
        count[row["profile"]] += 1
        if row["object"] in objects:
            key = row["owner"], row["function"], row["line"]
            right[key] += scaled(sizes[row["profile"]], 1000, rate_of(name))[0] / 1000
            slack[key] += 1
    equal(whole, {key: scaled(sizes[key], n, rate_of(name))[0] for key, n in count.items()}, "of each profile")
    rows = answer("list", "owner-sites", *files)
    got = {(row["owner"], row["function"], row["line"]): row["estimated_bytes"] for row in rows}
    equal(len(got), len(rows), "rows of one owner and site")
    near(got, right, slack, "bytes by owner and site")
    equal({(row["owner"], row["function"], row["line"]): row["samples"] for row in rows}, slack, "samples")


@test(each=DUMPS)
def folded_stacks_add_up(name):
    graph, sums = oracle(name), Counter()
    for line in exported("folded", unpacked(name)).decode("utf-8").splitlines():
        stack, number = re.fullmatch(r"([^;].*?[^;]) (\d+)", line).groups()
        assert ";;" not in stack, line
        sums[stack] += int(number)
    equal(sum(sums.values()), all_bytes(graph), "bytes")
    equal(sums[REST], all_bytes(graph) - graph.reachable_bytes(), "what no root leads to")
    for row in answer("list", "where", unpacked(name)):
        name = re.sub(r"^(runtime\.\w+) \(.*\)$", r"\1", row["name"])  # stacks lack what it is for
        first = f"{name} {row['type'] or ''}".strip().replace(";", ",")
        got = sum(number for stack, number in sums.items() if stack.split(";")[0] == first)
        equal(got, row["bytes"], first)


@test(each=["go1.19.8-small", ONE, "go1.24.4-small-mips"], builds=["gcc"])
def go_tool_pprof_sees_the_same(name):
    pprof_tool = tool_of(go_of(), "pprof")
    graph = oracle(name)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.pb.gz")
        run("export", "--format", "pprof", unpacked(name), "-o", path, expect=0)
        for index, right in (("inuse_space", all_bytes(graph)), ("inuse_objects", len(graph.dump.objects))):
            ran = subprocess.run(
                [pprof_tool, "-top", "-nodecount=1000000", "-nodefraction=0",
                 f"-unit={'b' if index == 'inuse_space' else 'count'}", f"-sample_index={index}", path],
                env={**os.environ, "HOME": folder}, capture_output=True, text=True, check=True,
            )
            equal(ran.stderr, "", "what pprof says on stderr")
            rows = re.findall(r"^ *(\d+)B? +[\d.]+%? +[\d.]+%? +(\d+)B? ", ran.stdout, re.M)
            equal(sum(int(flat) for flat, _ in rows), right, index)
        ran = subprocess.run([pprof_tool, "-tags", "-unit=b", path], env={**os.environ, "HOME": folder},
                             capture_output=True, text=True, check=True)
        right = answer("sql", unpacked(name), "SELECT owner, sum(size) AS n FROM objects WHERE owner > '' GROUP BY 1 "
                                              "ORDER BY 2 DESC LIMIT 5")
        tags = {owner: int(number) for number, owner in re.findall(r"(\d+)(?:\.0)?B \( *[\d.]+%\): (.*)", ran.stdout)}
        equal({row["owner"]: tags.get(row["owner"]) for row in right}, {row["owner"]: row["n"] for row in right}, "tags")
        ran = subprocess.run([pprof_tool, "-top", f"-diff_base={path}", path],
                             env={**os.environ, "HOME": folder}, capture_output=True, text=True, check=True)
        assert "accounting for 0, 0% of" in ran.stdout, ran.stdout


@test
def names_are_texts():
    """A long chain of objects is no long stack."""
    with file_of(writer.tiny(name=ODD, reason=ODD, kind=ODD)) as file:
        names = {line.function for sample in profile_of(file.name).samples for line in sample.stack}
        assert any("\U0001f600" in name and "\n" not in name for name in names), names
        for line in exported("folded", file.name).decode("utf-8").splitlines():
            assert re.fullmatch(r"\S.* \d+", line) and line.isprintable(), line
    with file_of(writer.deep_chain(5000)) as file:
        profile = profile_of(file.name)
        equal(profile.total("inuse_objects"), len(answer("list", "objects", file.name)), "objects")
        assert max(len(sample.stack) for sample in profile.samples) < 300


@test
def a_log_has_stacks_and_a_trace_has_none():
    log = TESTDATA / "netcf" / "two_domains.gclog"
    rows = answer("list", "objects", log)
    equal(profile_of(log).total("inuse_space"), sum(row["size"] for row in rows), "bytes")
    for form in ("pprof", "folded"):
        result = run("export", "--format", form, TESTDATA / "chromium" / "odd.json")
        assert result.status == 1 and "has no objects" in result.err and not result.out, result
