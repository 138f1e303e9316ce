"""testdata/src/plugins: a program that opens two plugins, which write address, type and name of their variables. A plugin is
a module of its own, in a file of its own: its names are read from there, if that is the file that the process has loaded."""

import contextlib
import json
import shutil
import subprocess

from harness import ROOT, UNPACKED, Skip, answer, equal, run, test
from live import may_look, running, snapshot_into
from toolchains import STRIPPED, TOOLCHAINS, building, toolchain

SOURCES = ROOT / "testdata" / "src" / "plugins"
CASES = [f"{number}-{mode}" for number in range(len(TOOLCHAINS)) for mode in ("plain", "stripped")]
PATH = "example.org/plugins/"


def built(case, name="plugins"):
    """A new folder with the program and both plugins."""
    number, _, mode = case.partition("-")
    go, _ = toolchain(int(number))
    folder = UNPACKED / f"{name}-{case}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    env = building(cgo=True, module=True)
    flags = ["-trimpath", f"-ldflags={STRIPPED if mode == 'stripped' else ''}"]
    for what, kind, out in ((".", "exe", "program"), ("./one", "plugin", "one.so"), ("./two", "plugin", "two.so")):
        subprocess.run([go, "build", *flags, f"-buildmode={kind}", "-o", folder / out, what], cwd=SOURCES, env=env, check=True)
    return folder


@contextlib.contextmanager
def opened(folder):
    """The process, and what is true: the address and the type of each variable by name."""
    may_look()
    truth = folder / "truth"
    with running(folder / "program", truth, folder / "one.so", folder / "two.so", stderr=subprocess.PIPE) as process:
        equal(process.stderr.readline(), b"ready\n", "the program")
        rows = [line.split("\t") for line in truth.read_text().splitlines()]
        yield process, {name: (address, kind) for address, kind, name in rows}


def variables_of(*input_):
    return {row["name"]: row for row in answer("list", "variables", *input_) if row["name"].startswith(PATH)}


def check(truth, typed, *input_):
    """Each variable has its name, and its type where there is debug information; no other has one of them."""
    found = variables_of(*input_)
    equal({name: found[name]["address"] for name in truth}, {name: at for name, (at, _) in truth.items()}, "addresses")
    if typed:
        kinds = {name: found[name]["type"].replace("any", "interface {}") for name in truth}
        equal(kinds, {name: kind for name, (_, kind) in truth.items()}, "types")
    equal(len([name for name in found if name.endswith("shared.Last")]), 1, "the variable that both files have")
    roots = {row["name"] for row in answer("list", "roots", *input_)}
    assert not [name for name in roots if name.startswith(("data2+", "bss2+", "data3+", "bss3+"))], roots
    for name in ("one.Queue", "two.Table[3]", "one.Any.data" if not typed else "one.Any"):
        assert any(root.startswith(PATH + name.split("[")[0].split(".data")[0]) for root in roots), (name, roots)
    types = {row["type"]: row for row in answer("list", "types", *input_)}
    for kind in ("one.SessionOne", "two.SessionTwo"):
        assert types[PATH + kind]["count"] >= 50, (kind, types)
    for kind in ("one.Item", "two.Item"):
        equal(types[PATH + kind]["count"], 101, kind)
    frames = {row["function"] for row in answer("list", "goroutines", *input_)}
    assert {PATH + "one.waitOne", PATH + "two.waitTwo"} <= frames, frames


@test(each=CASES, builds=["gcc"])
def a_plugin_has_names_and_types(case):
    folder = built(case)
    core, typed = folder / "plugins.core", not case.endswith("stripped")
    with opened(folder) as (process, truth):
        check(truth, typed, process.pid, "-y")
        snapshot_into(core, process)
    check(truth, typed, core)
    equal(answer("list", "warnings", core), [], "warnings")
    shutil.rmtree(folder)


@test(builds=["gcc"])
def each_name_of_a_plugin_is_accepted():
    folder = built("0-plain", "plugins-names")
    core = folder / "plugins.core"
    with opened(folder) as (process, truth):
        snapshot_into(core, process)
    roots = {row["name"] for row in answer("list", "roots", core) if row["name"].startswith(PATH)}
    for name in roots - set(truth):
        run("show", core, name, expect=0)
    for name in truth:  # a variable, or what it points to, which says by which variable it has its type
        assert name in str(answer("show", core, name)), name
    shutil.rmtree(folder)


