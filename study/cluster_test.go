package study

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// startCluster starts three servers that know each other.
func startCluster(t *testing.T) (servers []*server.Server, urls string) {
	t.Helper()
	var routes []*url.URL
	var ports []int
	for range 3 {
		address := freeAddress(t)
		var port int
		if _, err := fmt.Sscanf(address, "127.0.0.1:%d", &port); err != nil {
			t.Fatal(err)
		}
		ports = append(ports, port)
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: address})
	}
	var list []string
	for k := range 3 {
		o := &server.Options{ServerName: fmt.Sprint("s", k), Host: "127.0.0.1", Port: server.RANDOM_PORT,
			JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "study", Host: "127.0.0.1", Port: ports[k]}, Routes: routes}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		go s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	for _, s := range servers {
		if !s.ReadyForConnections(patience) {
			t.Fatal("a server did not come up")
		}
		list = append(list, s.ClientURL())
	}
	return servers, strings.Join(list, ",")
}

// TestCluster: with three replicas on three servers a study goes on when one of them is
// gone, be it the leader.
func TestCluster(t *testing.T) {
	thorough.Only(t, "seconds, until a cluster has chosen its leaders")
	servers, urls := startCluster(t)
	for range 150 { // the cluster takes a moment to have a leader
		if servers[0].JetStreamIsLeader() || servers[1].JetStreamIsLeader() || servers[2].JetStreamIsLeader() {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	dir, serial := t.TempDir(), t.TempDir()
	shut := false
	_, err := Run(t.Context(), squareStudy(t, 60), Options{Dir: dir, Base: []byte(squareBase), Runner: square{delay: 40 * time.Millisecond},
		Engine: &Broker{Connection: Connection{URL: urls}, Workers: 2, Replicas: 3, Lease: 2 * time.Second},
		Observe: func(p Progress) {
			if p.Done >= 20 && !shut {
				shut = true
				for _, s := range servers {
					if s.JetStreamIsLeader() {
						go s.Shutdown()
						return
					}
				}
				go servers[0].Shutdown()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), squareStudy(t, 60), Options{Dir: serial, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	if !shut || !bytes.Equal(read(t, dir, CSVFile), read(t, serial, CSVFile)) {
		t.Errorf("server shut down: %v; or another table than that of the serial study", shut)
	}
}
