// SPDX-License-Identifier: BSD-3-Clause

// Callbacks starts threads of C, each of which calls Go several times: callbacks THREADS CALLS. It prints how often it was called, and what
// strobe counted.
package main

/*
#include <pthread.h>
#include <stdlib.h>

extern void called(int);

struct work { int calls, depth; };

static void *enter(void *p) {
	struct work *w = p;
	for (int i = 0; i < w->calls; i++) called(w->depth);
	return NULL;
}

// again is called from Go, and calls Go.
static void again(int depth) { called(depth); }

// run starts threads, some at a time, and returns how many could not be started.
static int run(int threads, int calls) {
	enum { most = 16 };
	int failed = 0;
	for (int first = 0; first < threads; first += most) {
		pthread_t t[most];
		struct work w[most];
		int n = 0;
		for (; n < most && first + n < threads; n++) {
			w[n].calls = calls;
			w[n].depth = (first + n) % 3;
			if (pthread_create(&t[n], NULL, enter, &w[n]) != 0) {
				failed++;
				break;
			}
		}
		for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
	}
	return failed;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"

	"github.com/strobe-go/strobe"
)

var (
	zCalled = strobe.NewZone("called")
	zWithin = strobe.NewZone("within")
	n       atomic.Int64
)

//export called
func called(depth C.int) {
	defer zCalled.Enter().Exit()
	n.Add(1)
	zWithin.Do(func() {
		if depth > 0 {
			C.again(depth - 1)
		}
	})
	if n.Load()%1000 == 0 {
		runtime.GC()
	}
}

func main() {
	threads, _ := strconv.Atoi(os.Args[1])
	each, _ := strconv.Atoi(os.Args[2])
	if failed := C.run(C.int(threads), C.int(each)); failed > 0 {
		fmt.Println("threads could not be started:", failed)
		os.Exit(1)
	}
	s := strobe.TakeSnapshot()
	calls := make(map[string]uint64)
	for _, z := range s.Totals() {
		if z.Zone >= 0 {
			calls[s.Zones[z.Zone].Name] += z.Calls
		}
	}
	fmt.Println(n.Load(), calls["called"], calls["within"], s.EndedTwice+s.EndedElsewhere+s.EndedEarly+s.Abandoned)
}
