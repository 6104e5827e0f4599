// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/strobe-go/strobe/internal/race"
)

func TestRealCapturesAreRecognised(t *testing.T) {
	for _, want := range []struct {
		file             string
		format           Format
		process, column  string
		captures, frames int
		first            float64
	}{
		{"capframex-re2.csv.gz", FormatCapFrameX, "re2.exe", "MsBetweenPresents", 1, 7285, 3.387},
		{"ocat-metro-exodus.csv.gz", FormatOCAT, "MetroExodus.exe", "MsBetweenPresents", 1, 2502, 9.681},
		{"presentmon_test_case_0.csv.gz", FormatPresentMon, "dwm.exe", "MsBetweenPresents", 10, 197, 16.4754},
		{"presentmon_test_case_0_v1.csv.gz", FormatPresentMon1, "dwm.exe", "msBetweenPresents", 10, 199, 16.4754},
		{"presentmon_test_case_0_v2.csv.gz", FormatPresentMon2, "dwm.exe", "FrameTime", 10, 197, 16.3893},
		{"presentmon_test_case_1.csv.gz", FormatPresentMon, "devenv.exe", "MsBetweenPresents", 4, 3, 317.3376},
		{"presentmon_test_case_2_v1.csv.gz", FormatPresentMon1, "dwm.exe", "msBetweenPresents", 4, 57, 16.7221},
		{"presentmon_test_case_3_v2.csv.gz", FormatPresentMon2, "Presenter.exe", "FrameTime", 4, 18, 15.7250},
		{"own/cube_2026-01-02_03-04-05.csv", FormatMangoHud, "cube", "frametime", 1, 40, 4.23605},
		{"own/mangohud-versioned.csv", FormatMangoHud, "", "frametime", 1, 40, 4.23605},
		{"own/factorio-verbose.log", FormatFactorio, "factorio run 0", "wholeUpdate", 2, 12, 9.731},
		{"own/belt-verbose-metrics.csv", FormatFactorio, "factorio run 0", "wholeUpdate", 2, 12, 9.731},
		{"own/semicolon.csv", FormatPresentMon1, "spiel.exe", "MsBetweenPresents", 1, 12, 16.7},
	} {
		cs := captures(t, want.file, ReadOptions{})
		if len(cs) != want.captures {
			t.Errorf("%s: %d captures, want %d", want.file, len(cs), want.captures)
		}
		c := captureOf(t, want.file, want.process, ReadOptions{})
		if c.Format != want.format || c.Column != want.column || len(c.Frames) != want.frames || c.Frames[0] != want.first {
			t.Errorf("%s: format %s, column %s, %d frames, first %v; want %s, %s, %d, %v", want.file,
				c.Format, c.Column, len(c.Frames), c.Frames[0], want.format, want.column, want.frames, want.first)
		}
	}
}

// The rows of each process are counted without the reader under test.
func TestEveryRowOfACaptureIsKept(t *testing.T) {
	for _, file := range realFiles(t) {
		rows := map[string]int{}
		for line := range strings.Lines(string(testFile(t, file))) {
			if strings.HasPrefix(line, "//") || strings.Contains(line, "ProcessID") {
				continue
			}
			rows[line[:strings.Index(line, ",")]]++
		}
		for _, c := range captures(t, file, ReadOptions{}) {
			rows[c.Process] -= len(c.Frames) + c.Skipped
		}
		for process, left := range rows {
			if left != 0 {
				t.Errorf("%s: %d rows of %s are neither frames nor skipped", file, left, process)
			}
		}
	}
}

func TestProcessesAndSwapChainsAreToldApart(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range captures(t, "presentmon_test_case_1.csv.gz", ReadOptions{}) {
		id := fmt.Sprint(c.Process, c.PID, c.SwapChain)
		if seen[id] || c.PID == 0 || c.SwapChain == "" {
			t.Errorf("capture %q is not unique or not complete", id)
		}
		seen[id] = true
	}
	if !seen["dwm.exe15640x2408E0B7CA0"] || !seen["dwm.exe15640x240A8D570F0"] {
		t.Errorf("the two swap chains of dwm.exe are not apart: %v", seen)
	}
	pooled := captures(t, "presentmon_test_case_0.csv.gz", ReadOptions{PoolByName: true})
	if len(pooled) != 2 || len(pooled[0].Frames) != 197 || len(pooled[1].Frames) != 160 || pooled[1].PID != 0 {
		t.Errorf("pooled by name: %d captures", len(pooled))
	}
}

