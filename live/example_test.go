// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/strobe-go/strobe/live"
)

func ExampleHandler() {
	mux := http.NewServeMux()
	mux.Handle("/strobe/", http.StripPrefix("/strobe", live.Handler()))

	server := httptest.NewServer(mux) // in a program: http.ListenAndServe("localhost:8080", mux)
	defer server.Close()
	answer, err := http.Get(server.URL + "/strobe/")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status, answer.Header.Get("Content-Type"))
	// Output: 200 OK text/html; charset=utf-8
}

func ExampleServe() {
	server, err := live.Serve("127.0.0.1:0") // in a program, "" serves at the same address each time
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	answer, err := http.Get(server.URL() + "snapshot.json?lanes=sum")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	var state struct {
		Version  int
		Snapshot struct{ Lanes []struct{ Name string } }
	}
	if err := json.NewDecoder(answer.Body).Decode(&state); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("version", state.Version, state.Snapshot.Lanes)
	// Output: version 1 [{all}]
}

// This is a viewer that reads the stream of events.
func ExampleServer() {
	server := live.New(live.Options{Budget: time.Second / 60})
	defer server.Close()
	if err := server.Listen("127.0.0.1:0"); err != nil {
		fmt.Println(err)
		return
	}
	answer, err := http.Get(server.URL() + "events")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if text, found := strings.CutPrefix(lines.Text(), "data: "); found {
			var hello struct {
				Version int
				Budget  time.Duration `json:"budget_ns"`
			}
			fmt.Println(json.Unmarshal([]byte(text), &hello), hello.Version, hello.Budget)
			return
		}
	}
	// Output: <nil> 1 16.666666ms
}
