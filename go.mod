module github.com/strobe-go/strobe

go 1.24.0

require golang.org/x/sys v0.41.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/google/pprof v0.0.0-20260115054156-294ebfa9ad83
)

require (
	github.com/ebitengine/purego v0.10.1
	golang.org/x/perf v0.0.0-20251208221838-04cf7a2dca90
)

require github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