@test(builds=["gcc"])
def another_file_is_no_plugin_of_a_core():
    """Of another build, cut, or no library at all: it is refused with a sentence, and nothing has a name."""
    folder = built("0-plain", "plugins-others")
    core, elsewhere = folder / "plugins.core", folder / "elsewhere"
    with opened(folder) as (process, truth):
        snapshot_into(core, process)
    elsewhere.mkdir()
    for name in ("one.so", "two.so"):
        (folder / name).rename(elsewhere / name)
    told = run("list", "warnings", core, expect=0).out
    assert "2 plugins or shared libraries of Go are loaded." in told and "one.so is not here" in told, told
    equal(variables_of(core), {}, "variables of plugins that are not here")
    whole = (elsewhere / "one.so").read_bytes()
    for bytes_, sentence in (((elsewhere / "two.so").read_bytes(), "is of another build than the file that the process has loaded"),
                             (whole[:len(whole) // 2], "So it is not used"), (b"\x7fELF" + bytes(60), "one.so is not here")):
        (folder / "one.so").write_bytes(bytes_)
        told = run("list", "warnings", core, expect=0).out
        assert sentence in told, (sentence, told)
        assert not [name for name in variables_of(core) if name.startswith(PATH + "one.")], sentence
    (folder / "one.so").unlink()
    exe = elsewhere / "program"
    (folder / "program").rename(exe)
    check(truth, True, core, "--exe", exe)
    shutil.rmtree(folder)


def check_types(dump, *exe):
    """What the sources say of objects and goroutines; returns whether objects say their types. No root of a heap dump leads to what variables of plugins hold:
    from Go 1.22 on objects say what they are, before that their types are guesses."""
    types = {row["type"]: row["count"] for row in answer("list", "types", dump, *exe)}
    says = int(answer("info", dump, *exe)["go_version"].split(".")[1]) >= 22
    for name in ("one", "two") if says else ():
        equal((types[f"{PATH}{name}.Item"], types[f"{PATH}{name}.Session{name.title()}"]), (101, 50), name)
    equal([name for name in types if "@0x" in name], [], "types without a name")
    sources = {row["function"]: row["source"] for row in answer("list", "goroutines", dump, *exe)}
    for name in ("one", "two"):
        assert sources[f"{PATH}{name}.wait{name.title()}"].startswith(f"{name}.go:"), sources
    return says


@test(each=CASES, builds=["gcc"])
def a_heap_dump_has_names_and_types_of_plugins_beside_it(case):
    """Dumps do not say which plugins were loaded, nor have their variables: functions and types say where they are."""
    folder = built(case, "plugins-dump")
    dump, elsewhere = folder / "heap.dump", folder / "elsewhere"
    with running(folder / "program", folder / "truth", folder / "one.so", folder / "two.so", f"dump:{dump}",
                 stderr=subprocess.PIPE) as process:
        equal(process.stderr.readline(), b"ready\n", "the program")
    exe = ("--exe", folder / "program")
    (folder / "three.so").write_bytes(b"\x7fELF" + bytes(60))
    says = check_types(dump, *exe)
    assert "variables of plugins" in " ".join(run("info", dump, *exe, expect=0).out.split()), "what is not in dumps"
    elsewhere.mkdir()
    (folder / "one.so").rename(elsewhere / "one.so")
    whole = (elsewhere / "one.so").read_bytes()
    other = whole.replace(b"one.waitOne", b"one.waitTen").replace(b"SessionOne", b"SessionTen").replace(b"\x04Item", b"\x04Itch")
    for bytes_, sentence in ((None, "of a plugin, which has no names"), (other, "one.so has other functions and types"),
                             (whole[:len(whole) * 9 // 10], "one.so is damaged: its end is missing"),
                             (whole[:100], "one.so is damaged: its end is missing")):
        if bytes_:
            (folder / "one.so").write_bytes(bytes_)
        told = " ".join(run("info", dump, *exe, expect=0).out.split())
        assert sentence in told, (sentence, told)
        types = {row["type"]: row for row in json.loads(run("list", "types", dump, *exe, "--json", expect=0).out)}
        if says:
            item = types[PATH + "two.Item"]  # those of the other plugin look alike, which is a guess
            equal(item["count"] - item["guessed"], 101, "items of the plugin that is there")
    shutil.rmtree(folder)


@test(builds=["gcc"])
def damage_is_told_of_the_file_that_has_it():
    folder = built("0-plain", "plugins-damaged")
    core, elsewhere = folder / "plugins.core", folder / "elsewhere"
    with opened(folder) as (process, truth):
        snapshot_into(core, process)
    elsewhere.mkdir()
    (folder / "one.so").rename(elsewhere / "one.so")
    whole = (elsewhere / "one.so").read_bytes()
    listed = subprocess.run(["readelf", "-SW", elsewhere / "one.so"], stdout=subprocess.PIPE, check=True, text=True).stdout
    words = (row.partition("]")[2].split() for row in listed.splitlines())
    where = {row[0]: (int(row[3], 16), int(row[4], 16)) for row in words if len(row) > 4 and row[0].startswith(".")}
    for section in (".debug_info", ".debug_abbrev", ".debug_loclists", ".symtab", None):
        at, size = where.get(section, (len(whole) * 9 // 10, len(whole)))
        if section and section not in where:
            continue
        (folder / "one.so").write_bytes(whole[:at] + bytes(size) + whole[at + size:] if section else whole[:at])
        said = json.loads(run("info", core, "--json", expect=0).out)["executable_damage"]
        assert said and said.startswith("one.so is damaged: ") and "program is damaged" not in said, (section, said)
        equal("its end is missing" in said, not section, said)
    shutil.rmtree(folder)


@test(builds=["gcc"])
def a_core_of_gdb_has_names_and_types_of_plugins():
    if not shutil.which("gcore"):
        raise Skip("there is no gcore, package gdb has it")
    folder = built("0-plain", "plugins-gcore")
    with opened(folder) as (process, truth):
        subprocess.run(["gcore", "-o", folder / "gdb", str(process.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
        check(truth, True, folder / f"gdb.{process.pid}")
    shutil.rmtree(folder)
