// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && (amd64 || arm64)

package strobeslog_test

import (
	"log/slog"
	"os"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/strobeslog"
)

var zOrder = strobe.NewRootZone("order")

func ExampleNewHandler() {
	plain := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case slog.TimeKey, slog.LevelKey:
			return slog.Attr{}
		case "unit_ms":
			a.Value = slog.StringValue("...")
		}
		return a
	}})
	log := slog.New(strobeslog.NewHandler(plain))
	defer zOrder.Enter().Exit()
	log.Info("out of stock", "item", 7)
	// Output: msg="out of stock" item=7 unit=order unit_ms=...
}
