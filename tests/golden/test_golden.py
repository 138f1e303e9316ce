"""Explorer commands run without a terminal (NAME.steps), and the screens that they must give
(NAME.screen, with the style of each cell and the cursor). The first lines of a steps file say what it
is run on: "# dump: NAME" of testdata or of ../shared/corpus, "# core: NAME" of testdata's cores,
"# series: NAME ..." of one process, or "# file: FOLDER/NAME" of testdata as it is, and maybe "# exe: NAME",
"# options: ..." and "# status: N". NAME.views is the user's file of views. Those of ../shared/corpus are skipped without it. `make golden` rewrites the screens."""

import difflib
import os
import pathlib
import re
import shutil
import tempfile

from core_files import core
from executables import dump_of, exe_of
from harness import TESTDATA, UNPACKED, equal, run, test

FOLDER = pathlib.Path(__file__).parent
STEPS = sorted(path.stem for path in FOLDER.glob("*.steps"))


def setting(steps, word, default=""):
    found = re.search(rf"^# {word}: (.*)$", steps, re.M)
    return found.group(1) if found else default


def screens(name):
    """What the program prints, its messages included."""
    path = FOLDER / f"{name}.steps"
    steps = path.read_text()
    file, memory = setting(steps, "file"), setting(steps, "core")
    series = [pathlib.Path(dump_of(dump)) for dump in setting(steps, "series").split()]
    dump = TESTDATA / file if file else series[0] if series else pathlib.Path(
        core(memory) if memory else dump_of(setting(steps, "dump")))
    options = setting(steps, "options", "--marks").split()
    if setting(steps, "exe"):
        options += ["--exe", os.path.relpath(exe_of(setting(steps, "exe")), UNPACKED)]
    # Run beside the dump, so that screens show its name and no folder.
    with tempfile.TemporaryDirectory() as state:  # for notes
        environment = {"XDG_STATE_HOME": state}
        if path.with_suffix(".views").exists():
            environment["XDG_CONFIG_HOME"] = state
            (pathlib.Path(state) / "goheapx").mkdir()
            shutil.copy(path.with_suffix(".views"), f"{state}/goheapx/views")
        result = run(
            *options, "--script", path, dump.name, *[older.name for older in series[1:]],
            cwd=dump.parent, expect=int(setting(steps, "status", "0")), environment=environment,
        )
    return result.out + result.err.replace(str(path), path.name).replace(f"{state}/", "")


@test(each=STEPS)
def screen_is_as_saved(name):
    path = FOLDER / f"{name}.screen"
    got = screens(name)
    if os.environ.get("REWRITE"):
        path.write_text(got)
        return
    saved = path.read_text() if path.exists() else ""
    if got != saved:
        lines = difflib.unified_diff(
            saved.splitlines(), got.splitlines(), path.name, "the program", lineterm="", n=1
        )
        raise AssertionError("\n" + "\n".join(lines))


@test(builds=["gcc"])
def every_screen_has_its_steps():
    if not os.environ.get("REWRITE"):
        equal(sorted(path.stem for path in FOLDER.glob("*.screen")), STEPS, "screens")
