#!/bin/sh
# run.sh BUILD TARGET CORPUS [OPTION...]: runs one fuzzer from its seeds and from what was found
# before. New inputs that reach new code go to CORPUS, findings to BUILD/found.
set -eu

build=$1 target=$2 corpus=$3
shift 3

case $target in
explorer) dictionary=$build/seeds/explorer.dict ;;
filter) dictionary=tests/fuzz/filter.dict ;;
archive | core | debug | exe | text) dictionary= ;;
*) dictionary=tests/fuzz/dump.dict ;;
esac
found=$build/found
mkdir -p "$corpus" "$found"
set -- "$@" -timeout=10 -rss_limit_mb=1024 -max_len=8192 "-artifact_prefix=$found/$target-" \
	${dictionary:+"-dict=$dictionary"} "$corpus" "$build/seeds/$target"
if [ -d "tests/fuzz/regress/$target" ]; then
	set -- "$@" "tests/fuzz/regress/$target"
fi
exec "$build/tests/fuzz/$target" "$@"
