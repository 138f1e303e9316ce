"""Go toolchains that are found: `go`, or GO=program, or several as GO=one:two; and in which modes tests build
programs with them."""

import fcntl
import functools
import os
import pathlib
import platform
import re
import shutil
import subprocess

from harness import ROOT, Skip

# One cache for all tests: else each process that builds a program compiles Go's library first.
CACHE = str(ROOT / "build" / "go-cache")
TOOLCHAINS = (os.environ.get("GO") or shutil.which("go") or "").split(":")
PIE, EXTERNAL, STRIPPED = ["-buildmode=pie"], "-linkmode=external", "-s -w"
MODES = {
    "exe": ([], ""),
    "pie": (PIE, ""),
    "pie-stripped": (PIE, STRIPPED),
    "cgo": ([], EXTERNAL),
    "cgo-stripped": ([], f"{EXTERNAL} {STRIPPED}"),
    "cgo-pie": (PIE, EXTERNAL),
    "cgo-pie-stripped": (PIE, f"{EXTERNAL} {STRIPPED}"),
}
CASES = [f"{number}-{mode}" for number in range(len(TOOLCHAINS)) for mode in MODES]


def environment(mode):
    """Without C where it can be."""
    return building(EXTERNAL in MODES[mode][1])


def building(cgo=False, module=False):
    """What `go build` gets: nothing of the person's own settings, and nothing from the network."""
    if cgo and not shutil.which("gcc"):
        raise Skip("there is no gcc, package gcc has it")
    return {**os.environ, "GOCACHE": CACHE, "GO111MODULE": "on" if module else "off", "GOFLAGS": "", "GOPROXY": "off",
            "GOTOOLCHAIN": "local", "CGO_ENABLED": "1" if cgo else "0"}


def go_of(number=0):
    """The program `go` of one of them."""
    if not TOOLCHAINS[number]:
        raise Skip("there is no go, package golang-go has it; GO=program names others")
    return TOOLCHAINS[number]


@functools.lru_cache(maxsize=None)
def tool_of(go, name):
    """The path of a program that `go tool` has. Since Go 1.25 it is compiled when it is first asked for: once for all
    tests."""
    place = pathlib.Path(CACHE)
    place.mkdir(parents=True, exist_ok=True)
    with open(place.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run([go, "tool", name, "-help"], env=building(), capture_output=True, check=False)
        path = subprocess.run([go, "tool", "-n", name], env=building(), capture_output=True, text=True, check=True)
    return path.stdout.strip()


def toolchain(number):
    """The program `go` and its minor version."""
    go = go_of(number)
    if platform.machine() not in ("x86_64", "aarch64"):
        raise Skip("processes are read of amd64 and arm64")
    version = subprocess.run([go, "version"], capture_output=True, encoding="utf-8", check=True).stdout
    minor = re.search(r"go1\.(\d+)", version)
    if not minor or not 17 <= int(minor[1]) <= 27:
        raise Skip(f"of {version.strip()} nobody has looked")
    return go, int(minor[1])
