module github.com/strobe-go/strobe

go 1.26.0

require golang.org/x/sys v0.49.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
)

require github.com/ebitengine/purego v0.11.3
