"""Go toolchains that are found: `go`, or GO=program, or several as GO=one:two; and in which modes tests build
programs with them."""

import os
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
