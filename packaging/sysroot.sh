#!/bin/sh
# sysroot.sh ARCH FOLDER PACKAGE...: Debian packages of another architecture, unpacked into a folder, for a
# cross compiler. apt keeps the lists and files in a folder of its own: the system does not learn of them.
set -eu
arch=$1 folder=$2
shift 2
[ -e "$folder/complete" ] && exit
mkdir -p "$folder.apt/lists/partial" "$folder.apt/archives/partial" "$folder"
folder=$(cd "$folder" && pwd)
cat >"$folder.apt/apt.conf" <<END
APT::Architectures {"$(dpkg --print-architecture)"; "$arch";};
APT::Sandbox::User "root";
Dir::State::lists "$folder.apt/lists";
Dir::State::status "/dev/null";
Dir::Cache "$folder.apt";
Debug::NoLocking "1";
END
export APT_CONFIG="$folder.apt/apt.conf"
apt-get -q update >&2
for package in "$@"; do
	(cd "$folder.apt/archives" && apt-get -q download "$package:$arch" >&2)
done
for package in "$folder.apt/archives"/*.deb; do
	dpkg-deb -x "$package" "$folder"
	dpkg-deb -W --showformat='${Package} ${Version}\n' "$package"
done | sort >"$folder/packages"
touch "$folder/complete"
rm -rf "$folder.apt"
