module github.com/strobe-go/strobe

go 1.24.0

require (
	github.com/ebitengine/purego v0.10.2
	github.com/google/pprof v0.0.0-20260115054156-294ebfa9ad83
	golang.org/x/sys v0.41.0
)
