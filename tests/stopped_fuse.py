"""A file system that does not answer: of FUSE, without any library, with one file "slow" that nobody reads to its end."""

import contextlib
import os
import pathlib
import select
import struct
import tempfile
import threading

from harness import Skip
from live import LIBC

LOOKUP, FORGET, GETATTR, OPEN, READ, FLUSH, INIT, INTERRUPT = 1, 2, 3, 14, 15, 25, 26, 36
FOLDER, FILE, DETACH, NO_CALL = 1, 2, 2, -38


def attributes(node):
    mode = 0o40755 if node == FOLDER else 0o100644
    return struct.pack("<6Q10I", node, 4096, 8, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


ANSWERS = {
    INIT: lambda node: struct.pack("<IIIIHHII", 7, 31, 4096, 0, 0, 0, 4096, 1) + bytes(36),
    LOOKUP: lambda node: struct.pack("<QQQQII", FILE, 0, 60, 60, 0, 0) + attributes(FILE),
    GETATTR: lambda node: struct.pack("<QII", 60, 0, 0) + attributes(node),
    OPEN: lambda node: struct.pack("<QII", 1, 0, 0),
}


def answer_all(device, end):
    """Until something is to be read at the end of a pipe. Who reads or closes the file is never answered."""
    while True:
        ready, _, _ = select.select([device, end], [], [])
        if end in ready:
            return
        request = os.read(device, 1 << 17)
        _, code, unique, node = struct.unpack_from("<IIQQ", request)
        if code in (READ, FLUSH, FORGET, INTERRUPT):
            continue
        body = ANSWERS[code](node) if code in ANSWERS else b""
        os.write(device, struct.pack("<IiQ", 16 + len(body), 0 if code in ANSWERS else NO_CALL, unique) + body)


@contextlib.contextmanager
def stopped_file():
    """The path of the file. Who reads it, or ends while it is open, waits in the kernel until the
    block ends."""
    if os.getuid() != 0 or not os.path.exists("/dev/fuse"):
        raise Skip("only root can mount a file system of FUSE, and the kernel must have it")
    device = os.open("/dev/fuse", os.O_RDWR)
    with tempfile.TemporaryDirectory() as folder:
        data = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
        if LIBC.mount(b"goheapx-test", folder.encode(), b"fuse", 0, data) != 0:
            os.close(device)
            raise Skip("no file system of FUSE can be mounted here")
        end, ends = os.pipe()
        server = threading.Thread(target=answer_all, args=(device, end), daemon=True)
        server.start()
        try:
            yield pathlib.Path(folder) / "slow"
        finally:
            LIBC.umount2(folder.encode(), DETACH)
            os.close(ends)
            server.join()
            os.close(end)
            os.close(device)  # the kernel ends all that waits for it
