"""Global variables, against the symbols that binutils list."""

import re
import shutil
import subprocess

from executables import files
from harness import ONE, Skip, answer, equal, run, test, unpacked

SECTIONS = {"b": "bss", "d": "data"}
LINKER = {"go.buildinfo", "go:buildinfo", "go:fipsinfo", "runtime.firstmoduledata"}  # in sections of their own: no variables


def symbols(exe):
    """Name, section, size of each variable, as nm has them."""
    nm = shutil.which("nm") or shutil.which("llvm-nm")
    if not nm:
        raise Skip("there is neither nm nor llvm-nm, package binutils has one")
    listed = subprocess.run([nm, "-S", exe], capture_output=True, text=True, check=True).stdout
    return {(name, SECTIONS[kind.lower()], int(size, 16), int(address, 16)) for address, size, kind, name
            in re.findall(r"^([0-9a-f]+) ([0-9a-f]+) ([bBdD]) (.*)$", listed, re.M)}


@test(each=[ONE, "go1.19-corner", "go1.27-corner"], builds=["gcc"])
def variables_are_the_symbols_of_the_executable(name):
    dump, _, exe = files(name)
    rows = answer("list", "variables", dump, "--exe", exe)
    got = {(row["name"], row["section"].removeprefix("noptr"), row["size"], int(row["address"], 16)) for row in rows}
    right = symbols(exe)
    equal((got - right, {name for name, *_ in right - got} - LINKER), (set(), set()), "variables of one list only")
    equal([row["size"] for row in rows], sorted((row["size"] for row in rows), reverse=True), "their order")


@test
def without_symbols_nothing_is_said_to_be_there():
    told = run("list", "variables", unpacked(ONE), expect=0).err
    assert "Only the executable names variables" in told, told
