// Every form of a statement that waits, and some that look like it. A comment says which wait a line has, and how many calls of its
// zone are expected; the lock of contended is taken.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

type store struct {
	mu sync.RWMutex
	sync.Mutex
	n int
}

// A shy lock has a TryLock of its own, which says no.
type shy struct{ sync.Mutex }

func (*shy) TryLock() bool { return false }

type loud struct{ shy }

func free(s *store) int {
	s.mu.Lock() // want s.mu.Lock 0
	defer s.mu.Unlock()
	s.Lock() // want s.Lock 0
	s.n++
	s.Unlock()
	return s.n
}

// contended ends when the goroutine waits: no reader gets the lock then.
func contended(s *store) {
	s.mu.RLock() // want s.mu.RLock 0
	done := make(chan bool)
	go func() {
		defer close(done)
		s.mu.Lock() // want s.mu.Lock 1
		defer s.mu.Unlock()
	}()
	for s.mu.TryRLock() {
		s.mu.RUnlock()
		runtime.Gosched()
	}
	s.mu.RUnlock()
	<-done // want <-done 1
}

func locks() {
	var l loud
	l.Lock() // want l.Lock 1
	l.shy.Mutex.Unlock()
	shards := make([]store, 2)
	for i := range shards {
		shards[i].mu.Lock() // want shards[i].mu.Lock 0
		shards[(i)].mu.Unlock()
	}
	var c sync.Locker = &shards[0]
	c.Lock()
	c.Unlock()
	var nobody *store
	defer func() { fmt.Println("recovered:", recover() != nil) }()
	nobody.mu.Lock() // want nobody.mu.Lock 0
}

func order() {
	c, say := make(chan string, 4), func(s string) string { fmt.Println("evaluated:", s); return s }
	var got [2]string
	at := func(i int) int { say(fmt.Sprint("index ", i)); return i }
	c <- say("sent") // want c <- 1
	got[at(0)] = <-c
	c <- "again" // want c <- 1
	got[1] = <-c // want <-c 1
	time.Sleep(time.Duration(len(say("x"))))
	time.Sleep(min(1, time.Until(time.Now()))) // want time.Sleep 1
	fmt.Println(got)
}

type truth bool

type answer struct {
	text string
	n    int
}

// What is sent is the result of a call, whose time is no waiting.
func sent() {
	say := func(s string) string { fmt.Println("evaluated:", s); return s }
	count := func(s string, n int) int { return len(say(s)) + n }
	chosen := func(c chan int) chan int { fmt.Println("chosen"); return c }
	texts, numbers, anything := make(chan string, 8), make(chan int, 8), make(chan any, 8)
	answers, pointers, truths := make(chan answer, 8), make(chan *answer, 8), make(chan truth, 8)
	texts <- say("text")                        // want texts <- 1
	texts <- (say("parentheses"))               // want texts <- 1
	numbers <- count("number", 3)               // want numbers <- 1
	anything <- say("any")                      // want anything <- 1
	answers <- answer{say("literal"), 1}        // want answers <- 1
	pointers <- &answer{say("address"), 2}      // want pointers <- 1
	truths <- truth(count("conversion", 0) > 0) // want truths <- 1
	truths <- count("comparison", 0) > 0
	texts <- /* said */ say("comment")
	texts <- "two" + say("texts")
	chosen(numbers) <- count("channel", 1)
	numbers <- 1                            // want numbers <- 1
	numbers <- count("received", <-numbers) // want numbers <- 1, <-numbers 1
	for i := range 3 {
		texts <- say(fmt.Sprint("turn ", i)) // want texts <- 3
	}
	fmt.Println(<-texts, <-numbers, <-anything, <-answers, *<-pointers, <-truths, <-truths, len(texts), len(numbers)) // want <-texts 1, <-numbers 1, <-anything 1, <-answers 1, <-truths 1, <-truths 1
	func() {
		defer func() { fmt.Println("recovered:", recover() != nil) }()
		texts <- say(errors.Unwrap(errors.New("no cause")).Error()) // want texts <- 0
	}()
}

