package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Server is a JetStream server within this process, with its store in a folder. Without
// an address it listens nowhere: the process itself has a connection in memory.
type Server struct{ nats *server.Server }

// patience is how long a server or a connection may take to come up [s].
const patience = 15 * time.Second

// StartServer starts a server. The address is host:port, or "" for none; without a host it is
// that of this machine alone, with port 0 any one that is free.
func StartServer(store, address string) (*Server, error) {
	o := &server.Options{ServerName: "quasistatic", JetStream: true, StoreDir: store, DontListen: address == "", NoLog: true, NoSigs: true}
	if address != "" {
		host, text, err := net.SplitHostPort(address)
		var port uint64
		if err == nil {
			port, err = strconv.ParseUint(text, 10, 16)
		}
		if err != nil {
			return nil, fmt.Errorf("study: address %q, want host:port, for instance 127.0.0.1:4222: %w", address, err)
		}
		o.Host, o.Port = cmp.Or(host, "127.0.0.1"), int(port)
		if port == 0 {
			o.Port = server.RANDOM_PORT
		}
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("study: server: %w", err)
	}
	go s.Start()
	if !s.ReadyForConnections(patience) {
		s.Shutdown()
		return nil, fmt.Errorf("study: the server did not come up in %v; is the address %q taken, the folder %s writable?", patience, address, store)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("study: the server has no store: is the folder %s writable, the disk full?", store)
	}
	return &Server{s}, nil
}

// URL is where other processes find the server; "" if it listens nowhere.
func (s *Server) URL() string {
	if a, ok := s.nats.Addr().(*net.TCPAddr); ok && a != nil {
		return "nats://" + a.String()
	}
	return ""
}

// Close ends the server; its store stays.
func (s *Server) Close() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}

// Connection says how to reach a server.
type Connection struct {
	URL         string // of a server or several, separated by commas
	Credentials string // file of a user's credentials; "": none
	CA          string // file of the authority of the servers' certificates
	Cert, Key   string // files of a certificate of one's own

	server *Server // in this process
}

// Connect returns the connection to a server within the process.
func (s *Server) Connect() Connection { return Connection{server: s} }

// dial connects. It tries for a while, since server and workers may be started together,
// and goes on trying when the connection breaks later.
func (c *Connection) dial(ctx context.Context, name string) (*nats.Conn, error) {
	o := []nats.Option{nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.Timeout(patience),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})} // errors come back from the calls
	if c.server != nil {
		o = append(o, nats.InProcessServer(c.server.nats))
	}
	if c.Credentials != "" {
		o = append(o, nats.UserCredentials(c.Credentials))
	}
	if c.CA != "" {
		o = append(o, nats.RootCAs(c.CA))
	}
	if c.Cert != "" {
		o = append(o, nats.ClientCert(c.Cert, c.Key))
	}
	where, err := c.where()
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errNoServer)
	defer cancel()
	for {
		conn, err := nats.Connect(c.URL, o...)
		if err == nil {
			return conn, nil
		}
		if !coming(err) {
			return nil, fmt.Errorf("study: %s: %w", where, err)
		}
		if wait(ctx, pause); ctx.Err() != nil {
			return nil, fmt.Errorf("study: %s: %w (%w)", where, context.Cause(ctx), err)
		}
	}
}

// where is the URL for messages: without the user, whose password or token is in it.
func (c *Connection) where() (string, error) {
	if (c.Cert == "") != (c.Key == "") {
		return "", errors.New("a certificate of one's own wants its key, and a key its certificate: give both files")
	}
	var list []string
	for text := range strings.SplitSeq(c.URL, ",") {
		text = strings.TrimSpace(text)
		if text != "" && !strings.Contains(text, "://") {
			text = "nats://" + text
		}
		u, err := url.Parse(text)
		if err != nil {
			_, host, _ := strings.Cut(text, "://")
			return "", fmt.Errorf("the address %q of a server: no URL, want for instance nats://127.0.0.1:4222", host[strings.LastIndexByte(host, '@')+1:])
		}
		u.User = nil
		list = append(list, u.String())
	}
	return strings.Join(list, ","), nil
}

// coming reports whether an error of a connection may be over when the server is up.
func coming(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || away(err) || errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, io.EOF)
}

var errNoServer = fmt.Errorf("no server answered for %v: is one running there?", patience)
