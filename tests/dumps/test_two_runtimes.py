"""A program that has loaded two libraries of Go: each has a runtime and a heap. One is read, all are named."""

import json
import os
import pathlib
import shutil
import subprocess

from core_files import core
from harness import Skip, answer, equal, run, stored, test, unpack
from live import folder_of, may_look, running
from toolchains import go_of

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


@test(builds=["gcc"])
def the_one_that_is_not_read_is_named():
    """Truth: what the program printed. A path that is told is taken by --exe, though there is no such file here."""
    folder = folder_of("two-runtimes")
    path, *_ = (unpack(stored(f"daemons2/{name}"), folder / name) for name in ("two_host.core", "liba.so", "libb.so"))
    told = answer("info", path)["not_read"]
    screen = " ".join(run("-e", "overview", "--size", "100x30", path, expect=0).out.split())
    right = {"/tmp/d2/liba.so": ("main.session", 3000), "/tmp/d2/libb.so": ("main.order", 2000)}
    for text in (told, screen, run("list", "warnings", path, expect=0).out):
        assert "2 Go runtimes" in text and all(name in text for name in right), text
    for name, (type_name, count) in right.items():
        for exe in (name, name.rpartition("/")[2], folder / pathlib.Path(name).name):
            equal(count_of(type_name, path, "--exe", exe), count, f"{type_name} of {exe}")
    read, = (name for name in right if f"Only that of {name}" in told)
    equal(count_of(right[read][0], path), right[read][1], "what is read without an option")


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
        environment = {**os.environ, "GO111MODULE": "off", "GOFLAGS": "", "CGO_ENABLED": "1"}
        subprocess.run([go, "build", "-buildmode=c-shared", "-o", libraries[-1], f"{name}.go"],
                       cwd=folder, env=environment, check=True)
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
