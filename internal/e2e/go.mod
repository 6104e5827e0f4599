module github.com/strobe-go/strobe/internal/e2e

go 1.26.0

require (
	github.com/strobe-go/strobe v0.0.0
	golang.org/x/sys v0.49.0
)

replace github.com/strobe-go/strobe => ../..
