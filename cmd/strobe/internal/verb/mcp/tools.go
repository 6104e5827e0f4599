// SPDX-License-Identifier: BSD-3-Clause

package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

const instructions = "strobe measures Go programs: where the time goes, why one frame or request was slow, and whether a change made a benchmark faster or slower. " +
	"Call guide without a topic first: it lists what to do by situation. Keep a change made for speed only if gate says that it is proven faster."

// A tool is a verb as clients see it.
type tool struct {
	name, about string
	reads       bool // it changes nothing, and runs nothing but strobe
	add         func(*sdk.Server, *sdk.Tool, *runner)
}

// tools returns all of them, in the order of strobe --help.
func tools() []tool {
	return []tool{
		{"guide", "Says what to do next: a page of commands and explanations for a situation, such as slow-sometimes, slow-always, slower-since or faster. Without a topic, lists the topics.", true, adder[guideInput]},
		{"run", "Runs a Go program with a zone in each function that is worth one, without changing its sources, and says at its end where its time went. Give seconds for a program that does not end by itself. The report comes first, then what the program printed.", false, adder[runInput]},
		{"top", "Shows in one table, which covers about two seconds, where a running Go program spends its time: frames, requests, and zones by share. The program must serve strobe's page; guide with topic instrument says how.", true, adder[topInput]},
		{"capture", "Says why slow frames or requests were slow, from the files that a program kept with capture.Start. Of a folder: a table of causes, the one that took most time first. Of one file: one sentence, an account of the time, and what to do next.", true, adder[captureInput]},
		{"gate", "Compares the Go benchmarks of a git checkout, with changes that are not committed, with an earlier revision, in alternating runs. Each gets a verdict: proven faster, no proof, proven slower, or cannot tell. Takes up to max_time, by default 5 minutes; narrow it with packages and bench.", false, adder[gateInput]},
		{"bisect", "Finds the commit between two git revisions that made a Go benchmark slower, and names none that is not proven slower than its parent. Takes minutes.", false, adder[bisectInput]},
	}
}

// An input is the arguments of a tool.
type input interface {
	folder() string
	args() (verb string, args []string, err error)
}

// A place is part of the arguments of most tools.
type place struct {
	Dir string `json:"dir,omitempty" jsonschema:"folder to run in; that of the server if not given"`
}

func (p place) folder() string { return p.Dir }

type guideInput struct {
	Topic string `json:"topic,omitempty" jsonschema:"name of a topic; if not given, the topics are listed"`
}

func (guideInput) folder() string { return "" }

func (in guideInput) args() (string, []string, error) { return checked("guide", nil, in.Topic) }

type runInput struct {
	place
	Package   string   `json:"package" jsonschema:"main package to run, such as ./cmd/server"`
	Arguments []string `json:"arguments,omitempty" jsonschema:"arguments of the program"`
	Units     string   `json:"units,omitempty" jsonschema:"functions whose calls are units, as those of http handlers are: a pattern such as server.(*Client).process"`
	Zones     string   `json:"zones,omitempty" jsonschema:"whose functions get zones: a pattern such as net/http...; the packages of the main module if not given"`
	Capture   string   `json:"capture,omitempty" jsonschema:"say why frames and requests were slow, and keep a file for each in this folder, for the tool capture"`
	Seconds   float64  `json:"seconds,omitempty" jsonschema:"interrupt the program when it has run for so many seconds, as Ctrl-C does; it runs to its end if not given"`
}

func (in runInput) args() (string, []string, error) {
	verb, args, err := checked("run", flags("--report", "--zones", in.Zones, "--units", in.Units, "--capture", in.Capture), in.Package)
	return verb, append(args, in.Arguments...), err
}

func (in runInput) length() time.Duration { return time.Duration(in.Seconds * float64(time.Second)) }

type topInput struct {
	URL  string `json:"url,omitempty" jsonschema:"where the program serves its page: a URL, HOST:PORT or :PORT; 127.0.0.1:6061 or one of the next ports if not given"`
	Loop string `json:"loop,omitempty" jsonschema:"loop whose frames are shown; the first one if not given"`
}

