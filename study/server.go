package study

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Server is a JetStream server within this process, with its store in a folder. Without
// an address it listens nowhere: the process itself has a connection in memory.
type Server struct {
	nats   *server.Server
	gate   *gate // nil: it listens nowhere
	secure bool  // by TLS
}

// Listen says where and to whom a server listens. The zero value is nowhere.
type Listen struct {
	// Address is host:port; without a host it is that of this machine alone, with port 0 any one
	// that is free; "": none.
	Address   string
	Token     string // that workers show; "": a new one
	Cert, Key string // files of the server's certificate and its key; "": no TLS
	// Insecure allows an address that other machines reach without TLS: who listens in between has
	// the token and the runs.
	Insecure bool

	key string // of the one study whose workers are let in; "": of all
}

// patience is how long a server or a connection may take to come up [s].
const patience = 15 * time.Second

// StartServer starts a server.
func StartServer(store string, l Listen) (*Server, error) {
	o := &server.Options{ServerName: "quasistatic", JetStream: true, StoreDir: store, DontListen: l.Address == "",
		NoLog: true, NoSigs: true}
	x := &Server{}
	if l.Address != "" {
		if err := l.configure(o); err != nil {
			return nil, err
		}
		x.gate = &gate{owner: rand.Text(), worker: cmp.Or(l.Token, rand.Text()), key: l.key}
		x.secure = o.TLS
		o.CustomClientAuthentication = x.gate
	}
	s, err := server.NewServer(o)
	if err != nil {
		return nil, fmt.Errorf("study: server: %w", err)
	}
	go s.Start()
	if !s.ReadyForConnections(patience) {
		s.Shutdown()
		return nil, fmt.Errorf("study: the server did not come up in %v; is the address %q taken, the folder %s writable?",
			patience, l.Address, store)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("study: the server has no store: is the folder %s writable, the disk full?", store)
	}
	x.nats = s
	return x, nil
}

// host returns the parts of the address.
func (l *Listen) host() (host string, port int, err error) {
	host, text, err := net.SplitHostPort(l.Address)
	var number uint64
	if err == nil {
		number, err = strconv.ParseUint(text, 10, 16)
	}
	if err != nil {
		return "", 0, fmt.Errorf("study: address %q, want host:port, for instance 127.0.0.1:4222: %w", l.Address, err)
	}
	return cmp.Or(host, "127.0.0.1"), int(number), nil
}

// Validate refuses an address that is none, and one that other machines reach without TLS unless
// that is allowed.
func (l *Listen) Validate() error {
	host, _, err := l.host()
	switch {
	case err != nil:
		return err
	case (l.Cert == "") != (l.Key == ""):
		return errors.New("study: a certificate wants its key, and a key its certificate: give both files")
	case l.Cert == "" && !l.Insecure && !loopback(host):
		return fmt.Errorf("study: %s is reached from other machines: want a certificate and its key for TLS, or that it is allowed as insecure",
			l.Address)
	}
	return nil
}

// configure sets the address, and TLS.
func (l *Listen) configure(o *server.Options) (err error) {
	if err := l.Validate(); err != nil {
		return err
	}
	if o.Host, o.Port, err = l.host(); err == nil && o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if l.Cert != "" {
		pair, err := tls.LoadX509KeyPair(l.Cert, l.Key)
		if err != nil {
			return fmt.Errorf("study: the certificate %s with the key %s: %w", l.Cert, l.Key, err)
		}
		o.TLS, o.TLSTimeout = true, patience.Seconds()
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	return err
}

// loopback reports whether a host is this machine alone.
func loopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	list, err := net.LookupIP(host)
	return err == nil && len(list) > 0 && !slices.ContainsFunc(list, func(ip net.IP) bool { return !ip.IsLoopback() })
}

// gate lets two kinds of clients in, each by its token: the process of the server itself, which may
// do all, and workers, which may take runs, leave results and checkpoints, and look at the study.
type gate struct{ owner, worker, key string }

var _ server.Authentication = (*gate)(nil)

// Check implements [server.Authentication].
func (g *gate) Check(c server.ClientAuthentication) bool {
	token := []byte(c.GetOpts().Token)
	switch {
	case subtle.ConstantTimeCompare(token, []byte(g.owner)) == 1:
		return true
	case subtle.ConstantTimeCompare(token, []byte(g.worker)) == 1:
		c.RegisterUser(&server.User{Username: "worker", Permissions: g.permissions()})
		return true
	}
	return false
}

// permissions are those of workers. What is not listed they may not do: make, change or delete a
// stream, purge the queue or the results, delete messages, or hear of runs that others ask for.
func (g *gate) permissions() *server.Permissions {
	key := cmp.Or(g.key, "*")
	publish := []string{"$JS.ACK.>", "qs." + key + ".result.*", "qs." + key + ".note.*", "$JS.API.INFO",
		"$JS.API.STREAM.NAMES", "$JS.API.STREAM.INFO.*", "$JS.API.CONSUMER.INFO.*." + workersConsumer,
		"$JS.API.CONSUMER.MSG.NEXT.*." + workersConsumer, "$JS.API.STREAM.MSG.GET.*", "$JS.API.DIRECT.GET.>"}
	if g.key == "" {
		publish = append(publish, "$O.>", "$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.DELETE.>", "$JS.API.STREAM.PURGE.*")
	} else { // objects are read by consumers, and those that are replaced are purged
		objects := "OBJ_" + bucket(g.key)
		publish = append(publish, "$O."+bucket(g.key)+".>", "$JS.API.CONSUMER.CREATE."+objects+".>",
			"$JS.API.CONSUMER.DELETE."+objects+".>", "$JS.API.STREAM.PURGE."+objects)
	}
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", "qs." + key + ".bar.*"}}}
}

// URL is where other processes find the server; "" if it listens nowhere.
func (s *Server) URL() string {
	a, ok := s.nats.Addr().(*net.TCPAddr)
	if !ok || a == nil {
		return ""
	}
	scheme, host := "nats://", a.IP.String()
	if s.secure {
		scheme = "tls://"
	}
	if name, err := os.Hostname(); a.IP.IsUnspecified() && err == nil {
		host = name
	}
	return scheme + net.JoinHostPort(host, strconv.Itoa(a.Port))
}

// Token is what workers show; "" if it listens nowhere.
func (s *Server) Token() string {
	if s.gate == nil {
		return ""
	}
	return s.gate.worker
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
	Token       string // that the server wants; "": none
	Insecure    bool   // the token may go to another machine without TLS

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
		if c.server.gate != nil {
			o = append(o, nats.Token(c.server.gate.owner))
		}
	}
	if c.Token != "" {
		o = append(o, nats.Token(c.Token))
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
			return "", fmt.Errorf("the address %q of a server: no URL, want for instance nats://127.0.0.1:4222",
				host[strings.LastIndexByte(host, '@')+1:])
		}
		if c.Token != "" && !c.Insecure && c.CA == "" && u.Scheme != "tls" && u.Scheme != "wss" && !loopback(u.Hostname()) {
			return "", fmt.Errorf("the token would go to %s without TLS, for all to read: want tls:// and the file of its authority, or allow it as insecure",
				u.Host)
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
