"""Runs programs, and says what each took: for every line of JSON [file for its output, file for its
messages, program, argument, ...] one with [its status, its processor seconds, its bytes of memory at
most, its page faults]. A process of its own, because Linux counts to a program's memory what the one
that has started it had: this one has little."""

import json
import os
import sys

for line in sys.stdin:
    out, err, *command = json.loads(line)
    opened = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
    for number, path in ((1, out), (2, err)):
        opened.append((os.POSIX_SPAWN_OPEN, number, path, os.O_WRONLY | os.O_TRUNC, 0o600))
    child = os.posix_spawn(command[0], command, os.environ, file_actions=opened)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    faults = usage.ru_minflt + usage.ru_majflt
    print(json.dumps([os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss << 10, faults]), flush=True)
