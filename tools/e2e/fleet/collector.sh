#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# collector.sh builds the OpenTelemetry collector for the tests here, testdata/collector, and puts it into the user's cache. That
# takes a minute or two of processor time once.

set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=v0.165.0 stable=v1.71.0 # of its modules
cache=${STROBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/strobe}/collector
server=$cache/collector-$version
[ ! -x "$server" ] || { echo "collector.sh: nothing to do, $server is there"; exit 0; }
mkdir -p "$cache"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$here/testdata/collector/main.go" "$tmp"
cd "$tmp"
export GOWORK=off GOFLAGS=-mod=mod
go mod init build
for m in component confmap confmap/provider/fileprovider exporter receiver; do go mod edit -require "go.opentelemetry.io/collector/$m@$stable"; done
for m in exporter/debugexporter otelcol receiver/otlpreceiver service; do go mod edit -require "go.opentelemetry.io/collector/$m@$version"; done
go mod tidy
go build -ldflags "-s -w" -o "$server.new" .
mv "$server.new" "$server"
ls -l "$server"
