"""What commands of the explorer write into files, and what they leave alone."""

import os
import pathlib
import stat
import tempfile

from harness import ONE, TESTDATA, equal, run, test, truth, unpacked

FORMS = {"list.csv": ("--csv",), "list.json": ("--json",), "list": (), "csv": ()}


@test(each=FORMS)
def a_list_is_written_as_the_shell_gets_it(name):
    dump = unpacked(ONE)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        run("-e", f"groups; filter count > 1; write {path}", dump, expect=0)
        want = run("list", "groups", dump, *FORMS[name], "--where", "count > 1", expect=0)
        equal(path.read_bytes(), want.raw_out, name)
        equal(stat.S_IMODE(path.stat().st_mode), 0o600, "mode")


@test
def files_that_are_there_stay():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list"
        path.write_text("mine")
        result = run("-e", f"groups; w {path}", unpacked(ONE), expect=1)
        assert "is there already" in result.err, result
        equal(path.read_text(), "mine", "the file")
        result = run("-e", f"overview; w {path}.csv", unpacked(ONE), expect=1)
        assert "Only lists" in result.err, result
        result = run("-e", f"groups; w {path}/below", unpacked(ONE), expect=1)
        assert "cannot be written" in result.err, result
        equal(os.listdir(folder), ["list"], "files")


@test(each=("shell touch", "pipe cat >", "!touch", "|cat >"))
def scripts_run_no_commands_of_the_shell(command):
    with tempfile.TemporaryDirectory() as folder:
        result = run("-e", f"{command} {folder}/file", unpacked(ONE), expect=1)
        assert "need a terminal" in result.err, result
        equal(os.listdir(folder), [], "files")


EXPORTS = ("chromium-heap", "dot", "dot-dominators", "folded", "heapsnapshot", "hprof", "pprof", "pprof-alloc", "sqlite")


@test(each=EXPORTS)
def the_explorer_exports_as_the_shell_does(form):
    """Whether the parts of maps and channels are shown there or not."""
    address = truth(ONE)["Objects"]["deep2"]["addr"]
    about = [address] if form.startswith("dot") else []
    with tempfile.TemporaryDirectory() as folder:
        want, mine, named = (pathlib.Path(folder, name) for name in ("want", "mine", f"x y.{form}"))
        run("export", unpacked(ONE), *about, "--format", form, "-o", want, expect=0)
        shown = f"goto {address}; export {form} {mine}; set parts on; goto {address}; export {named}"
        screen = run(unpacked(ONE), "-e", shown, expect=0).out
        assert f"x y.{form} is written." in screen, screen
        for path in (mine, named):
            equal(path.read_bytes(), want.read_bytes(), path.name)
            equal(stat.S_IMODE(path.stat().st_mode), 0o600, "mode")
        equal(sorted(os.listdir(folder)), sorted(("want", "mine", named.name)), "files")


def files_below(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


@test
def the_explorer_exports_tables_as_the_shell_does():
    """Whatever is shown there; a folder that is there is refused, and nothing is left of one that fails."""
    with tempfile.TemporaryDirectory() as folder:
        want, mine, there = (pathlib.Path(folder, name) for name in ("want", "mine", "there"))
        there.mkdir()
        told = run("export", unpacked(ONE), "--format", "tables", "-o", want, expect=0).err
        screen = run(unpacked(ONE), "-e", f"wait all; set parts on; export tables {mine}", expect=0).out
        assert "mine is written." in screen, screen
        equal(screen.count("left empty"), told.count("left empty") and 1, "tables left empty are told")
        found = files_below(mine)
        equal(found, files_below(want), "files")
        assert len(found) > 50 and "schema.sql" in found, found.keys()
        equal(stat.S_IMODE(mine.stat().st_mode), 0o700, "mode")
        for command, words in ((f"wait all; export tables {there}", "is there already"), (f"wait all; export tables {mine}", "is there already"),
                               (f"wait objects; export tables {folder}/new", "still being computed"), (f"wait all; export tables {folder}/no/x", "cannot be made")):
            result = run(unpacked(ONE), "-e", command, expect=1)
            assert words in result.err, (command, result.err)
        equal(sorted(os.listdir(folder)), ["mine", "there", "want"], "folders")
        equal(files_below(there), {}, "the folder that was there")


@test
def what_is_there_is_refused_before_anything_is_computed():
    """Before it is looked at whether there is what the file would hold."""
    with tempfile.TemporaryDirectory() as folder:
        there, link, missing = (pathlib.Path(folder, name) for name in ("there.html", "link.hprof", "no/x.hprof"))
        there.write_text("mine")
        link.symlink_to("nowhere")
        for command, told in (
            (f"report {there}", "is there already"), (f"export hprof {there}", "is there already"),
            (f"export {link}", "is there already"), (f"report {folder}/x.html", "still being computed"),
            (f"export hprof {folder}/x", "still being computed"), (f"export {missing}", "cannot be written"),
        ):
            result = run(unpacked(ONE), "-e", f"wait objects; {command}", expect=1)
            assert told in result.err, (command, result.err)
        equal(sorted(os.listdir(folder)), ["link.hprof", "there.html"], "files")
        equal(there.read_text(), "mine", "the file")


@test
def exports_that_cannot_be_written_say_why():
    log = TESTDATA / "netcf/small.gclog"
    with tempfile.TemporaryDirectory() as folder:
        for dump, command, told in (
            (unpacked(ONE), "export", "Say which file"), (unpacked(ONE), f"export {folder}/x", "Name the format"),
            (unpacked(ONE), f"export hpof {folder}/x.hprof", '"hpof" to export, perhaps hprof is meant'),
            (unpacked(ONE), f"overview; export dot {folder}/x", "none on this row"), (log, f"export pprof-alloc {folder}/x", "GC log"),
        ):
            result = run(dump, "-e", command, expect=1)
            assert told in result.err, (command, result.err)
        equal(os.listdir(folder), [], "files")
