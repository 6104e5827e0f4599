module github.com/strobe-go/strobe/examples

go 1.26.0

require (
	github.com/hajimehoshi/ebiten/v2 v2.10.3
	github.com/strobe-go/strobe v0.1.0
	github.com/strobe-go/strobe/contrib/ebitengine v0.1.0
	github.com/strobe-go/strobe/contrib/sql v0.1.0
	github.com/yuin/gopher-lua v1.1.2
	go.etcd.io/bbolt v1.5.0
	modernc.org/sqlite v1.55.0
)

require (
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/ebitengine/gomobile v0.0.0-20260820040257-d11f821a26a6 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.11.0 // indirect
	github.com/go-text/typesetting v0.3.5 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/srwiley/rasterx v0.0.0-20220730225603-2ab79fcdd4ef // indirect
	golang.org/x/image v0.45.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	modernc.org/libc v1.78.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

replace (
	github.com/strobe-go/strobe => ../
	github.com/strobe-go/strobe/contrib/ebitengine => ../contrib/ebitengine
	github.com/strobe-go/strobe/contrib/sql => ../contrib/sql
)
