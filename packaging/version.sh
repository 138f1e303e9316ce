#!/bin/sh
# Prints the version: of the last tag vN, and of commits since then their number and the commit; of a
# tree that no git knows of what is last known.
last=0.1.0
found=$(git describe --tags --match 'v*' --dirty 2>/dev/null) && { echo "${found#v}"; exit; }
commit=$(git rev-parse --short=10 HEAD 2>/dev/null) && { echo "$last+g$commit"; exit; }
echo "$last"
