// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package sql

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// startPostgres starts a server in a temporary folder, on a port of this machine, and returns its URL. It stops when the test ends.
func startPostgres(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if path, _ := exec.LookPath("postgres"); path != "" && len(found) == 0 {
		found = []string{path}
	}
	if err != nil || len(found) == 0 {
		t.Skip("PostgreSQL is not installed; on Debian .ci/run installs it")
	}
	bin := filepath.Dir(slices.Max(found))
	dir, err := os.MkdirTemp("", "strobe-postgres") // t.TempDir has parents that others may not enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // the server refuses to run as root
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Skip("PostgreSQL does not run as root, and there is no user nobody: ", err)
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Skip("a user other than root cannot get a folder: ", err)
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir, c.SysProcAttr = dir, as
		c.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
		return c
	}
	data := filepath.Join(dir, "data")
	if out, err := command("initdb", "-D", data, "-U", "strobe", "-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	server := command("postgres", "-D", data, "-h", "127.0.0.1", "-p", strconv.Itoa(port), "-k", dir, "-F", "-c", "max_connections=20")
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGQUIT) // at once: nothing needs to be kept
		server.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			c.Close()
			break
		}
		if time.Now().After(deadline) {
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("the server does not listen: %v\n%s", err, text)
		}
	}
	return fmt.Sprintf("postgres://strobe@127.0.0.1:%d/postgres?sslmode=disable", port)
}
