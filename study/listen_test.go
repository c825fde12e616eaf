package study

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestListen: a server that listens lets in who has its token, and lets workers take runs and leave
// results and checkpoints, and nothing else.
func TestListen(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "study")
	var told lines
	var attacked bool
	runner := square{runs: func(string) {
		if attacked { // by the first run of the client's own worker: the server is up
			return
		}
		attacked = true
		line := told.String()
		token, rest, ok := strings.Cut(line[strings.Index(line, TokenVariable+"=")+len(TokenVariable)+1:], " quasistatic worker --nats ")
		if !ok || len(token) < 20 {
			t.Fatalf("the line for workers is %q", line)
		}
		url := strings.Fields(rest)[0]
		if info, err := os.Stat(filepath.Join(dir, "token")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file of the token: %v, %v", info, err)
		}
		for _, o := range [][]nats.Option{nil, {nats.Token("wrong")}, {nats.UserInfo("worker", token)}} {
			if conn, err := nats.Connect(url, o...); err == nil || !strings.Contains(err.Error(), "Authorization") {
				t.Errorf("let in without the token: %v", err)
				conn.Close()
			}
		}
		worker := &Worker{Connection: Connection{URL: url, Token: token}, Runner: square{}, Idle: 50 * time.Millisecond, Log: told.add}
		if err := worker.Work(t.Context()); err != nil {
			t.Errorf("a worker with the token: %v", err)
		}
		conn, err := nats.Connect(url, nats.Token(token), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		js, err := jetstream.New(conn)
		if err != nil {
			t.Error(err)
			return
		}
		for name := range js.StreamNames(t.Context()).Name() {
			ctx, cancel := context.WithTimeout(t.Context(), 40*time.Millisecond) // what is not allowed has no answer
			key, ok := keyOfStream(name)
			if ok {
				if err := js.DeleteStream(ctx, name); err == nil {
					t.Error("a worker deletes the queue")
				}
				if _, err := js.Publish(ctx, workSubject(key, "x"), []byte("x")); err == nil {
					t.Error("a worker queues a run")
				}
			}
			cancel()
		}
	}}
	engine := &Embedded{Dir: dir, Workers: 1, Listen: Listen{Address: "127.0.0.1:0"}, Log: told.add}
	if _, err := Run(t.Context(), squareStudy(t, 20),
		Options{Dir: dir, Base: []byte(squareBase), Runner: runner, Engine: engine}); err != nil {
		t.Fatal(err)
	}
	serial := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, 20), Options{Dir: serial, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	if string(read(t, dir, CSVFile)) != string(read(t, serial, CSVFile)) {
		t.Errorf("another table than that without workers:\n%s", &told)
	}
	if _, err := os.Stat(filepath.Join(dir, "token")); err == nil {
		t.Error("the token of a study that is complete is still there")
	}
	if records, err := readRecords(dir); err != nil || len(records.words) < 4 { // with the name of the worker among them
		t.Errorf("no row is of the worker with the token: %q, %v\n%s", records.words, err, &told)
	}
}

// TestListenTLS: an address that other machines reach is refused without TLS, unless that is
// allowed; a certificate and its key make it TLS, by which a worker needs the token all the same.
func TestListenTLS(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.1:4222"} {
		l := Listen{Address: address}
		if s, err := StartServer(t.TempDir(), l); err == nil || !strings.Contains(err.Error(), "reached from other machines") {
			t.Errorf("%s: %v", address, err)
			if s != nil {
				s.Close()
			}
		}
		if l.Insecure = true; l.Validate() != nil {
			t.Errorf("%s, allowed: %v", address, l.Validate())
		}
	}
	dir := t.TempDir()
	a := newAuthority(t, dir)
	l := Listen{Address: "127.0.0.1:0"}
	l.Cert, l.Key = a.sign("server")
	s, err := StartServer(t.TempDir(), l)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.HasPrefix(s.URL(), "tls://127.0.0.1:") || !strings.Contains(s.Invitation(l.Cert), "--ca "+l.Cert) {
		t.Errorf("%s, %s", s.URL(), s.Invitation(l.Cert))
	}
	ca := filepath.Join(dir, "ca.pem")
	for want, c := range map[string]Connection{
		"":                        {URL: s.URL(), CA: ca, Token: s.Token()},
		"Authorization Violation": {URL: s.URL(), CA: ca},
		"unknown authority":       {URL: s.URL(), Token: s.Token()},
		"without TLS":             {URL: "nats://192.0.2.1:4222", Token: s.Token()},
	} {
		conn, err := c.dial(t.Context(), t.Name())
		if err == nil {
			conn.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	own := s.Connect()
	if conn, err := own.dial(t.Context(), t.Name()); err != nil {
		t.Errorf("the process itself: %v", err)
	} else {
		conn.Close()
	}
	l.Key = ""
	if _, err := StartServer(t.TempDir(), l); err == nil || !strings.Contains(err.Error(), "wants its key") {
		t.Errorf("without the key: %v", err)
	}
}
