"""Processes with allocators of C from their packages, where these are installed: each is called by its name, and nothing
of its memory is taken for glibc's. Where there are compilers of Go and C."""

import pathlib
import shutil
import subprocess

from executables import exe_from
from harness import UNPACKED, Skip, answer, equal, run, test
from live import may_look, running

SOURCE = pathlib.Path(__file__).with_name("allocating.go")
SMALL, LARGE = 20000 * 1000, 3 * (4 << 20)
LIBRARIES = {  # and the package that has it
    "jemalloc": ("libjemalloc.so.2", "libjemalloc2"), "tcmalloc": ("libtcmalloc_minimal.so.4", "libtcmalloc-minimal4"),
    "mimalloc": ("libmimalloc.so.2", "libmimalloc2.0"),
}
STATIC = ("-ldflags", "-linkmode external -extldflags -static")


def library(name, package):
    for path in pathlib.Path("/usr/lib").glob(f"*/{name}"):
        return str(path)
    raise Skip(f"there is no {name}, package {package} has it")


def way_of(way):
    """The executable, and what is loaded before its libraries."""
    if way.startswith("musl"):
        if not shutil.which("musl-gcc"):
            raise Skip("there is no musl-gcc, package musl-tools has it")
        return exe_from(SOURCE, *STATIC * ("static" in way), CC="musl-gcc"), ""
    if way in LIBRARIES:
        return exe_from(SOURCE), library(*LIBRARIES[way])
    return exe_from(SOURCE, *STATIC * ("static" in way)), ""


@test(each=[*LIBRARIES, "musl", "musl, static", "glibc", "glibc, static"], builds=["gcc"])
def allocators_are_called_by_their_names(way):
    may_look()
    exe, preload = way_of(way)
    path, name = UNPACKED / f"allocating {way}.snapshot", way.partition(",")[0]
    with running(exe, says=b"ready\n", env={"LD_PRELOAD": preload} if preload else {},
                 stdin=subprocess.PIPE) as process:
        run("snapshot", str(process.pid), "-y", "-o", str(path), expect=0)
    memory = {row["use"]: row for row in answer("list", "memory", path, "--exe", exe)}
    malloc = answer("list", "mappings", path, "malloc", "--exe", exe)
    found = {row["kind"]: row for row in answer("list", "findings", path, "--exe", exe)}
    titled = "malloc" in memory, "malloc" in found, "allocator" in found
    if name == "glibc":
        equal(titled, (True, True, False), "use and findings")
        used = sum(row["malloc_used"] for row in malloc)
        assert 0 <= used - SMALL - LARGE < (SMALL + LARGE) // 50, used
        equal(found["malloc"]["what"], "malloc of glibc", "the finding")
        return
    equal((titled, malloc), ((False, False, True), []), "use, findings and mappings of malloc")
    equal(found["allocator"]["name"], f"maybe of {name}, which is not read", "the finding")
    assert SMALL + LARGE <= found["allocator"]["bytes"] < (SMALL + LARGE) * 5 // 4, found["allocator"]
    for use in ("other mappings", "rest of the runtime"):
        assert memory[use]["meaning"].endswith(f"maybe also of {name}: its chunks are not read"), memory[use]
    equal(found["allocator"]["bytes"], memory[found["allocator"]["what"]]["resident_bytes"], "its bytes")
