"""measure.py REPORT PROGRAM [ARGUMENT...]: runs a program, and writes to a file [its status, its
processor seconds, its bytes of memory at most]. A process of its own, because Linux counts to a
program's memory what the one that has started it had: this one has little."""

import json
import os
import sys

child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w", encoding="ascii") as report:
    seconds = usage.ru_utime + usage.ru_stime
    json.dump([os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss << 10], report)
