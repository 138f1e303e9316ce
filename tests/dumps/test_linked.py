"""A program that is linked with the runtime as a shared library: it is read with that, which is found where the process
has it, and its own types and variables have their names."""

import pathlib
import shutil
import subprocess

from executables import strip
from harness import UNPACKED, Skip, answer, equal, run, test
from live import may_look, running
from toolchains import TOOLCHAINS, building, toolchain

SOURCE = pathlib.Path(__file__).with_name("linked.go")


def built(number, name="linked"):
    """A new folder with the program and the library, in one of its own: Go copies of its packages are there."""
    go, _ = toolchain(number)
    folder = UNPACKED / f"{name}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    made = subprocess.run([go, "install", "-buildmode=shared", "-linkshared", "-pkgdir", folder / "packages", "runtime",
                           "sync/atomic"], env=building(True), capture_output=True, encoding="utf-8", check=False)
    library, = list((folder / "packages").glob("lib*.so")) or [None]
    if made.returncode or not library:
        raise Skip(f"this toolchain makes no shared library: {made.stderr.strip().splitlines()[-1:]}")
    subprocess.run([go, "build", "-linkshared", "-pkgdir", folder / "packages", "-o", folder / "program", SOURCE],
                   env=building(True), check=True)
    return folder, library


def check(truth, number, *input_):
    """Go 1.19 writes no debug information into such a program: its types are guessed, and marked so."""
    types = {row["type"]: row for row in answer("list", "types", *input_)}
    equal([types[name]["count"] for name in ("main.session", "bytes.Buffer")], [1000, 1000], "types")
    if toolchain(number)[1] > 19:
        equal([types[name]["guessed"] for name in ("main.session", "bytes.Buffer")], [0, 0], "guesses")
    variables = {row["name"]: row["address"] for row in answer("list", "variables", *input_)}
    equal({name: variables.get(f"main.{name}") for name in truth}, truth, "variables")
    owners = {row["name"]: row for row in answer("list", "roots", *input_)}
    assert {"main.sessions", "main.list"} <= set(owners), owners
    frames = {row["function"] for row in answer("list", "goroutines", *input_)}
    assert {"main.main", "main.wait"} <= frames, frames


def snapshot(program, core):
    with running(program, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as process:
        truth = dict(zip(("sessions", "list", "any"), process.stdout.readline().decode().split()))
        run("snapshot", str(process.pid), "-y", "-o", core, expect=0)
    return truth


@test(each=range(len(TOOLCHAINS)), builds=["gcc"])
def what_is_linked_with_the_runtime_has_names(number):
    may_look()
    folder, library = built(number)
    program, bare = folder / "program", folder / "bare"
    bare.write_bytes(strip(program))
    bare.chmod(0o755)
    for file in program, bare:
        core = folder / f"{file.name}.core"
        truth = snapshot(file, core)
        check(truth, number, core)
        equal(answer("list", "warnings", core), [], "warnings")
    check(truth, number, core, "--exe", library)
    check_refused(core, library)
    shutil.rmtree(folder)


def check_refused(core, library):
    """Without the library, and with another build of it."""
    away = library.with_suffix(".away")
    library.rename(away)
    refused = run("info", core, expect=2).err
    assert "is linked with Go's packages as shared libraries, and that with the runtime is not here" in refused, refused
    content = bytearray(away.read_bytes())
    content[content.index(b"\x14\0\0\0\3\0\0\0GNU\0") + 12] ^= 1  # the build id
    library.write_bytes(content)
    refused = run("info", core, "--exe", library, expect=2).err
    assert f"{library} is of another build than the library that the process has loaded" in refused, refused


@test(each=range(len(TOOLCHAINS)), builds=["gcc"])
def a_heap_dump_of_a_linked_program_has_names(number):
    """They are in two files, of which the dump names none; variables of the program are not in it, which is said."""
    folder, library = built(number, "linked-dump")
    program, dump = folder / "program", folder / "a.dump"
    with running(program, dump, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as process:
        process.stdin.write(b"x")
        process.stdin.close()
        equal(process.wait(), 0, "the program")
    away = library.with_suffix(".away")
    for place in (library, folder / library.name, None):
        if place:
            library.rename(place)
            types = {row["type"]: row["count"] for row in answer("list", "types", dump, "--exe", program)}
            equal((types["main.session"], types["bytes.Buffer"]), (1000, 1000), "types")
            lines = {row["function"]: row["source"] for row in answer("list", "goroutines", dump, "--exe", program)}
            assert lines["main.main"].startswith("linked.go:"), lines
            said = " ".join(run("info", dump, program, expect=0).out.split())
            assert "dumps lack variables outside of the library with the runtime, cleanups" in said, said
            library = place
        else:
            library.rename(away)
            refused = run("info", dump, program).err
            assert "is linked with Go's packages as shared libraries, and that with the runtime is not here" in refused, refused
    shutil.rmtree(folder)
