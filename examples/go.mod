module github.com/strobe-go/strobe/examples

go 1.26.0

require (
	github.com/strobe-go/strobe v0.1.0
	github.com/yuin/gopher-lua v1.1.2
	go.etcd.io/bbolt v1.5.0
)

require golang.org/x/sys v0.48.0 // indirect

replace github.com/strobe-go/strobe => ../
