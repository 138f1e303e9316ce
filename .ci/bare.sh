#!/bin/sh
# bare.sh CACHE FOLDER: what a newcomer types, `make demo` and `make check`, in a clone of this repository within a
# root folder that has only what debootstrap puts there. Leaves FOLDER/summary, skipped and failed. Ends with status 3,
# and a line that says why, where no such folder can be made. The folder is kept in CACHE as an archive.
set -eu
cache=$1 folder=$2
root=$folder/root

cannot() {
	echo "No bare Debian here: $*."
	exit 3
}

[ "$(id -u)" -eq 0 ] || cannot "only root can change the root folder"
# shellcheck disable=SC1091
. /etc/os-release 2>/dev/null || cannot "/etc/os-release is not there"
[ "${ID-}" = debian ] && [ -n "${VERSION_CODENAME-}" ] || cannot "this is no Debian"
unshare --mount --pid --fork --kill-child true 2>/dev/null || cannot "a name space of mounts is not allowed"
rm -rf --one-file-system "$folder"
mkdir -p "$cache" "$root"

archive=$cache/$VERSION_CODENAME-$(dpkg --print-architecture).tar
# A base that is older than a month would load every package anew.
find "$cache" -name "${archive##*/}" -mtime +30 -delete
if ! tar -C "$root" -xf "$archive" 2>/dev/null; then
	rm -rf --one-file-system "$root" "$archive"
	sh .ci/packages.sh debootstrap >/dev/null 2>&1 || cannot "debootstrap is not to be had"
	mirror=$(sh .ci/mirror.sh)
	timeout 900 debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" >"$folder/log" 2>&1 ||
		cannot "debootstrap of $VERSION_CODENAME from $mirror fails: $(tail -n 1 "$folder/log")"
	rm -f "$root"/var/cache/apt/archives/*.deb
	tar -C "$root" -cf "$archive.part" . && mv "$archive.part" "$archive" || rm -f "$archive.part"
fi
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
echo 'Acquire::Retries "5";' >"$root/etc/apt/apt.conf.d/80retries"
git clone -q --no-hardlinks . "$root/goheapx" || cannot "git clones nothing"

# $1: a command in the clone. All that it starts ends with it, and no mount is left.
within() {
	# shellcheck disable=SC2016  # the inner shell expands
	unshare --mount --pid --fork --kill-child sh -c '
		mount --make-rprivate / && mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" &&
			mount --rbind /dev "$1/dev" || exit 99
		exec chroot "$1" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/root ${http_proxy:+http_proxy="$http_proxy"} sh -c "cd /goheapx && $2"
	' sh "$root" "$1" </dev/null
}

within 'apt-get -qq update && apt-get -qq install -y make' >"$folder/log" 2>&1 ||
	cannot "make cannot be installed in it: $(tail -n 1 "$folder/log")"
within 'make demo' >"$folder/log" 2>&1 || {
	cat "$folder/log"
	echo "0 passed, 1 failed" >"$folder/summary"
	exit 1
}
status=0
within "make check TESTS='${TESTS-}'" || status=$?
for file in summary skipped failed; do
	cp "$root/goheapx/build/$file" "$folder/" || status=1
done
rm -rf --one-file-system "$root"
exit "$status"
