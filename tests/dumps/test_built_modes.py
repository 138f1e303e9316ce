"""testdata/src/modes as a process, built in each mode with both linkers by the Go toolchains that are
found: `go`, or GO=program, or several as GO=one:two. Its source says what is true of it."""

import contextlib
import subprocess

from harness import ROOT, UNPACKED, Skip, answer, equal, run, test
from live import may_look, running, snapshot_into
from toolchains import CASES, MODES, STRIPPED, TOOLCHAINS, environment, toolchain

SOURCES = ROOT / "testdata" / "src" / "modes"


def built(number, mode):
    """The program, and the minor version of its toolchain."""
    go, minor = toolchain(number)
    path = UNPACKED / f"modes-{number}-{mode}"
    flags, link = MODES[mode]
    subprocess.run([go, "build", "-trimpath", "-tags=reflected", *flags, f"-ldflags={link}", "-o", path, "."],
                   cwd=SOURCES, env=environment(mode), check=True)
    return path, minor


@contextlib.contextmanager
def ready(exe, *arguments):
    with running(exe, *arguments, stderr=subprocess.PIPE) as process:
        equal(process.stderr.readline(), b"ready\n", "the program")
        yield process


@test(each=CASES, builds=["gcc"])
def a_process_is_read_however_it_was_built(case):
    may_look()
    number, _, mode = case.partition("-")
    exe, minor = built(int(number), mode)
    path = UNPACKED / f"modes-{case}.core"
    with ready(exe) as process:
        snapshot_into(path, process)
    exe = ["--exe", exe]
    told = answer("info", path, *exe)
    equal((told["executable_refused"], told["executable_damage"], told["lost_goroutines"]), (None, None, 20), "info")
    if minor >= 22 or "stripped" not in mode:  # before, only names say what type a variable has
        assert told["typed_objects"] >= 0.9 * told["reachable_objects"], told
        types = {row["type"]: row["count"] for row in answer("list", "types", path, *exe)}
        equal(types["main.session"], 300, "sessions")
    waiting = [row for row in answer("list", "goroutines", path, *exe) if row["status"] == "waiting"]
    assert len(waiting) >= 24 and all(row["wait_reason"] for row in waiting), waiting
    names = [row["name"] for row in answer("top", path, *exe)]
    equal(any("main.cache" in name for name in names), "stripped" not in mode, "the name of the cache")
    path.unlink()


@test(each=range(len(TOOLCHAINS)), builds=["gcc"])
def a_go_library_in_a_program_of_c_is_read(number):
    may_look()
    go, _ = toolchain(number)
    folder = UNPACKED / f"modes-{number}-library"
    folder.mkdir(exist_ok=True)
    library, exe, path = folder / "libmodes.so", folder / "main", folder / "main.core"
    build = [go, "build", "-trimpath", "-tags=library", "-buildmode=c-shared", "-o", library]
    subprocess.run([*build, "."], cwd=SOURCES, env=environment("cgo"), check=True)
    subprocess.run(["gcc", "-x", "c", SOURCES / "library.c.txt", "-x", "none", library, f"-Wl,-rpath,{folder}",
                    "-o", exe], check=True)
    with ready(exe) as process:
        told = answer("info", str(process.pid), "-y")
        equal((told["executable_refused"], told["lost_goroutines"]), (None, 20), "the process")
        snapshot_into(path, process)
    for named in ([], ["--exe", library], ["--exe", exe]):
        names = [row["name"] for row in answer("top", path, *named)]
        assert any("main.cache" in name for name in names), (named, names)
    subprocess.run([*build, "-ldflags", STRIPPED, "."], cwd=SOURCES, env=environment("cgo"), check=True)
    with ready(exe) as process:  # goroutine 1 has ended, and its record may be another's
        equal(answer("info", str(process.pid), "-y")["lost_goroutines"], 20, "those of a stripped library")
    library.rename(folder / "elsewhere.so")
    told = run("info", path, expect=2).err
    assert "has loaded a Go library, which is not here" in told and "libmodes.so" in told, told
    path.unlink()


