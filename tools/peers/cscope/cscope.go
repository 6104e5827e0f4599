// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo && unix && (amd64 || arm64)

package cscope

/*
#cgo CFLAGS: -O2 -Wall
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

// One line in a public function. The first call after a second has passed writes the report line.

typedef struct {
	uint64_t calls, inside, since;
} profile;

typedef struct {
	char line[128];
	uint64_t reports;
} report;

static _Thread_local profile by_clock, by_counter;
static _Thread_local report last;
static uint64_t second_by_clock = 1000000000, second_by_counter = 3000000000;

static inline uint64_t clock_ns(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline uint64_t counter_ticks(void) {
#if defined(__x86_64__)
	return __rdtsc();
#else
	uint64_t t;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#endif
}

__attribute__((noinline, cold)) static void write_line(profile *p, uint64_t now) {
	snprintf(last.line, sizeof last.line, "in the API %llu of %llu, %llu calls", (unsigned long long)p->inside,
		(unsigned long long)(now - p->since), (unsigned long long)p->calls);
	last.reports++;
	p->calls = p->inside = 0;
	p->since = now;
}

typedef struct {
	profile *to;
	uint64_t start;
} scope;

static inline void leave_by_clock(scope *s) {
	uint64_t now = clock_ns();
	s->to->inside += now - s->start;
	s->to->calls++;
	if (now - s->to->since > second_by_clock) write_line(s->to, now);
}

static inline void leave_by_counter(scope *s) {
	uint64_t now = counter_ticks();
	s->to->inside += now - s->start;
	s->to->calls++;
	if (now - s->to->since > second_by_counter) write_line(s->to, now);
}

#define PROFILED_BY_CLOCK __attribute__((cleanup(leave_by_clock))) scope s = {&by_clock, clock_ns()}
#define PROFILED_BY_COUNTER __attribute__((cleanup(leave_by_counter))) scope s = {&by_counter, counter_ticks()}

static inline uint64_t work(uint64_t x, long n) {
	for (; n > 0; n--) x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

__attribute__((noinline)) static uint64_t public_bare(uint64_t x, long n) { return work(x, n); }
__attribute__((noinline)) static uint64_t public_by_clock(uint64_t x, long n) { PROFILED_BY_CLOCK; return work(x, n); }
__attribute__((noinline)) static uint64_t public_by_counter(uint64_t x, long n) { PROFILED_BY_COUNTER; return work(x, n); }

static uint64_t call_bare(long calls, long n) {
	uint64_t x = 1;
	while (calls--) x = public_bare(x, n);
	return x;
}

static uint64_t call_by_clock(long calls, long n) {
	uint64_t x = 1;
	by_clock.since = clock_ns();
	while (calls--) x = public_by_clock(x, n);
	return x;
}

static uint64_t call_by_counter(long calls, long n) {
	uint64_t x = 1;
	by_counter.since = counter_ticks();
	while (calls--) x = public_by_counter(x, n);
	return x;
}

// What a thread counted and wrote, for tests.
typedef struct {
	uint64_t calls, inside, reports;
	char line[128];
} tested;

static tested run_once(int counter, uint64_t second, long calls, long n) {
	uint64_t clock_second = second_by_clock, counter_second = second_by_counter;
	profile *p = counter ? &by_counter : &by_clock;
	tested t;
	second_by_clock = second_by_counter = second;
	p->calls = p->inside = last.reports = 0;
	last.line[0] = 0;
	if (counter) call_by_counter(calls, n); else call_by_clock(calls, n);
	second_by_clock = clock_second;
	second_by_counter = counter_second;
	t.calls = p->calls, t.inside = p->inside, t.reports = last.reports;
	snprintf(t.line, sizeof t.line, "%s", last.line);
	return t;
}
*/
import "C"

// Available reports whether the loops below are present.
const Available = true

// Bare calls a public function whose work has that many steps of about 4 cycles, and returns the result.
func Bare(calls, steps int) uint64 { return uint64(C.call_bare(C.long(calls), C.long(steps))) }

// ByClock is Bare with the function profiled by the system's clock.
func ByClock(calls, steps int) uint64 { return uint64(C.call_by_clock(C.long(calls), C.long(steps))) }

// ByCounter is Bare with the function profiled by the processor's counter.
func ByCounter(calls, steps int) uint64 {
	return uint64(C.call_by_counter(C.long(calls), C.long(steps)))
}

// try makes calls with a report due after second, in ns or ticks.
func try(counter bool, second uint64, calls, steps int) (counted, inside, reports uint64, line string) {
	which := C.int(0)
	if counter {
		which = 1
	}
	t := C.run_once(which, C.uint64_t(second), C.long(calls), C.long(steps))
	return uint64(t.calls), uint64(t.inside), uint64(t.reports), C.GoString(&t.line[0])
}
