#!/bin/sh
# Checks that no file includes a header of a layer to its right. Arguments: the layers in order.
# A layer's files are src/LAYER and include/LAYER, and those of each language or format, NAME/LAYER.
# Languages and formats include no headers of each other.
set -u
layers=$*
failed=0
while [ $# -gt 0 ]; do
	layer=$1
	shift
	for right in "$@"; do
		grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]([a-z0-9]+/)?$right/" \
			"src/$layer" "include/$layer" src/*/"$layer" include/*/"$layer" 2>/dev/null || continue
		echo "$layer must not include $right/: the layers are $layers" >&2
		failed=1
	done
done
names=$(cd src && for folder in */; do set -- "$folder"*.c; [ -e "$1" ] || echo "${folder%/}"; done)
for name in $names; do
	for other in $names; do
		[ "$name" != "$other" ] || continue
		grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$other/" "src/$name" "include/$name" 2>/dev/null || continue
		echo "$name must not include $other/" >&2
		failed=1
	done
done
exit $failed