@test(each=[str(number) for number in range(len(TOOLCHAINS))], builds=["gcc"])
def what_a_plugin_keeps_is_reachable(number):
    """Its variables are roots, with names."""
    go, _ = toolchain(int(number))
    may_look()
    exe, loaded, path = (UNPACKED / f"plugin-{number}{end}" for end in ("", ".so", ".core"))
    source, env = ROOT / "testdata" / "src" / "plugin", environment("cgo")
    subprocess.run([go, "build", "-trimpath", "-o", exe, "."], cwd=source, env=env, check=True)
    subprocess.run([go, "build", "-trimpath", "-buildmode=plugin", "-o", loaded, "./kept"], cwd=source, env=env, check=True)
    with ready(exe, loaded) as process:
        snapshot_into(path, process)
    warnings = [row["text"] for row in answer("list", "warnings", path)]
    equal([row["reachable"] for row in answer("list", "objects", path) if row["size"] == 5376], [True] * 100, "objects of the plugin")
    equal([text for text in warnings if "plugin" in text], [], "what is said of the plugin, which is there")
    roots = [row["name"] for row in answer("list", "roots", path)]
    assert any(".kept" in name for name in roots), roots
    path.unlink()


@test(each=[str(number) for number in range(len(TOOLCHAINS))], builds=["gcc"])
def the_executable_of_a_dump_may_have_loaded_a_plugin(number):
    """The plugin's copies of functions are not the executable's; its variables are in no dump, which is said."""
    go, _ = toolchain(int(number))
    exe, loaded, path = (UNPACKED / f"plugin-dump-{number}{end}" for end in ("", ".so", ".dump"))
    source, env = ROOT / "testdata" / "src" / "plugin", environment("cgo")
    subprocess.run([go, "build", "-trimpath", "-o", exe, "."], cwd=source, env=env, check=True)
    subprocess.run([go, "build", "-trimpath", "-buildmode=plugin", "-o", loaded, "./kept"], cwd=source, env=env, check=True)
    with ready(exe, loaded, path):
        pass
    told = answer("info", path, "--exe", exe)
    equal(told["executable_refused"], None, "the executable")
    screen = " ".join(run("info", path, "--exe", exe, expect=0).out.split())
    assert "variables of plugins" in screen, screen
    path.unlink()


@test(each=[str(number) for number in range(len(TOOLCHAINS))], builds=["gcc"])
def chunks_of_arenas_have_no_type(number):
    """testdata/src/arenas: a thousand nodes and as many records in an arena, each with a node on the heap."""
    go, minor = toolchain(int(number))
    if minor < 22:
        raise Skip("before Go 1.22 a chunk is as large as any object of 8 MB")
    exe, dump, core = (UNPACKED / f"arenas-{number}{end}" for end in ("", ".dump", ".core"))
    subprocess.run([go, "build", "-trimpath", "-o", exe, "."], cwd=ROOT / "testdata" / "src" / "arenas",
                   env={**environment("exe"), "GOEXPERIMENT": "arenas"}, check=True)
    may_look()
    with ready(exe, dump) as process:
        snapshot_into(core, process)
    for path in (dump, core):
        for named in ((), ("--exe", exe)):
            chunk = max(answer("list", "objects", path, *named), key=lambda row: row["size"])
            equal((chunk["type"], chunk["type_known"], chunk["reachable"]), ("arena chunk", "exact", True), "the chunk")
            equal(chunk["references"], 999 + 1000 + 1000, "pointers to nodes in it, bytes in it, nodes on the heap")
        types = {row["type"]: row for row in answer("list", "types", path, "--exe", exe)}
        equal((types["main.Node"]["count"], types["main.Node"]["bytes"]), (1000, 16000), "nodes on the heap")
        equal(types["arena chunk"]["count"], 1, "chunks")
        assert "main.Record" not in types, types
