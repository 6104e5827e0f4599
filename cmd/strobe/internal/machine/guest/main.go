// SPDX-License-Identifier: BSD-3-Clause

//go:build linux

// Command guest is the first and only process of the emulated machine that strobe exact boots: it sets up the system, runs one
// program, reports how it ended and switches the machine off.
//
// It is built from this file alone, so it imports only the standard library.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// An order says what to run. strobe exact writes it to /order.
type order struct {
	Mark   string   // begins the lines for strobe exact
	Args   []string // the program and its arguments
	Dir    string
	Env    []string
	Sysctl []string // name=value, in order
}

func main() {
	code := 125
	defer off()
	defer func() { // a panic of the first process would cause a kernel panic
		if p := recover(); p != nil {
			fmt.Printf("guest: %v\n", p)
		}
	}()
	var o order
	text, err := os.ReadFile("/order")
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		fmt.Println("guest:", err)
		return
	}
	note := ""
	if err := prepare(o); err != nil {
		note = err.Error()
	} else {
		fmt.Printf("%s run\n", o.Mark)
		code, err = run(o)
		if err != nil {
			note = err.Error()
		}
	}
	fmt.Printf("\n%s exit %d %s\n", o.Mark, code, note)
}

func prepare(o order) error {
	for _, m := range [][3]string{{"proc", "/proc", "proc"}, {"sysfs", "/sys", "sysfs"}, {"tmpfs", "/tmp", "tmpfs"}, {"devtmpfs", "/dev", "devtmpfs"}} {
		os.MkdirAll(m[1], 0o777)
		if err := syscall.Mount(m[0], m[1], m[2], 0, ""); err != nil {
			return fmt.Errorf("mount %s: %w", m[1], err)
		}
	}
	os.Chmod("/tmp", 0o1777)
	for _, s := range o.Sysctl {
		name, value, _ := strings.Cut(s, "=")
		file := "/proc/sys/" + strings.ReplaceAll(name, ".", "/")
		if err := os.WriteFile(file, []byte(value), 0o644); err != nil {
			return fmt.Errorf("sysctl %s: %w", s, err)
		}
	}
	loopback()
	return os.MkdirAll(o.Dir, 0o777)
}

// loopback brings up the loopback interface, for tests that listen.
func loopback() {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return // the kernel has no network
	}
	defer syscall.Close(fd)
	request := struct { // struct ifreq
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{name: [syscall.IFNAMSIZ]byte{'l', 'o'}, flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
}

func run(o order) (code int, err error) {
	signal.Ignore(syscall.SIGHUP)
	cmd := exec.Command(o.Args[0], o.Args[1:]...)
	cmd.Dir, cmd.Env = o.Dir, append(o.Env, "HOME=/tmp", "TMPDIR=/tmp", "PATH=/bin", "PWD="+o.Dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return 126, err // it could not be started
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		if status.Signaled() {
			return 128 + int(status.Signal()), fmt.Errorf("%s: %v", filepath.Base(o.Args[0]), status.Signal())
		}
		return status.ExitStatus(), nil
	}
	return 126, err
}

// off ends the machine.
func off() {
	os.Stdout.Sync()
	syscall.Sync()
	syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF)
	for {
		runtime.Gosched()
	}
}