func TestFactsBesideTheFrameTimes(t *testing.T) {
	re2 := captureOf(t, "capframex-re2.csv.gz", "re2.exe", ReadOptions{})
	if re2.Info["Processor"] != "Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz" || re2.Dropped != 4236 {
		t.Errorf("CapFrameX: %v, %d dropped", re2.Info, re2.Dropped)
	}
	if last := re2.Starts[len(re2.Starts)-1]; math.Abs(last-25439.82) > 0.001 {
		t.Errorf("CapFrameX: last stamp at %v ms", last)
	}
	metro := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{})
	if metro.Info["OS"] != "Windows 10 Pro 1809 (OS Build 17763.1.amd64fre.rs5_release.180914-1434)" || metro.Info["GPU"] != "GeForce RTX 2080 Ti" {
		t.Errorf("OCAT: %v", metro.Info)
	}
	presenter := captures(t, "presentmon_test_case_0.csv.gz", ReadOptions{})[1]
	if len(presenter.AnimationError) != 16 || presenter.Dropped != 1 {
		t.Errorf("PresentMon: %d animation errors, %d dropped", len(presenter.AnimationError), presenter.Dropped)
	}
	// The stamps are of a 10 MHz performance counter, and must agree with the frame times.
	for i := 1; i < len(presenter.Starts); i++ {
		if step := presenter.Starts[i] - presenter.Starts[i-1]; math.Abs(step-presenter.Frames[i]) > 1e-3 {
			t.Fatalf("PresentMon: stamps step %v ms, the frame lasted %v ms", step, presenter.Frames[i])
		}
	}
	cube := captureOf(t, "own/cube_2026-01-02_03-04-05.csv", "cube", ReadOptions{})
	if cube.Info["kernel"] != "6.18.0" || cube.Info["driver"] != "" || cube.Dropped != -1 {
		t.Errorf("MangoHud: %v, dropped %d", cube.Info, cube.Dropped)
	}
	factorio := captures(t, "own/factorio-verbose.log", ReadOptions{})
	if factorio[0].Info["version"] != "2.0.28" || factorio[1].Process != "factorio run 1" {
		t.Errorf("Factorio: %v, %s", factorio[0].Info, factorio[1].Process)
	}
	belt := captures(t, "own/belt-verbose-metrics.csv", ReadOptions{})
	for i := range belt {
		if !slices.Equal(belt[i].Frames, factorio[i].Frames) {
			t.Errorf("run %d differs between Factorio and belt", i)
		}
	}
}

func TestPolledMangoHudLogIsNoted(t *testing.T) {
	polled := captures(t, "own/mangohud-polled.csv", ReadOptions{})[0]
	if !strings.Contains(strings.Join(polled.Notes, ""), "polled") {
		t.Errorf("notes: %q", polled.Notes)
	}
	complete := captures(t, "own/mangohud-versioned.csv", ReadOptions{})[0]
	if len(complete.Notes) != 0 {
		t.Errorf("a complete log is noted: %q", complete.Notes)
	}
}

func TestAnyColumnCanBeChosenByName(t *testing.T) {
	c := captureOf(t, "ocat-metro-exodus.csv.gz", "MetroExodus.exe", ReadOptions{Column: "msbetweendisplaychange"})
	if c.Frames[0] != 11.785 || c.Frames[1] != 18.668 || c.Column != "MsBetweenDisplayChange" {
		t.Errorf("first frames %v of %s", c.Frames[:2], c.Column)
	}
	c = captures(t, "own/factorio-verbose.log", ReadOptions{Column: "gameUpdate"})[0]
	if c.Frames[0] != 9.631 {
		t.Errorf("gameUpdate: %v ms", c.Frames[0])
	}
	cs, err := Read(strings.NewReader("a,took\n1,0.0167\n2,0.0334\n"), ReadOptions{Column: "took", Unit: "s"})
	if err != nil || !slices.Equal(cs[0].Frames, []float64{16.7, 33.4}) {
		t.Errorf("seconds: %v, %v", cs, err)
	}
}

