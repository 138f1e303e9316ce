"""A program that has loaded two libraries of Go: each has a runtime and a heap. One is read, all are named."""

import json
import pathlib
import shutil
import subprocess

import harness
from core_files import core
from harness import UNPACKED, Skip, answer, equal, run, stored, test, unpack
from live import folder_of, may_look, running
from mcp_client import Client
from terminal import Terminal
from toolchains import building, go_of

LIBRARY = """package main

import "C"

type {name} struct{{ data [200]byte }}

var kept []*{name}

//export {name}_fill
func {name}_fill(n C.int) {{
	for i := 0; i < int(n); i++ {{
		kept = append(kept, &{name}{{}})
	}}
}}

func main() {{}}
"""
HOST = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW);
		char name[64];
		snprintf(name, sizeof name - 8, "%s", strrchr(argv[i], '/') + 1);
		*strchr(name, '.') = 0;
		strcat(name, "_fill");
		((void (*)(int))dlsym(library, name))(1000 * i);
	}
	puts("ready");
	fflush(stdout);
	pause();
}
"""


def asked(*words):
    return json.loads(run(*words, "--json", expect=0).out)


def count_of(type_name, *files):
    return {row["type"]: row["count"] for row in asked("list", "types", *files)}.get(type_name)


RIGHT = {"/tmp/d2/liba.so": ("main.session", 3000), "/tmp/d2/libb.so": ("main.order", 2000)}


def two_hosts():
    """A core of a program of C with both libraries, which lie beside it."""
    folder = UNPACKED / "two-runtimes"
    folder.mkdir(exist_ok=True)
    for name in ("liba.so", "libb.so", "two_host.core"):
        unpack(stored(f"daemons2/{name}"), folder / name)
    return folder / "two_host.core"


def read_first(path):
    """The library that is read where none is named."""
    told = answer("info", path)["not_read"]
    return next(name for name in RIGHT if f"Only that of {name}" in told)


@test(builds=["gcc"])
def the_one_that_is_not_read_is_named():
    """Truth: what the program printed. A path that is told is taken by --exe, though there is no such file here."""
    path = two_hosts()
    folder = path.parent
    told = answer("info", path)["not_read"]
    screen = " ".join(run("-e", "overview", "--size", "100x30", path, expect=0).out.split())
    for text in (told, screen, run("list", "warnings", path, expect=0).out, run("top", path, expect=0).err):
        assert "2 Go runtimes" in text and all(name in text for name in RIGHT), text
        assert "nothing is lost" not in text, text
    for name, (type_name, count) in RIGHT.items():
        for exe in (name, name.rpartition("/")[2], folder / pathlib.Path(name).name):
            equal(count_of(type_name, path, "--exe", exe), count, f"{type_name} of {exe}")
    read = read_first(path)
    equal(count_of(RIGHT[read][0], path), RIGHT[read][1], "what is read without an option")


@test(builds=["gcc"])
def sentences_are_about_the_one_that_is_read():
    path = two_hosts()
    for exe in RIGHT:
        views = run("-e", "findings; screen; lost; screen; types", "--size", "150x30", path, "--exe", exe, expect=0).out
        equal(views.count("[one runtime of several]"), 3, "screens that say so")
        assert "No goroutine of the Go runtime that is read waits" in views, views
        assert "frame of the runtime that is read leads there" in run("list", "findings", path, "--exe", exe, expect=0).out


@test(builds=["gcc"])
def the_explorer_changes_over():
    """By name and by path; what is no file and no library changes nothing. Tab knows the other one."""
    path = two_hosts()
    read = read_first(path)
    other, = RIGHT.keys() - {read}
    for name in (other, pathlib.Path(other).name):
        out = run("-e", f"types; reopen {name}; screen; reopen; screen; reopen {read}", "--size", "100x12", path, expect=0).out
        for screen, wanted in zip(out.split("\n 1 Overview")[1:], (other, other, read), strict=True):
            assert f"{RIGHT[wanted][0]} " in screen and f"{RIGHT[wanted][1]:,} " in screen, (wanted, screen)
    failed = run("-e", "reopen libc.so", path, expect=1)
    assert "libc.so" in failed.err, failed
    with Terminal(width=100) as terminal:
        terminal.start(str(path))
        terminal.wait("2 Go runtimes")
        terminal.complete(":reopen ", pathlib.Path(other).name)
        terminal.send("Enter")
        terminal.command(":types")
        terminal.wait(RIGHT[other][0])
        terminal.send("q")


@test(builds=["gcc"])
def an_agent_chooses():
    path = str(two_hosts())
    for name, (type_name, count) in RIGHT.items():
        with Client(harness.PROGRAM) as client:
            for texts in (False, True):
                text, notes, bad = client.call("open", dump=path, exe=name.rpartition("/")[2], texts=texts)
                assert not bad and f"Only that of {name}" in text, (text, notes)
                text, notes, bad = client.call("list", table="types", where=f"type = '{type_name}'", columns="count")
                equal((json.loads(text)[0]["count"], bad), (count, False), type_name)
    with Client(harness.PROGRAM) as client:
        text, notes, bad = client.call("open", dump=path, exe="libc.so")
        assert bad and "libc.so" in text + notes, (text, notes)


@test(each=["go1.24-modes-cgopie", "go1.26-park-stripped-quiet"], builds=["gcc"])
def of_one_runtime_nothing_is_said(name):
    equal(answer("info", core(name))["not_read"], None, "not read")


def listed(pid):
    return next((row for row in json.loads(run("processes", "--json", expect=0).out) if row["pid"] == pid), None)


@test(builds=["gcc"])
def programs_with_libraries_of_go_are_listed():
    may_look()
    go = go_of()
    if not shutil.which("gcc"):
        raise Skip("there is no gcc, package gcc has it")
    folder = folder_of("two-libraries")
    (folder / "host.c").write_text(HOST)
    subprocess.run(["gcc", "-o", folder / "host", folder / "host.c", "-ldl"], check=True)
    libraries = []
    for name in ("session", "order"):
        (folder / f"{name}.go").write_text(LIBRARY.format(name=name))
        libraries.append(folder / f"{name}.so")
        subprocess.run([go, "build", "-buildmode=c-shared", "-o", libraries[-1], f"{name}.go"],
                       cwd=folder, env=building(cgo=True), check=True)
    with running(folder / "host", *libraries, says=b"ready\n") as process:
        row = listed(process.pid)
        equal((row["name"], row["executable"]), ("host", str(folder / "host")), "the program")
        equal(set(row["libraries"].split(", ")), {"session.so", "order.so"}, "its libraries")
        told = asked("info", str(process.pid), "-y")["not_read"]
        assert all(str(library) in told for library in libraries), told
        for i, name in enumerate(("session", "order")):
            equal(count_of(f"main.{name}", str(process.pid), "-y", "--exe", libraries[i]), 1000 * (i + 1), name)
    # What reads such a file as data has no runtime of it.
    with running("python3", "-c", "import mmap, sys, time\nwith open(sys.argv[1], 'rb') as f:\n"
                 " m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)\n print('ready', flush=True)\n time.sleep(600)",
                 libraries[0], says=b"ready\n") as process:
        equal(listed(process.pid), None, "one that reads a library")
