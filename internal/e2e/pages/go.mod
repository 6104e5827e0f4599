module github.com/strobe-go/strobe/internal/e2e/pages

go 1.26.0

replace github.com/strobe-go/strobe => ../../..

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.22.1
	github.com/google/pprof v0.0.0-20260115054156-294ebfa9ad83
	github.com/strobe-go/strobe v0.1.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	golang.org/x/sys v0.48.0 // indirect
)