func scopes(c chan int) (n int, err error) {
	n, ok := <-c                   // want <-c 1
	if n, ok := <-c; ok && n > 1 { // want <-c 1
		fmt.Println("inner", n)
	} else if m, ok := <-c; ok { // want <-c 0
		fmt.Println("not here", m)
	}
	if m := n; m > 5 {
		fmt.Println("not here", m)
	} else if n := <-c; n == 3 { // want <-c 1
		fmt.Println("third", n)
	} else if n := <-c; n == 4 { // want <-c 0
		fmt.Println("not here", n)
	} else {
		fmt.Println("not here")
	}
	switch n := <-c; n { // want <-c 1
	case 4:
		fmt.Println("fourth", n)
		break
	default:
		fmt.Println("not here")
	}
	switch n := <-c; { // want <-c 1
	case n == 5:
		fmt.Println("fifth")
	}
	any := make(chan any, 1)
	any <- "text"                      // want any <- 1
	switch v := <-any; v := v.(type) { // want <-any 1
	case string:
		fmt.Println("a string", v)
	}
	if err = exec.CommandContext(context.Background(), "false").Run(); err != nil {
		fmt.Println("Run is not measured: making a command takes long")
	}
	command := exec.Command("go", "version")
	if err = command.Run(); err != nil { // want command.Run 1
		return n, err
	}
	fmt.Println(n, ok, err)
	return
}

func loops(jobs chan int) {
	var kept []func() int
	for v := range jobs { // want range jobs 5
		v := v + 1
		if v == 2 {
			continue
		}
		kept = append(kept, func() int { v++; return v })
	}
	for _, f := range kept {
		fmt.Print(f(), " ")
	}
	var last int
	more := make(chan int, 3)
	for i := range cap(more) {
		more <- i // want more <- 3
	}
	for last = range more { // want range more 2
		if last == 1 {
			break
		}
	}
	close(more)
outer:
	for range 2 {
		for range more { // want range more 3
			if last++; last > 2 {
				continue outer
			}
		}
	}
	fmt.Println(last)
labelled:
	for range more {
		break labelled
	}
	for <-more > 0 { // an expression with a wait in it
	}
	yes := make(chan bool, 3)
	yes <- true  // want yes <- 1
	yes <- true  // want yes <- 1
	yes <- false // want yes <- 1
	for <-yes {  // want <-yes 3
		fmt.Println("yes")
	}
}

func selects(ctx context.Context, c chan int) string {
	select { // has a default
	case <-c:
	default:
	}
	buffered := make(chan int, 2)
	buffered <- 1 // want buffered <- 1
	select {      // receives before it waits
	case buffered <- <-buffered:
	}
	var n int
	select { // want select 1
	case n = <-c:
		fmt.Println("not here", n)
	case <-time.After(time.Millisecond):
		if n == 0 {
			break
		}
		fmt.Println("not here")
	case <-ctx.Done():
	}
	go func() { c <- 7 }() // want c <- 1
	select {               // want select 1
	case n, ok := <-c:
		time.Sleep(1) // want time.Sleep 1
		return fmt.Sprint(n, ok)
	case c <- 8:
		return "nobody receives"
	}
}

type server struct{ jobs, stop chan int }

func (s *server) Jobs() <-chan int {
	fmt.Println("asked for jobs")
	return s.jobs
}

func (s *server) Stopping() <-chan int { return s.stop }

func start(n int) <-chan int {
	c := make(chan int, 1)
	c <- n // want c <- 1
	return c
}

// Methods that return a channel are called as before.
func accessors(s *server, i interface{ Stopping() <-chan int }) {
	select { // want select 1
	case <-i.Stopping():
	case n := <-s.Jobs():
		fmt.Println(n)
	}
	close(s.stop)
	<-i.Stopping() // want <-i.Stopping() 1
	select {       // a call with arguments may take long
	case n := <-start(3):
		fmt.Println(n)
	}
}

// forward jumps over statements that wait, which may not declare variables of the block.
func forward(c chan int, skip bool) {
	if skip {
		goto end
	}
	c <- 1        // want c <- 1
	<-c           // want <-c 1
	time.Sleep(1) // want time.Sleep 1
end:
	fmt.Println("forward")
}

func one(c chan error) error {
	return <-c // want <-c 1
}

func two() (text []byte, err error) {
	defer func() { text = append(text[:0], strings.ToUpper(fmt.Sprint(err == nil))...) }()
	return os.ReadFile("go.mod") // want os.ReadFile 1
}

func nothing() ([]byte, error) {
	return os.ReadFile( // want os.ReadFile 1
		"missing",
	)
}

func endless(c chan int) int {
	for {
		select { // want select 1
		case v := <-c:
			return v
		}
	}
}

// ends has a terminating statement only if the select stays one.
func ends(c chan int) int {
	select { // want select 1
	case v := <-c:
		return v
	}
}

type list[T any] struct {
	mu sync.Mutex
	ch chan T
}

