// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"go/types"
	"strings"
	"sync"
)

// blocking lists the calls that may wait for long, as [types.Func.FullName] writes them: for a lock, the network, a disk, a process,
// a database or the time. Calls that only return soon, such as opening a file, are not in it, nor are those of writers that may be
// anything.
const blocking = `
(*sync.Mutex).Lock (*sync.RWMutex).Lock (*sync.RWMutex).RLock (*sync.WaitGroup).Wait (*sync.Cond).Wait
(*golang.org/x/sync/errgroup.Group).Wait (*golang.org/x/sync/semaphore.Weighted).Acquire
time.Sleep (*golang.org/x/time/rate.Limiter).Wait (*golang.org/x/time/rate.Limiter).WaitN
github.com/strobe-go/strobe/pace.Sleep (*github.com/strobe-go/strobe/pace.Limiter).Wait
(net.Conn).Read (net.Conn).Write (*net.conn).Read (*net.conn).Write (*net.TCPConn).ReadFrom (*net.TCPConn).WriteTo (*net.Buffers).WriteTo
(net.PacketConn).ReadFrom (net.PacketConn).WriteTo (*net.UDPConn).ReadFrom (*net.UDPConn).ReadFromUDP
(*net.UDPConn).ReadFromUDPAddrPort (*net.UDPConn).ReadMsgUDP (*net.UDPConn).WriteTo (*net.UDPConn).WriteToUDP
(*net.UDPConn).WriteToUDPAddrPort (*net.UDPConn).WriteMsgUDP
(*crypto/tls.Conn).Read (*crypto/tls.Conn).Write (*crypto/tls.Conn).Handshake (*crypto/tls.Conn).HandshakeContext
(net.Listener).Accept (*net.TCPListener).Accept (*net.TCPListener).AcceptTCP (*net.UnixListener).Accept (*net.UnixListener).AcceptUnix
net.Dial net.DialTimeout net.DialTCP net.DialUDP net.DialUnix (*net.Dialer).Dial (*net.Dialer).DialContext crypto/tls.Dial
(*crypto/tls.Dialer).Dial (*crypto/tls.Dialer).DialContext
net.LookupHost net.LookupIP net.LookupAddr net.LookupTXT net.LookupMX net.LookupCNAME net.LookupSRV (*net.Resolver).LookupHost
(*net.Resolver).LookupIP (*net.Resolver).LookupIPAddr (*net.Resolver).LookupAddr (*net.Resolver).LookupTXT
net/http.Get net/http.Head net/http.Post net/http.PostForm (*net/http.Client).Do (*net/http.Client).Get (*net/http.Client).Head
(*net/http.Client).Post (*net/http.Client).PostForm (net/http.RoundTripper).RoundTrip (*net/http.Transport).RoundTrip
net/http.ListenAndServe net/http.ListenAndServeTLS net/http.Serve (*net/http.Server).ListenAndServe
(*net/http.Server).ListenAndServeTLS (*net/http.Server).Serve (*net/http.Server).ServeTLS (*net/http.Server).Shutdown
(*google.golang.org/grpc.Server).Serve (google.golang.org/grpc.ClientConnInterface).Invoke (*google.golang.org/grpc.ClientConn).Invoke
(*github.com/gin-gonic/gin.Engine).Run (*github.com/gin-gonic/gin.Engine).RunTLS (*github.com/gin-gonic/gin.Engine).RunListener
(*github.com/labstack/echo/v4.Echo).Start (*github.com/labstack/echo/v4.Echo).StartTLS (*github.com/labstack/echo/v4.Echo).StartServer
(github.com/soheilhy/cmux.CMux).Serve (*github.com/gorilla/websocket.Conn).ReadMessage (*github.com/gorilla/websocket.Conn).WriteMessage
(*github.com/gorilla/websocket.Conn).ReadJSON (*github.com/gorilla/websocket.Conn).WriteJSON (*github.com/gorilla/websocket.Conn).NextReader
(*os.File).Read (*os.File).ReadAt (*os.File).ReadFrom (*os.File).Write (*os.File).WriteAt (*os.File).WriteString (*os.File).WriteTo
(*os.File).Sync (*os.File).ReadDir (*os.File).Readdir (*os.File).Readdirnames
os.ReadFile os.WriteFile os.ReadDir os.RemoveAll os.Rename (*os.Process).Wait
(*os/exec.Cmd).Run (*os/exec.Cmd).Wait (*os/exec.Cmd).Output (*os/exec.Cmd).CombinedOutput
(*database/sql.DB).Ping (*database/sql.DB).PingContext (*database/sql.DB).Query (*database/sql.DB).QueryContext
(*database/sql.DB).QueryRow (*database/sql.DB).QueryRowContext (*database/sql.DB).Exec (*database/sql.DB).ExecContext
(*database/sql.DB).Begin (*database/sql.DB).BeginTx (*database/sql.DB).Prepare (*database/sql.DB).PrepareContext (*database/sql.DB).Conn
(*database/sql.Conn).QueryContext (*database/sql.Conn).QueryRowContext (*database/sql.Conn).ExecContext (*database/sql.Conn).BeginTx
(*database/sql.Conn).PingContext (*database/sql.Conn).PrepareContext
(*database/sql.Tx).Query (*database/sql.Tx).QueryContext (*database/sql.Tx).QueryRow (*database/sql.Tx).QueryRowContext
(*database/sql.Tx).Exec (*database/sql.Tx).ExecContext (*database/sql.Tx).Prepare (*database/sql.Tx).PrepareContext
(*database/sql.Tx).Commit (*database/sql.Tx).Rollback
(*database/sql.Stmt).Query (*database/sql.Stmt).QueryContext (*database/sql.Stmt).QueryRow (*database/sql.Stmt).QueryRowContext
(*database/sql.Stmt).Exec (*database/sql.Stmt).ExecContext (*database/sql.Rows).Next (*database/sql.Row).Scan
(*github.com/jackc/pgx/v5.Conn).Exec (*github.com/jackc/pgx/v5.Conn).Query (*github.com/jackc/pgx/v5.Conn).SendBatch
(*github.com/jackc/pgx/v5/pgxpool.Pool).Acquire (*github.com/jackc/pgx/v5/pgxpool.Pool).Exec (*github.com/jackc/pgx/v5/pgxpool.Pool).Query
(*github.com/jackc/pgx/v5/pgxpool.Pool).QueryRow (*github.com/jackc/pgx/v5/pgxpool.Pool).Begin (github.com/jackc/pgx/v5.Rows).Next
(github.com/jackc/pgx/v5.Row).Scan (github.com/jackc/pgx/v5.Tx).Exec (github.com/jackc/pgx/v5.Tx).Query (github.com/jackc/pgx/v5.Tx).Commit
`

