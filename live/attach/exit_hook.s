// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_run

// A package with an assembly file may declare functions without a body.