func TestPlainListsOfManyShapes(t *testing.T) {
	want := []float64{16.7, 16.8, 33.4}
	for _, text := range []string{
		"16.7\n16.8\n33.4\n", "16.7\r\n16.8\r\n33.4", "16.7,16.8,33.4", "16.7, 16.8, 33.4\n", "16.7 16.8\n\n33.4\n",
		"# a comment\n16.7\t16.8\t33.4\n", "16,7\n16,8\n33,4\n", "16,7;16,8;33,4\n", "16,7 16,8 33,4\n",
		"frametime\n16.7\n16.8\n33.4\n", "frametime\n16,7\n16,8\n33,4\n", "ms\n16.7\n16.8\n33.4\n", "16.7\nNA\n16.8\n0\n33.4\n",
		"1.67e1\n16.8\n3.34E+1\n",
	} {
		cs, err := Read(strings.NewReader(text), ReadOptions{File: "list"})
		if err != nil || len(cs) != 1 || !slices.Equal(cs[0].Frames, want) {
			t.Errorf("%q gives %v, %v", text, cs, err)
		}
	}
	cs, err := Read(strings.NewReader("16700\n16800\n33400"), ReadOptions{Unit: "us"})
	if err != nil || !slices.Equal(cs[0].Frames, want) {
		t.Errorf("microseconds: %v, %v", cs, err)
	}
	cs, _ = Read(strings.NewReader("16,7\n16,8\n"), ReadOptions{})
	if !slices.Contains(cs[0].Notes, "commas were read as decimal signs") {
		t.Errorf("a guess is not told: %q", cs[0].Notes)
	}
	cs, _ = Read(strings.NewReader("16,17,18\n"), ReadOptions{})
	if !slices.Equal(cs[0].Frames, []float64{16, 17, 18}) {
		t.Errorf("whole numbers: %v", cs[0].Frames)
	}
}

func TestEncodingsGiveTheSameCapture(t *testing.T) {
	plain := string(testFile(t, "own/semicolon.csv"))
	want, err := Read(strings.NewReader(plain), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wide := func(order binary.AppendByteOrder, bom bool) string {
		var b []byte
		if bom {
			b = order.AppendUint16(b, 0xFEFF)
		}
		for _, u := range utf16.Encode([]rune(plain)) {
			b = order.AppendUint16(b, u)
		}
		return string(b)
	}
	for name, text := range map[string]string{
		"UTF-8 with mark": "\xEF\xBB\xBF" + plain, "CRLF": strings.ReplaceAll(plain, "\n", "\r\n"),
		"UTF-16LE": wide(binary.LittleEndian, true), "UTF-16BE": wide(binary.BigEndian, true),
		"UTF-16LE without mark": wide(binary.LittleEndian, false), "UTF-16BE without mark": wide(binary.BigEndian, false),
		"no last line end": strings.TrimSuffix(plain, "\n"), "tabs": strings.ReplaceAll(plain, ";", "\t"),
		"quoted": strings.ReplaceAll(strings.ReplaceAll(plain, "16,7", `"16,7"`), "spiel.exe", `"spiel.exe"`),
		"spaces": strings.ReplaceAll(plain, ";", " ; "), "upper case": strings.Replace(plain, "MsBetweenPresents", "MSBETWEENPRESENTS", 1),
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			got, err := Read(r, ReadOptions{})
			if err != nil || len(got) != 1 {
				t.Errorf("%s: %v, %v", name, got, err)
				continue
			}
			if !slices.Equal(got[0].Frames, want[0].Frames) || !slices.Equal(got[0].Starts, want[0].Starts) ||
				got[0].Dropped != 1 || got[0].Process != "spiel.exe" || got[0].PID != 42 {
				t.Errorf("%s: %+v", name, got[0])
			}
		}
	}
}