func (l *list[T]) take() T {
	l.mu.Lock() // want l.mu.Lock 0
	defer l.mu.Unlock()
	v := <-l.ch // want <-l.ch 2
	return v
}

func panics() {
	defer func() { fmt.Println(recover()) }()
	var c chan int
	c = make(chan int)
	close(c)
	c <- 1 // want c <- 1
}

func later() {
	var all sync.WaitGroup
	all.Add(1)
	defer all.Wait()
	go all.Done()
	func() { all.Wait() }() // want all.Wait 1
}

// arguments of calls wait, in the order in which they are written.
func arguments() {
	c := make(chan int, 8)
	for i := range 8 {
		c <- i // want c <- 8
	}
	fmt.Println(<-c, fmt.Sprint(<-c, <-c), -<-c)                            // want <-c 1, <-c 1, <-c 1
	fmt.Println(errors.Is(os.Rename("no file", "nowhere"), os.ErrNotExist)) // want os.Rename 1
	defer fmt.Println("deferred", <-c)                                      // want <-c 1
	text := append([]int(nil),
		<-c,                               // want <-c 1
		func(n int) int { return n }(<-c)) // want <-c 1
	var any interface{} = any(<-c) // want <-c 1
	fmt.Println(text, any, cap([1]chan int{}))
	done := make(chan func() int, 1)
	done <- func() int { return max(len(done), 5) } // want done <- 1
	fmt.Println((<-done)())
}

type pipe struct {
	*bufio.Reader
	io.Closer
	in struct{ io.Reader }
}

type reader interface {
	Read(b []byte) (n int, err error)
}

// Reading waits if what is read from does, as a connection.
func reading() (last int, err error) {
	near, far := net.Pipe()
	go func() {
		for range 12 {
			io.WriteString(near, "abcdefgh")
		}
		near.Close()
	}()
	b := make([]byte, 8)
	p := &pipe{Reader: bufio.NewReader(far), Closer: far}
	p.in.Reader = far
	for _, from := range []io.Reader{far, strings.NewReader("ABCDEFGH")} {
		n, err := from.Read(b) // want from.Read 1
		fmt.Println(n, err, string(b))
		if n, err = io.ReadFull(from, b); err != nil { // want io.ReadFull 1
			fmt.Println(n, err)
		}
	}
	fmt.Println(p.in.Read(b))
	_, err = p.in.Read(b[:4]) // want p.in.Read 1
	n, err := (reader(far)).Read(b)
	fmt.Println(n, err)
	text, err := p.ReadString('h') // want p.ReadString 0
	fmt.Println(text, err)
	var lines bufio.Reader
	lines.Reset(far)
	if line, err := lines.ReadBytes('c'); err == nil { // want lines.ReadBytes 0
		fmt.Println(string(line))
	}
	fmt.Println(generic(far, b), generic(strings.NewReader("x"), b))
	return p.in.Read(b) // want p.in.Read 1
}

func generic[T reader](from T, b []byte) int {
	n, _ := from.Read(b) // want from.Read 1
	return n
}

func main() {
	fmt.Println(reading())
	arguments()
	s := &store{}
	fmt.Println(free(s), free(s))
	contended(s)
	locks()
	order()
	sent()
	c := make(chan int, 8)
	for i := range 6 {
		c <- i // want c <- 6
	}
	c <- 6 // want c <- 1
	<-c    // want <-c 1
	_, err := scopes(c)
	fmt.Println(err)
	jobs := make(chan int, 8)
	for i := range 4 {
		jobs <- i // want jobs <- 4
	}
	close(jobs)
	loops(jobs)
	fmt.Println(selects(context.Background(), make(chan int)))
	open := &server{make(chan int, 1), make(chan int)}
	open.jobs <- 1 // want open.jobs <- 1
	accessors(open, open)
	forward(c, false)
	forward(c, true)
	failed := make(chan error, 1)
	failed <- errors.New("failed") // want failed <- 1
	fmt.Println(one(failed))
	text, err := two()
	fmt.Printf("%s %v\n", text, err)
	_, err = nothing()
	fmt.Println(err)
	c = make(chan int, 2)
	c <- 1 // want c <- 1
	c <- 2 // want c <- 1
	fmt.Println(endless(c), ends(c))
	ints, texts := list[int]{ch: make(chan int, 1)}, list[string]{ch: make(chan string, 1)}
	ints.ch <- 1    // want ints.ch <- 1
	texts.ch <- "t" // want texts.ch <- 1
	fmt.Println(ints.take(), texts.take())
	panics()
	later()
}
