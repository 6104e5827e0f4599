module github.com/strobe-go/strobe

go 1.24.0

require (
	github.com/ebitengine/purego v0.10.2
	golang.org/x/sys v0.41.0
)
