#!/bin/sh
# go.sh FOLDER VERSION...: the first of these versions of Go (1.26 ...) that a suite of Debian has, unpacked, not
# installed. Prints the path of its program go. FOLDER keeps it; the system's own lists of packages are not touched.
set -eu
folder=$1
shift
for version in "$@"; do
	[ ! -x "$folder/$version/bin/go" ] || { echo "$folder/$version/bin/go"; exit 0; }
done
mkdir -p "$folder"
work=$(mktemp -d "$folder/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/state" "$work/archives/partial" "$work/tree"
: >"$work/status"
mirror=$(sh "$(dirname "$0")/mirror.sh")
for suite in stable stable-backports testing unstable; do
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
done >"$work/sources.list"

apt() {
	apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State="$work/state" -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status" \
		-o Dir::Cache="$work" -o APT::Sandbox::User=root -o Acquire::Retries=3 "$@" >/dev/null 2>&1 </dev/null
}

apt update || true # one suite that is not to be had is no loss
for version in "$@"; do
	(cd "$work" && apt download "golang-$version-go" "golang-$version-src") || continue
	for package in "$work"/*.deb; do
		dpkg -x "$package" "$work/tree"
	done
	# What is the same for all machines lies in share, and links lead there.
	made=$work/tree/usr/lib/go-$version
	find "$made" -type l | while read -r link; do
		target=$work/tree/usr/share/go-$version/${link#"$made/"}
		[ ! -e "$target" ] || { rm "$link" && cp -R "$target" "$link"; }
	done
	"$made/bin/go" version >/dev/null || continue
	mv "$made" "$folder/$version"
	echo "$folder/$version/bin/go"
	exit 0
done
exit 1
