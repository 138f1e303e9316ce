"""Programs that unpack themselves, as those of UPX: their code lies in memory without a file, and the process began
elsewhere. A loader that is built here stands for UPX, whose packed files it resembles; the unpacked file is accepted
for the process and for its core file, that of another build is not."""

import contextlib
import pathlib
import shutil
import struct
import subprocess

from harness import Skip, answer, equal, run, test
from live import executable, folder_of, may_look, running

SOURCE = pathlib.Path(__file__).with_name("unpacks.c")
PROGRAM, OTHER = "go1.26-park-stripped-quiet", "go1.19-park-plain-quiet"


def packer(folder):
    """The loader, with UPX's mark and without sections."""
    if not shutil.which("gcc"):
        raise Skip("there is no gcc, package gcc has it")
    path = folder / "packed"
    subprocess.run(["gcc", "-O1", "-static-pie", "-o", path, SOURCE], check=True)
    bytes_of = bytearray(path.read_bytes())
    equal(bytes_of[4:6], b"\2\1", "64 bits, little-endian")
    bytes_of[9:13] = b"UPX!"
    struct.pack_into("<Q", bytes_of, 40, 0)
    struct.pack_into("<3H", bytes_of, 58, 0, 0, 0)
    path.write_bytes(bytes_of)
    return path


@contextlib.contextmanager
def begun(*words):
    """A program that has made its heap, and said so."""
    with running(*words, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline(), "it has ended"
        yield process


@test(builds=["gcc"])
def the_unpacked_file_is_accepted():
    may_look()
    folder = folder_of("unpacked")
    exe, other, packed, core = executable(PROGRAM), executable(OTHER), packer(folder), folder / "core"
    with begun(packed, exe, "1500", folder / "truth", "quiet") as process:
        run("snapshot", str(process.pid), "-y", "-o", core, expect=0)
        of_process = answer("list", "types", str(process.pid), "-y", "--exe", exe)
        refused = run("list", "types", str(process.pid), "-y", expect=2)
    assert "is packed by UPX: unpack it" in refused.err, refused
    of_core = answer("list", "types", core, "--exe", exe)
    with begun(exe, "1500", folder / "truth", "quiet") as process:
        plain = answer("list", "types", str(process.pid), "-y")
    for rows in (of_process, of_core):
        equal(*({row["type"]: row["count"] for row in some if (row["type"] or "").startswith("main.")} for some in (rows, plain)),
              "objects of the program")
    assert any((row["type"] or "").startswith("main.") for row in plain), plain
    equal(answer("info", core, "--exe", exe)["executable"], str(exe), "names")
    for wrong in (other, packed):
        result = run("list", "types", core, "--exe", wrong, expect=2)
        assert "another program or build" in result.err or "packed by UPX" in result.err, result
