module github.com/strobe-go/strobe/internal/oracle

go 1.26.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0
	github.com/google/pprof v0.0.0-20260115054156-294ebfa9ad83
	github.com/strobe-go/strobe v0.1.0
	gonum.org/v1/gonum v0.17.0
)

require golang.org/x/sys v0.48.0 // indirect

replace github.com/strobe-go/strobe => ../..