func TestSurrogatesSurviveUTF16(t *testing.T) {
	text := "Application,MsBetweenPresents\n\U0001F3AE.exe,16.7\n"
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	cs, err := Read(bytes.NewReader(b), ReadOptions{})
	if err != nil || cs[0].Process != "\U0001F3AE.exe" {
		t.Errorf("%v, %v", cs, err)
	}
	b = append(b, 0x3C, 0xD8, '1', 0, '\n', 0, 'x') // a lone high surrogate, and half a unit
	if _, err = Read(bytes.NewReader(b), ReadOptions{}); err == nil || !strings.Contains(err.Error(), ":3:") {
		t.Errorf("damage is reported as %v", err)
	}
}

func TestFilesPutOneAfterTheOtherAreRead(t *testing.T) {
	one := string(testFile(t, "own/semicolon.csv"))
	cs, err := Read(strings.NewReader(one+one), ReadOptions{})
	if err != nil || len(cs) != 1 || len(cs[0].Frames) != 24 || cs[0].Starts != nil {
		t.Errorf("%v, %v: stamps that start again cannot be kept", cs, err)
	}
}

// Read returns what could be read, with an error that names the file and the line.
func TestDamageIsNamedByLineAndTheRestIsRead(t *testing.T) {
	const head = "Application,ProcessID,MsBetweenPresents,Extra\n"
	for _, c := range []struct {
		name, text, want string
		frames           int
	}{
		{"not a number", head + "a,1,16.7,x\na,1,16.x,x\na,1,16.9,x\n", `f.csv:3: frame time "16.x" is not a number`, 2},
		{"short row", head + "a,1,16.7,x\na,1\na,1,16.9,x\n", "f.csv:3: the row has 2 cells, but the frame time is in cell 3", 2},
		{"long row", head + "a,1,16,7,x\na,1,16.9,x\n", "f.csv:2: the row has 5 cells, the header 4 (decimal commas need another separator)", 1},
		{"cut off", head + "a,1,16.7,x\na,1,16.8,x\na,1,1", "f.csv:4: the file ends in the middle of a row", 2},
		{"open quote", head + "a,1,16.7,x\n\"a,1,16.8,x\na,1,16.9,x\n", "f.csv:3: a quote is not closed", 2},
		{"two lines", head + "a,1,16.7,x\na,1,?,x\na,1,!,x\n", `f.csv:3: frame time "?" is not a number (and 1 more damaged lines)`, 1},
		{"too long", head + "a,1,1e300,x\na,1,16.7,x\n", `f.csv:2: a frame time of "1e300" is out of range: frames last between a nanosecond and eleven days`, 1},
		{"too short", "16.7\n1e-9\n", `f.csv:2: a frame time of "1e-9" is out of range: frames last between a nanosecond and eleven days`, 1},
		{"infinite", "16.7\nInf\n", `f.csv:2: "Inf" is not a number`, 1},
		{"hexadecimal", "16.7\n0x10\n", `f.csv:2: "0x10" is not a number`, 1},
		{"overflow", "16.7\n1e999\n", `f.csv:2: "1e999" is not a number`, 1},
		{"words in a list", "16.7\nhello\n16.8\n", `f.csv:2: "hello" is not a number`, 2},
		{"endless cell", "16.7\n" + strings.Repeat("1", 5000) + "\n", `f.csv:2: "1111111111111111111111111111111111111111"… is not a number`, 1},
	} {
		cs, err := Read(strings.NewReader(c.text), ReadOptions{File: "f.csv"})
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
		frames := 0
		for _, c := range cs {
			frames += len(c.Frames)
		}
		if frames != c.frames {
			t.Errorf("%s: %d frames, want %d", c.name, frames, c.frames)
		}
	}
}

func TestUselessFilesSayWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f: the file is empty"},
		{"blank", "\n \n\t\n", "f: the file is empty"},
		{"prose", "Dear reader\nthis is a letter\n", `f: no capture format recognised; the file begins "Dear reader"`},
		{"other table", "a,b,c\n1,2,3\n", "f:1: no known frame-time column; the columns are a, b, c: choose one by name"},
		{"only a header", "Application,MsBetweenPresents\n", "f: no frame time in the file: there is a header but no row with a number"},
		{"a table of nothing", "Application,MsBetweenPresents\na,NA\na,0\n", "f: no row has a positive frame time"},
		{"JSON without runs", `{"Runs":[]}`, "f: this JSON is neither a capture of CapFrameX, with Runs that have CaptureData, nor a timeline or a Chrome trace of strobe: give one of them, or a CSV file, or a list of frame times"},
		{"other JSON", `{"Runs":{"a":1}}`, "f: this JSON is neither a capture of CapFrameX, with Runs that have CaptureData, nor a timeline or a Chrome trace of strobe: give one of them, or a CSV file, or a list of frame times"},
		{"a list in JSON", `[{"a":1}]`, "f:1: this is JSON, which is not read; give the capture as CSV or as a list of frame times"},
		{"binary data after a line of text", strings.Repeat("words\n", 20) + "[\x00\x02\n", "f:21: this is binary data, not a text capture"},
		{"broken JSON", `{"Runs":[{"CaptureData":{"MsBetweenPresents":[}}`, "f: at byte 46: invalid character '}' looking for beginning of value"},
		{"gzip", "\x1f\x8b\x08\x00\x00\x00\x00", "f: the file is compressed; unpack it first"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00", "f: the file holds binary data, not a text capture"},
		{"nothing positive", "0\n-1\nNA\n", "f: no row has a positive frame time"},
	} {
		cs, err := Read(strings.NewReader(c.text), ReadOptions{File: "f"})
		if len(cs) != 0 || err == nil || err.Error() != c.want {
			t.Errorf("%s: %d captures, %v\nwant %s", c.name, len(cs), err, c.want)
		}
	}
	_, err := Read(strings.NewReader("a,b,c\n1,2,3\n"), ReadOptions{Column: "d"})
	if err == nil || err.Error() != `input: no column named "d"; the columns are a, b, c: choose one by name` {
		t.Errorf("missing column: %v", err)
	}
	if _, err = Read(strings.NewReader("1"), ReadOptions{Unit: "h"}); err == nil {
		t.Error("hours are accepted")
	}
}

func TestTheFirstNameAboveAListIsThatOfItsColumn(t *testing.T) {
	cs, err := Read(strings.NewReader("took\nbuild 7\n16\n17\n"), ReadOptions{})
	if err != nil || len(cs) != 1 || cs[0].Column != "took" || len(cs[0].Frames) != 2 {
		t.Errorf("%v, %+v", err, cs)
	}
}

func TestReadingErrorKeepsWhatCameBefore(t *testing.T) {
	broken := errors.New("cable pulled")
	cs, err := Read(io.MultiReader(strings.NewReader(strings.Repeat("16.7\n", 30)), iotest.ErrReader(broken)), ReadOptions{File: "f"})
	if !errors.Is(err, broken) || err.Error() != "f:31: reading failed: cable pulled" || len(cs) != 1 || len(cs[0].Frames) != 30 {
		t.Errorf("%v, %v", cs, err)
	}
}

// endless reads the same byte again and again, up to a limit.
type endless struct {
	b    byte
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = e.b
	}
	e.left -= n
	return n, nil
}

func TestHostileInputCostsBoundedMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("reading is sequential")
	}
	const size = 100 << 20
	for name, r := range map[string]io.Reader{
		"one line":          &endless{'x', size},
		"one number":        &endless{'1', size},
		"one row of commas": io.MultiReader(strings.NewReader("a,MsBetweenPresents\nx,16.7\n"), &endless{',', size}),
		"one wide header":   &endless{',', size},
		"one quote":         io.MultiReader(strings.NewReader("a,MsBetweenPresents\nx,16.7\n"), &endless{'"', size}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(r, ReadOptions{File: name})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > size/4 {
			t.Errorf("%s: reading 100 MiB allocated %d MiB", name, used>>20)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLimitsAreDamageNotDeath(t *testing.T) {
	cs, err := Read(strings.NewReader(strings.Repeat("16.7\n", 10)), ReadOptions{File: "f", MaxFrames: 4})
	if err == nil || err.Error() != "f:5: more than 4 frames; the rest is not read" || len(cs[0].Frames) != 4 {
		t.Errorf("%v, %v", cs, err)
	}
	var b strings.Builder
	b.WriteString("Application,MsBetweenPresents\n")
	for i := range maxCaptures + 5 {
		fmt.Fprintf(&b, "p%d,16.7\n", i)
	}
	cs, err = Read(strings.NewReader(b.String()), ReadOptions{File: "f"})
	if len(cs) != maxCaptures || err == nil || err.(*SyntaxError).More != 4 {
		t.Errorf("%d captures, %v", len(cs), err)
	}
}

func TestNamesArePrintableAndBounded(t *testing.T) {
	text := "//Comment=\x1b[31mred\nApplication,MsBetweenPresents\n\x1b[2Jgame\xff,16.7\n" + strings.Repeat("x", maxName+1) + ",16.7\n"
	cs, err := Read(strings.NewReader(text), ReadOptions{File: "f"})
	if err == nil || err.Error() != "f:4: the names of process and swap chain are longer than 4096 bytes" {
		t.Errorf("error %v", err)
	}
	if cs[0].Process != "\uFFFD[2Jgame\uFFFD" || cs[0].Info["Comment"] != "\uFFFD[31mred" {
		t.Errorf("%q, %q", cs[0].Process, cs[0].Info)
	}
}

func TestLinesBeforeTheHeaderAreSkipped(t *testing.T) {
	cs, err := Read(strings.NewReader("sep=;\nMy recording of today\nProcess;FrameTime\na;16,7\n"), ReadOptions{})
	if err != nil || cs[0].Frames[0] != 16.7 || cs[0].Format != FormatCSV || cs[0].Process != "a" {
		t.Errorf("%+v, %v", cs, err)
	}
}

func BenchmarkRead(b *testing.B) {
	text := testFile(b, "capframex-re2.csv.gz")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text), ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestQuotesOfACellAreRead(t *testing.T) {
	cs, err := Read(strings.NewReader("Application,Comment,FrameTime\n\"the \"\"best\"\" game\",\"one, two\nthree \"\"quoted\"\"\",16.5\n"+
		"\"the \"\"best\"\" game\",\"\"\"\",16.7\n"), ReadOptions{})
	if err != nil || len(cs) != 1 || cs[0].Process != `the "best" game` || !slices.Equal(cs[0].Frames, []float64{16.5, 16.7}) {
		t.Errorf("%v: %+v", err, cs)
	}
}

func TestQuotesOfTheHeaderBlockAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`the 27" screen`:            `the 27" screen`,
		`"quoted, and ""twice"""`:   `quoted, and "twice"`,
		`"one" and "two"`:           `"one" and "two"`,
		`"`:                         `"`,
		`  " a text with spaces " `: `a text with spaces`,
	} {
		cs, err := Read(strings.NewReader("//Comment="+text+"\nApplication,MsBetweenPresents\ngame,16.5\n"), ReadOptions{})
		if err != nil || len(cs) != 1 || cs[0].Info["Comment"] != want {
			t.Errorf("%s: %v, %+v", text, err, cs)
		}
	}
	cs, err := Read(strings.NewReader("\"frametime\"\n\"16.5\"\n\"16.7\"\n"), ReadOptions{})
	if err != nil || len(cs) != 1 || !slices.Equal(cs[0].Frames, []float64{16.5, 16.7}) {
		t.Errorf("a list between quotes: %v, %+v", err, cs)
	}
	cs, err = Read(strings.NewReader("\"App\"\"lication\",\"Ms\"\"Time\"\na,16.5\n"), ReadOptions{Column: `ms"time`})
	if err != nil || len(cs) != 1 || cs[0].Column != `Ms"Time` {
		t.Errorf("%v, %+v", err, cs)
	}
}

func TestAnOpenQuoteCostsOneLine(t *testing.T) {
	text := "Application,FrameTime\ngame,1\n\"game,2\n" + strings.Repeat("game,3\n", 50) + "game,\"4\"\n"
	cs, err := Read(strings.NewReader(text), ReadOptions{File: "x"})
	var damage *SyntaxError
	if !errors.As(err, &damage) || damage.Line != 3 || damage.More != 0 || len(cs) != 1 || len(cs[0].Frames) != 52 {
		t.Errorf("%v: %+v", err, cs)
	}
}

func TestLinesMayEndInCarriageReturnsAlone(t *testing.T) {
	cs, err := Read(strings.NewReader("Application,FrameTime\rgame,16.5\rgame,16.6\r"), ReadOptions{})
	if err != nil || len(cs) != 1 || !slices.Equal(cs[0].Frames, []float64{16.5, 16.6}) {
		t.Errorf("%v: %+v", err, cs)
	}
}

func TestTimeStampsAreNotFrameTimes(t *testing.T) {
	text := "Application,TimeInSeconds,FrameTime\n"
	list := ""
	for i := range 16 {
		text += fmt.Sprintf("game,%d.5,16.%d\n", i+1, i%3)
		list += fmt.Sprintf("%d.5\n", i+1)
	}
	cs, err := Read(strings.NewReader(text), ReadOptions{Column: "TimeInSeconds"})
	if err == nil || len(cs) != 0 || !strings.Contains(err.Error(), "only rises") {
		t.Errorf("%v: %+v", err, cs)
	}
	if cs, err := Read(strings.NewReader(text), ReadOptions{Column: "FrameTime"}); err != nil || len(cs) != 1 {
		t.Errorf("%v: %+v", err, cs)
	}
	cs, err = Read(strings.NewReader(list), ReadOptions{})
	if err != nil || len(cs) != 1 || !strings.Contains(strings.Join(cs[0].Notes, ""), "only rise") {
		t.Errorf("%v: %+v", err, cs)
	}
	cs, _ = Read(strings.NewReader(list+"3\n"), ReadOptions{})
	if len(cs) != 1 || len(cs[0].Notes) != 0 {
		t.Errorf("%+v", cs)
	}
}

func TestAListDoesNotSayHowManyFramesWereGenerated(t *testing.T) {
	for _, text := range []string{"16\n17\n", "MsBetweenPresents\n16\n17\n"} {
		if cs, err := Read(strings.NewReader(text), ReadOptions{}); err != nil || len(cs) != 1 || cs[0].Generated != -1 {
			t.Errorf("%v: %+v", err, cs)
		}
	}
}

func TestGeneratedFramesAreNamed(t *testing.T) {
	text := "Application,ProcessID,SwapChainAddress,PresentRuntime,FrameType,MsBetweenPresents\n" +
		"game,1,0x1,DXGI,Application,16.5\ngame,1,0x1,DXGI,Intel XeSS,0\ngame,1,0x1,DXGI,Application,16.7\ngame,1,0x1,DXGI,AMD_AFMF,8.1\n"
	cs, err := Read(strings.NewReader(text), ReadOptions{})
	if err != nil || len(cs) != 1 || cs[0].Generated != 1 || cs[0].Skipped != 1 {
		t.Fatalf("%v: %+v", err, cs)
	}
	notes := strings.Join(cs[0].Notes, "\n")
	for _, want := range []string{"1 of the skipped rows are generated frames", "MsBetweenDisplayChange", "1 of 3 frames were generated"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in %q", want, notes)
		}
	}
}

func TestTimeStampsThatRunBackwardsAreNamed(t *testing.T) {
	for at, stamps := range map[int][]float64{0: {1, 1.016, 1.032, 1.048}, 3: {1, 1.016, 0.5, 0.516}, 2: {1, 0.9, 1.1, 1.2}} {
		text := "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents\n"
		for _, s := range stamps {
			text += fmt.Sprintf("a.exe,1,0x1,%v,16\n", s)
		}
		cs, err := Read(strings.NewReader(text), ReadOptions{})
		if err != nil || len(cs) != 1 || len(cs[0].Frames) != 4 {
			t.Fatalf("%v, %+v", err, cs)
		}
		notes := strings.Join(cs[0].Notes, "\n")
		if said := strings.Contains(notes, fmt.Sprintf("run backwards at frame %d,", at)); said != (at > 0) || (cs[0].Starts == nil) != (at > 0) || strings.Contains(notes, "backwards") != (at > 0) {
			t.Errorf("%v: %q, stamps %v", stamps, notes, cs[0].Starts)
		}
	}
}
