package study

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// authority signs certificates for this machine.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, dir string) *authority {
	a := &authority{t: t, dir: dir}
	a.sign("ca")
	return a
}

// sign leaves a certificate and its key in files, of the authority itself at first.
func (a *authority) sign(name string) (cert, key string) {
	a.t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	if a.cert == nil {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
		a.cert, a.key = c, secret
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &secret.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	text, err := x509.MarshalECPrivateKey(secret)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, key = filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key")
	a.write(cert, "CERTIFICATE", der)
	a.write(key, "EC PRIVATE KEY", text)
	return cert, key
}

func (a *authority) write(name, kind string, der []byte) {
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// tenancy is a server's list of who may do what: an operator, an account with a store, and
// the credentials of a user of it.
type tenancy struct {
	operator    *jwt.OperatorClaims
	system      string
	resolver    server.MemAccResolver
	credentials []byte
}

func newTenancy(t *testing.T) *tenancy {
	x := &tenancy{}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	pair := func(make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := make()
		check(err)
		public, err := k.PublicKey()
		check(err)
		return k, public
	}
	operator, id := pair(nkeys.CreateOperator)
	x.operator = jwt.NewOperatorClaims(id)
	_, err := x.operator.Encode(operator)
	check(err)
	account := func(stored int64) (nkeys.KeyPair, string) {
		k, id := pair(nkeys.CreateAccount)
		c := jwt.NewAccountClaims(id)
		if stored > 0 {
			c.Limits.JetStreamLimits = jwt.JetStreamLimits{DiskStorage: stored, MemoryStorage: stored}
		}
		text, err := c.Encode(operator)
		check(err)
		check(x.resolver.Store(id, text))
		return k, id
	}
	_, x.system = account(0)
	studies, _ := account(1 << 28)
	user, id := pair(nkeys.CreateUser)
	text, err := jwt.NewUserClaims(id).Encode(studies)
	check(err)
	seed, err := user.Seed()
	check(err)
	x.credentials, err = jwt.FormatUserConfig(text, seed)
	check(err)
	return x
}

// TestSecured: a study goes through a server that wants a certificate of its client and the
// credentials of a user; without one of them it is refused.
func TestSecured(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, users := newAuthority(t, dir), newTenancy(t)
	cert, key := a.sign("server")
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	ca, err := os.ReadFile(filepath.Join(dir, "ca.pem"))
	if err != nil || !known.AppendCertsFromPEM(ca) {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
		StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		TLS: true, TLSVerify: true, TLSTimeout: 10,
		TLSConfig:        &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: known, ClientAuth: tls.RequireAndVerifyClientCert},
		TrustedOperators: []*jwt.OperatorClaims{users.operator}, SystemAccount: users.system, AccountResolver: &users.resolver})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(patience) {
		t.Fatal("no server")
	}
	c := Connection{URL: "tls://" + s.Addr().String(), CA: filepath.Join(dir, "ca.pem"), Credentials: filepath.Join(dir, "user.creds")}
	c.Cert, c.Key = a.sign("client")
	if err := os.WriteFile(c.Credentials, users.credentials, 0o600); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, 20),
		Options{Dir: out, Base: []byte(squareBase), Runner: square{}, Engine: &Broker{Connection: c, Workers: 2}}); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(read(t, out, LedgerFile), []byte("\n")); n != 20 {
		t.Errorf("%d records, want 20", n)
	}
	other := newTenancy(t)
	if err := os.WriteFile(filepath.Join(dir, "other.creds"), other.credentials, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *Connection){
		"Authorization Violation":        func(c *Connection) { c.Credentials = "" },
		"nope.creds: no such file":       func(c *Connection) { c.Credentials = "nope.creds" },
		"nats: Authorization Violation":  func(c *Connection) { c.Credentials = filepath.Join(dir, "other.creds") },
		"unknown authority":              func(c *Connection) { c.CA = "" },
		"a key its certificate":          func(c *Connection) { c.Cert = "" },
		"a certificate of one's own":     func(c *Connection) { c.Key = "" },
		"does not match":                 func(c *Connection) { c.Key = key },
		"no URL, want for instance nats": func(c *Connection) { c.URL = "tls://ann:secret@127.0.0.1:x" },
	} {
		wrong := c
		change(&wrong)
		conn, err := wrong.dial(t.Context(), "test")
		if err == nil {
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

// TestNoPasswords: what names a server in messages has neither the password nor the token of
// its user.
func TestNoPasswords(t *testing.T) {
	for text, want := range map[string]string{
		"nats://ann:secret@a:4222, secret@b:1": "nats://a:4222,nats://b:1",
		"tls://secret@[::1]:4222":              "tls://[::1]:4222",
		"localhost":                            "nats://localhost",
		"":                                     "",
	} {
		c := Connection{URL: text}
		if got, err := c.where(); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"nats://ann:secret@a:x", "ann:secret@a:1,ann:secret@%zz"} {
		c := Connection{URL: text}
		if _, err := c.where(); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestAddresses: without a host nothing listens beyond this machine; port 0 is any that is free.
func TestAddresses(t *testing.T) {
	s, err := StartServer(t.TempDir(), Listen{Address: ":0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.HasPrefix(s.URL(), "nats://127.0.0.1:") {
		t.Errorf("listens at %s", s.URL())
	}
	for _, address := range []string{"nope", "127.0.0.1", "127.0.0.1:-1", "127.0.0.1:65536", "127.0.0.1:x"} {
		if s, err := StartServer(t.TempDir(), Listen{Address: address}); err == nil || !strings.Contains(err.Error(), "want host:port") {
			t.Errorf("%q: %v", address, err)
			if s != nil {
				s.Close()
			}
		}
	}
}
