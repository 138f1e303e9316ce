"""What people use of the Makefile besides building and testing."""

import os
import pathlib
import subprocess
import tempfile

from harness import BUILD, ONE, ROOT, TESTDATA, equal, run, test

FILES = [
    "opt/x/bin/goheapx",
    "opt/x/share/bash-completion/completions/goheapx",
    "opt/x/share/fish/vendor_completions.d/goheapx.fish",
    *(f"opt/x/share/goheapx/drift/go1.19-drift{part}.xz" for part in ("-1.dump", "-2.dump", "-3.dump", ".exe")),
    "opt/x/share/man/man1/goheapx.1",
    "opt/x/share/man/man7/goheapx-tutorial.7",
    "opt/x/share/zsh/site-functions/_goheapx",
]


def make(*arguments):
    """Runs make with the flags of the build under test, so that nothing is built anew. Its output."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--no-print-directory", "CC=gcc", "WERROR=1", f"BUILD={BUILD.relative_to(ROOT)}", *arguments],
        cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )
    return done.stdout


@test(builds=["gcc"])
def what_is_installed_is_uninstalled():
    with tempfile.TemporaryDirectory() as folder:
        folders = (f"DESTDIR={folder}", "PREFIX=/opt/x")
        make("install", *folders)
        found = sorted(str(p.relative_to(folder)) for p in pathlib.Path(folder).rglob("*") if p.is_file())
        equal(found, FILES, "files")
        modes = [os.stat(f"{folder}/{name}").st_mode & 0o777 for name in FILES]
        equal(modes, [0o755] + [0o644] * 9, "modes")
        make("uninstall", *folders)
        equal([p for p in pathlib.Path(folder).rglob("*") if p.is_file()], [], "files left")


@test(builds=["gcc"])
def the_demo_without_a_terminal_is_the_report():
    shown = make("demo")
    right = run("info", TESTDATA / f"{ONE}.dump.xz", "--exe", TESTDATA / f"{ONE}.exe.xz").out
    assert right.splitlines()[1:] == shown.splitlines()[1:] and "main.gBlob" in shown, shown


FORMATS = {
    "chromium": TESTDATA / "chromium" / "odd.json",
    "netcf": TESTDATA / "netcf" / "small.gclog",
    "v8": TESTDATA / "v8" / "node20-leaks.heapsnapshot.xz",
}


@test(builds=["gcc"], each=sorted(FORMATS))
def a_format_is_a_folder_that_can_be_taken_away(name):
    """`make layers` links the program without it: it refuses dumps of that format, and answers of others the same."""
    for other, file in {**FORMATS, "go": TESTDATA / f"{ONE}.dump.xz"}.items():
        done = subprocess.run([BUILD / "layers" / f"without-{name}", "info", file], capture_output=True, text=True, check=False)
        if other == name:
            assert done.returncode and not done.stdout and "does not begin like" in done.stderr, (other, done)
        else:
            equal(done.stdout, run("info", file, expect=0).out, f"{other} without {name}")


@test(builds=["gcc"])
def fuzzing_sees_what_memory_does():
    """It has run without for a while: nothing fails when a variable has no value."""
    compiled = make("CC=clang", "FUZZING=1", "--eval=told:; @echo $(COMPILE)", "told")
    for flag in ("-fsanitize=address,undefined", "-fsanitize=fuzzer-no-link"):
        assert flag in compiled.split(), compiled


@test(builds=["gcc"])
def the_program_is_linked_anew_when_a_source_is_gone():
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        program = os.path.join(folder, "goheapx")
        both = [f"{folder}/src/base/{name}.o" for name in ("err", "text")]

        def links(*objects):
            made = make(f"BUILD={folder}", f"PROGRAM={program}", f"OBJECTS={' '.join(objects)}",
                        f"LINK=sh -c 'echo linked; touch {program}' link", program)
            return "linked" in made

        equal([links(*both), links(*both), links(both[0]), links(both[0])], [True, False, True, False], "linked")


@test(builds=["gcc"])
def help_names_every_target_for_people():
    shown = make("help")
    for target in ("demo", "check", "golden", "layers", "storm", "mutate", "bench", "lint", "deps", "install", "clean"):
        assert f"make {target}" in shown, f"{target} is not in make help"
