// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package command

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func killGroup(int) {}

func signalled(*os.ProcessState) (name string, ok bool) { return "", false }

func (*Run) usage(*os.ProcessState) {}
