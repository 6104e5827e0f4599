module github.com/strobe-go/strobe

go 1.26.0
