module github.com/strobe-go/strobe/internal/oracle

go 1.26.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0
	github.com/strobe-go/strobe v0.1.0
	gonum.org/v1/gonum v0.17.0
)

replace github.com/strobe-go/strobe => ../..
