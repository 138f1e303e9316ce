#!/bin/sh
# dist.sh VERSION FOLDER: the source of the last commit, with a file that says its version. Two runs
# write the same bytes: times are the commit's, and gzip notes none.
set -eu
name=goheapx-$1
mkdir -p "$2"
git archive --format=tar --prefix="$name/" --add-virtual-file="$name/VERSION:$1
" HEAD | gzip -n -9 >"$2/$name.tar.gz.part"
mv "$2/$name.tar.gz.part" "$2/$name.tar.gz"
echo "$2/$name.tar.gz"
