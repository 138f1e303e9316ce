#!/bin/sh
# release.sh VERSION FOLDER PACKAGE...: everything that a release consists of, of the last commit, into a folder. It
# is built twice, in folders of different names, and is a release only if both are the same bytes. The packages are
# the libraries that the program is built from.
set -eu
version=$1 folder=$2
shift 2
export CCACHE_DISABLE=1 # what is built twice is compiled twice
unset MAKEFLAGS MAKELEVEL MFLAGS # every make runs on all processors
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh packaging/sysroot.sh arm64 build/sysroot-aarch64-linux-gnu "$@"
source=$(sh packaging/dist.sh "$version" "$work")
for turn in first second-turn; do
	tree=$work/$turn/goheapx-$version
	mkdir "$work/$turn"
	cp "$source" "$work/$turn"
	tar -C "$work/$turn" -xf "$source"
	mkdir "$tree/build"
	ln -s "$PWD/build/sysroot-aarch64-linux-gnu" "$tree/build/"
	make -C "$tree" --no-print-directory CFLAGS=-O2 static all >&2
	make -C "$tree" --no-print-directory static CROSS=aarch64-linux-gnu >&2
	(cd "$tree" && sh packaging/deb.sh build/goheapx "$version" "$work/$turn") >&2
	cp "$tree/build/static/goheapx" "$work/$turn/goheapx-linux-amd64"
	cp "$tree/build/static-aarch64-linux-gnu/goheapx" "$work/$turn/goheapx-linux-arm64"
	mandoc -T html "$tree/man/goheapx.1" >"$work/$turn/goheapx.1.html"
	cp packaging/Containerfile packaging/kubectl-goheapx "$work/$turn"
	python3 packaging/sbom.py "$version" "$tree/build" "$@" >"$work/$turn/goheapx.spdx.json"
	rm -rf "$tree"
	(cd "$work/$turn" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
	sed "s|@version@|$version|; s|@url@|${RELEASE_URL:-https://goheapx.example}|; s|@sha256@|$(sha256sum <"$work/$turn/kubectl-goheapx" | cut -d' ' -f1)|" \
		packaging/krew.yaml >"$work/$turn/krew.yaml"
done
diff -r "$work/first" "$work/second-turn" || { echo "release: two builds differ" >&2; exit 1; }
mkdir -p "$folder"
rm -rf "${folder:?}"/*
mv "$work/first"/* "$folder"
ls -l "$folder"
