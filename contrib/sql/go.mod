module github.com/strobe-go/strobe/contrib/sql

go 1.24.0

require github.com/strobe-go/strobe v0.1.0

require golang.org/x/sys v0.41.0 // indirect
