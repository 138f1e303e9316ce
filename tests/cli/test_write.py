"""What commands of the explorer write into files, and what they leave alone."""

import os
import pathlib
import stat
import tempfile

from harness import ONE, equal, run, test, unpacked

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
