// SPDX-License-Identifier: BSD-3-Clause

package strobeebiten

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// A display is an X server without a screen, of our own: on a real one, the windows of other programs would be in the way.
type display struct {
	name   string
	server *exec.Cmd
	conn   *xgb.Conn
	screen *xproto.ScreenInfo
}

var shared struct {
	sync.Mutex
	*display
	err error
}

// screen returns the display of all tests. Without one the test is skipped, or fails if nothing may be left out.
func screen(t *testing.T) *display {
	t.Helper()
	if testing.Short() {
		t.Skip("games in a window take seconds")
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.display == nil && shared.err == nil {
		shared.display, shared.err = newDisplay()
	}
	if shared.err != nil {
		if os.Getenv("STRICT") != "" {
			t.Fatal(shared.err)
		}
		t.Skip(shared.err)
	}
	return shared.display
}

func newDisplay() (*display, error) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return nil, fmt.Errorf("these tests need an X server, which %s has not", runtime.GOOS)
	}
	program, err := exec.LookPath("Xvfb")
	if err != nil {
		return nil, fmt.Errorf("Xvfb is not in PATH; on Debian it is in the package xvfb, and GL in libgl1-mesa-dri")
	}
	number, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	d := &display{server: exec.Command(program, "-displayfd", "3", "-screen", "0", "1024x1024x24", "-nolisten", "tcp")}
	d.server.ExtraFiles = []*os.File{theirs}
	if err := d.server.Start(); err != nil {
		return nil, err
	}
	theirs.Close()
	line, err := bufio.NewReader(number).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("Xvfb does not start: %v", err)
	}
	d.name = ":" + strings.TrimSpace(line)
	xgb.Logger.SetOutput(io.Discard) // it misses a file that a server without access control does not need
	if d.conn, err = xgb.NewConnDisplay(d.name); err != nil {
		return nil, err
	}
	d.screen = xproto.Setup(d.conn).DefaultScreen(d.conn)
	return d, xtest.Init(d.conn)
}

func closeDisplay() {
	if d := shared.display; d != nil {
		d.conn.Close()
		d.server.Process.Kill()
		d.server.Wait()
	}
}

// A process plays a game.
type process struct {
	*display
	cmd    *exec.Cmd
	out    *bufio.Reader
	errors strings.Builder
}

// start starts a game and returns when its first frame is drawn.
func (d *display) start(t *testing.T, s spec) *process {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{display: d, cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), playVariable+"="+string(text), "DISPLAY="+d.name, "LIBGL_ALWAYS_SOFTWARE=1", "WAYLAND_DISPLAY=", "XDG_SESSION_TYPE=x11")
	p.cmd.Stderr = &p.errors
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	p.out = bufio.NewReader(out)
	if line, err := p.out.ReadString('\n'); line != "drawn\n" {
		p.cmd.Wait()
		t.Fatalf("the game does not start: it printed %q, %v\n%s", line, err, p.errors.String())
	}
	return p
}

// kill ends the process, and with it its window.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// ended returns what the game had to say when it ended.
func (p *process) ended(t *testing.T) (out played) {
	t.Helper()
	err := json.NewDecoder(p.out).Decode(&out)
	if end := p.cmd.Wait(); err != nil || end != nil {
		t.Fatalf("the game ended with %v, and what it printed cannot be read: %v\n%s", end, err, p.errors.String())
	}
	return out
}

// window returns the window of the game: the only one that covers something.
func (d *display) window(t *testing.T) xproto.Window {
	t.Helper()
	tree, err := xproto.QueryTree(d.conn, d.screen.Root).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range tree.Children {
		a, err := xproto.GetWindowAttributes(d.conn, w).Reply()
		if err == nil && a.Class == xproto.WindowClassInputOutput && a.MapState == xproto.MapStateViewable {
			return w
		}
	}
	t.Fatal("the game has no window")
	return 0
}

// grab returns what the window shows.
func (d *display) grab(t *testing.T) *image.RGBA {
	t.Helper()
	w := xproto.Drawable(d.window(t))
	g, err := xproto.GetGeometry(d.conn, w).Reply()
	if err != nil {
		t.Fatal(err)
	}
	reply, err := xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, w, 0, 0, g.Width, g.Height, ^uint32(0)).Reply()
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(image.Rect(0, 0, int(g.Width), int(g.Height)))
	for i := range m.Bounds().Dx() * m.Bounds().Dy() {
		b := reply.Data[4*i:]
		m.SetRGBA(i%m.Bounds().Dx(), i/m.Bounds().Dx(), color.RGBA{b[2], b[1], b[0], 0xff})
	}
	return m
}

// shows waits until the window shows what ok wants.
func (d *display) shows(t *testing.T, what string, ok func(*image.RGBA) bool) *image.RGBA {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		m := d.grab(t)
		if ok(m) {
			return m
		}
		if time.Now().After(end) {
			t.Fatalf("after a minute, the window does not show %s", what)
		}
	}
}

// press presses a key and releases it, as a keyboard would.
func (d *display) press(t *testing.T, keysym xproto.Keysym, held time.Duration) (at time.Time) {
	t.Helper()
	code := d.code(t, keysym)
	at = time.Now()
	for _, what := range []byte{xproto.KeyPress, xproto.KeyRelease} {
		if err := xtest.FakeInputChecked(d.conn, what, code, 0, d.screen.Root, 0, 0, 0).Check(); err != nil {
			t.Fatal(err)
		}
		if what == xproto.KeyPress {
			time.Sleep(held)
		}
	}
	return at
}

func (d *display) code(t *testing.T, keysym xproto.Keysym) byte {
	t.Helper()
	s := xproto.Setup(d.conn)
	keys, err := xproto.GetKeyboardMapping(d.conn, s.MinKeycode, byte(s.MaxKeycode-s.MinKeycode+1)).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys.Keysyms {
		if k == keysym {
			return byte(int(s.MinKeycode) + i/int(keys.KeysymsPerKeycode))
		}
	}
	t.Fatalf("no key has the symbol %#x", keysym)
	return 0
}

// The symbols of keys, from X11/keysymdef.h.
const (
	symF3 = 0xffc0
	symF9 = 0xffc6
)
