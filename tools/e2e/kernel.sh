#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# kernel.sh puts Debian's arm64 cloud kernels where strobe exact looks for them: about 21 MB each to download, 30 on disk.
#
#   tools/e2e/kernel.sh          6.1, which all but a few tests use
#   tools/e2e/kernel.sh 6.12     the newer one too: 64-bit user-space counters
#
# It runs on Debian without root, with package lists of its own, so it does not change those of the machine. It does not fetch
# kernels that are there already.

set -eu -o pipefail
cache=${STROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/strobe}/arm64
mkdir -p "$cache"

wanted=
for series in 6.1 ${1:-}; do
	ls "$cache"/vmlinuz-"$series".* >/dev/null 2>&1 || wanted="$wanted $series"
done
[ -n "$wanted" ] || { echo "kernel.sh: nothing to do, $cache has $(cd "$cache" && echo vmlinuz-*)"; exit 0; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/lists/partial" "$tmp/archives/partial"
apt="-oAPT::Architecture=arm64 -oAPT::Architectures=arm64 -oDir::State::Lists=$tmp/lists -oDir::Cache=$tmp -oDir::Cache::archives=$tmp/archives"
[ "$(id -u)" != 0 ] || apt="$apt -oAPT::Sandbox::User=root"
apt-get $apt -qq update

for series in $wanted; do
	# The list has the kernels of backports too; take the newest version of the series.
	deb=$(apt-cache $apt search --names-only "^linux-image-${series//./\\.}\..*-cloud-arm64\$" | cut -d' ' -f1 | sort -V | tail -n 1)
	[ -n "$deb" ] || { echo "kernel.sh: no cloud kernel $series for arm64 among this machine's Debian sources" >&2; exit 1; }
	echo "kernel.sh: fetching $deb"
	(cd "$tmp" && apt-get $apt -qq download "$deb")
	dpkg -x "$tmp/$deb"_*.deb "$tmp/$series"
	cp "$tmp/$series"/boot/vmlinuz-* "$cache/"
done
ls -l "$cache"
