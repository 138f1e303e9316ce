"""Every key and command of the explorer on an input of each kind, each in one of its views: a part of tests/presses.py,
always the same. `make storm` presses each in every view."""

import tempfile

import presses
from harness import TESTDATA, test
from session import Session

LIMIT = 60  # seconds; only a hang takes that long


@test(each=presses.INPUTS, builds=["sanitize"])
def nothing_that_is_pressed_ends_it(name):
    wrong = [f"{what}: {complaint}" for what, complaint in presses.of_part(name) if complaint]
    assert not wrong, "\n".join(wrong)


@test
def no_view_ends_it_before_the_file_is_read():
    """Keys that are typed before the program starts open views while a packed file is still unpacked."""
    tables = presses.Tables()
    keys = [name for name, command in tables.keys if command.split()[0] in tables.views]
    assert len(keys) > 15, keys
    for name in keys:
        with tempfile.TemporaryDirectory() as home, \
                Session([TESTDATA / "go1.26.10-server.dump.xz"], home, (80, 24)) as session:
            session.type(presses.key_bytes(name))
            assert session.drain(LIMIT, b"objects, "), f"{name} has ended it: {session.output[-500:]!r}"
            session.type("Q")
            status = session.end(limit=LIMIT)
            assert status == 0, f"status {status} after {name}: {session.output[-500:]!r}"
