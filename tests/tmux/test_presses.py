"""Every key and command of the explorer on an input of each kind, each in one of its views: a part of tests/presses.py,
always the same. `make storm` presses each in every view."""

import presses
from harness import test


@test(each=presses.INPUTS, builds=["sanitize"])
def nothing_that_is_pressed_ends_it(name):
    wrong = [f"{what}: {complaint}" for what, complaint in presses.of_part(name) if complaint]
    assert not wrong, "\n".join(wrong)
