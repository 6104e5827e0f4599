#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# prometheus.sh builds the Prometheus server for the tests here and puts it into the user's cache. That takes about twenty minutes
# once, and half a gigabyte of the build cache meanwhile.

set -eu -o pipefail
version=v0.308.1 # of the module; the server calls itself 3.8.1
cache=${STROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/strobe}/prometheus
server=$cache/prometheus-$version
[ ! -x "$server" ] || { echo "prometheus.sh: nothing to do, $server is there"; exit 0; }
mkdir -p "$cache"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" # in a module of its own, since go install refuses the server's, which has replacements
export GOWORK=off GOFLAGS=-mod=mod
go mod init build
go get "github.com/prometheus/prometheus/cmd/prometheus@$version"
go build -tags remove_all_sd -ldflags "-s -w" -o "$server.new" github.com/prometheus/prometheus/cmd/prometheus
mv "$server.new" "$server"
ls -l "$server"
