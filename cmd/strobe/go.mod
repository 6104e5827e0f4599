module github.com/strobe-go/strobe/cmd/strobe

go 1.24.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/alecthomas/kong v1.17.0
	github.com/gdamore/tcell/v2 v2.13.10
	github.com/google/pprof v0.0.0-20260115054156-294ebfa9ad83
	github.com/modelcontextprotocol/go-sdk v1.4.0
	github.com/rivo/uniseg v0.4.7
	github.com/strobe-go/strobe v0.1.0
	golang.org/x/mod v0.30.0
	golang.org/x/perf v0.0.0-20251208221838-04cf7a2dca90
	golang.org/x/sys v0.41.0
)

require (
	github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
	github.com/ebitengine/purego v0.10.2 // indirect
	github.com/gdamore/encoding v1.0.1 // indirect
	github.com/google/jsonschema-go v0.4.2 // indirect
	github.com/lucasb-eyer/go-colorful v1.3.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.3 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.34.0 // indirect
	golang.org/x/term v0.37.0 // indirect
	golang.org/x/text v0.32.0 // indirect
)
