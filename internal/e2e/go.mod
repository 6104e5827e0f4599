module github.com/strobe-go/strobe/internal/e2e

go 1.26.0

require (
	github.com/strobe-go/strobe v0.1.0
	golang.org/x/sys v0.48.0
)

require github.com/ebitengine/purego v0.10.2 // indirect

replace github.com/strobe-go/strobe => ../..