// reading lists the calls that wait if what they read from does: a function reads from its first argument.
const reading = `
io.ReadFull io.ReadAtLeast io.ReadAll
(*bufio.Reader).Read (*bufio.Reader).ReadBytes (*bufio.Reader).ReadString (*bufio.Reader).ReadLine (*bufio.Reader).ReadSlice
(*bufio.Reader).Peek (*bufio.Reader).Discard
`

// quick lists packages and functions that return at once, so that they may be called between the start of a wait and the wait.
const quick = `context time errors (*net/http.Request).Context (*net/http.Request).WithContext (context.Context).Done (context.Context).Err
(*os.File).Name (*strings.Builder).String strings.NewReader bytes.NewReader`

var (
	blockingCalls = sync.OnceValue(func() map[string]bool { return set(blocking) })
	readingCalls  = sync.OnceValue(func() map[string]bool { return set(reading) })
	quickCalls    = sync.OnceValue(func() map[string]bool { return set(quick) })
)

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, word := range strings.Fields(words) {
		s[word] = true
	}
	return s
}

// reads tells functions that wait if what they read from does: those of the list, and Read of any interface.
func reads(f *types.Func) bool {
	if readingCalls()[f.FullName()] {
		return true
	}
	t := f.Signature()
	if f.Name() != "Read" || t.Recv() == nil || !types.IsInterface(t.Recv().Type()) || t.Params().Len() != 1 || t.Results().Len() != 2 {
		return false
	}
	return types.Identical(t.Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte])) && types.Identical(t.Results().At(0).Type(), types.Typ[types.Int])
}

// pacing tells functions that wait for the time to come.
func pacing(f *types.Func) bool {
	switch f.FullName() {
	case "time.Sleep", "(*golang.org/x/time/rate.Limiter).Wait", "(*golang.org/x/time/rate.Limiter).WaitN",
		"github.com/strobe-go/strobe/pace.Sleep", "(*github.com/strobe-go/strobe/pace.Limiter).Wait":
		return true
	}
	return false
}

// try returns the method that takes a lock only if that needs no wait; "" if f takes none.
func try(f *types.Func) string {
	switch f.FullName() {
	case "(*sync.Mutex).Lock", "(*sync.RWMutex).Lock":
		return "TryLock"
	case "(*sync.RWMutex).RLock":
		return "TryRLock"
	}
	return ""
}