func (topInput) folder() string { return "" }

func (in topInput) args() (string, []string, error) {
	return checked("top", flags("--once", "--loop", in.Loop), in.URL)
}

type captureInput struct {
	place
	Files []string `json:"files" jsonschema:"files that a program kept, or folders of them"`
}

func (in captureInput) args() (string, []string, error) { return checked("capture", nil, in.Files...) }

// A choice is the part of the arguments that gate and bisect share.
type choice struct {
	place
	Packages []string `json:"packages,omitempty" jsonschema:"packages with the benchmarks, such as ./codec; all if not given"`
	Bench    string   `json:"bench,omitempty" jsonschema:"regular expression that selects benchmarks, as for go test -bench"`
	Gate     string   `json:"gate,omitempty" jsonschema:"how much slower is allowed, such as 5%"`
	MaxTime  string   `json:"max_time,omitempty" jsonschema:"how long to measure at most, such as 1m or 10m; more time decides more"`
	By       string   `json:"by,omitempty" jsonschema:"wall for elapsed time, which is the default, or cpu for processor time, which a busy machine disturbs less"`
}

func (c choice) flags() []string {
	return flags("", "--bench", c.Bench, "--gate", c.Gate, "--max-time", c.MaxTime, "--by", c.By)
}

type gateInput struct {
	choice
	Revision string `json:"revision" jsonschema:"what to compare with: a branch, tag or commit, whose merge base with HEAD is measured; HEAD for changes that are not committed"`
}

func (in gateInput) args() (string, []string, error) {
	return checked("gate", in.flags(), append([]string{in.Revision}, in.Packages...)...)
}

type bisectInput struct {
	choice
	Range string `json:"range" jsonschema:"GOOD..BAD: a revision that was fast and a later one that is slow"`
}

func (in bisectInput) args() (string, []string, error) {
	return checked("bisect", in.flags(), append([]string{in.Range}, in.Packages...)...)
}

// flags returns the flags whose values are not empty, each as one argument; first is one without a value.
func flags(first string, named ...string) []string {
	var all []string
	if first != "" {
		all = append(all, first)
	}
	for i := 0; i < len(named); i += 2 {
		if named[i+1] != "" {
			all = append(all, named[i]+"="+named[i+1])
		}
	}
	return all
}

// checked returns a command line. Of what is no flag, empty texts are left out, and none may look like a flag.
func checked(verb string, flags []string, rest ...string) (string, []string, error) {
	for _, text := range rest {
		if strings.HasPrefix(text, "-") {
			return "", nil, fmt.Errorf("strobe %s: %q looks like a flag, which this argument cannot be", verb, text)
		}
		if text != "" {
			flags = append(flags, text)
		}
	}
	return verb, flags, nil
}

// server returns a server with all tools.
func server(r *runner) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "strobe", Version: session.Version()}, &sdk.ServerOptions{Instructions: instructions})
	for _, t := range tools() {
		local := false
		t.add(s, &sdk.Tool{Name: t.name, Description: t.about, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.reads, OpenWorldHint: &local, DestructiveHint: &local}}, r)
	}
	return s
}

// adder adds a tool whose arguments are an I.
func adder[I input](s *sdk.Server, t *sdk.Tool, r *runner) {
	sdk.AddTool(s, t, func(ctx context.Context, req *sdk.CallToolRequest, in I) (*sdk.CallToolResult, any, error) {
		verb, args, err := in.args()
		if err != nil {
			return nil, nil, err
		}
		c := child{verb: verb, args: args, dir: in.folder(), progress: notifier(ctx, req)}
		if limited, ok := any(in).(interface{ length() time.Duration }); ok {
			c.program, c.length = true, limited.length()
		}
		result, err := r.run(ctx, c)
		return result, nil, err
	})
}

// notifier returns a function that tells the client how far a call is; nil if the client does not want to know.
func notifier(ctx context.Context, req *sdk.CallToolRequest) func(seconds float64, text string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return func(seconds float64, text string) {
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: seconds, Message: text}) // the result is still of use
	}
}
