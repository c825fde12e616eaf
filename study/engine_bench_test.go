package study

import (
	"testing"
)

// BenchmarkEngine is the overhead of an engine: runs that take no time.
func BenchmarkEngine(b *testing.B) {
	for name, make := range map[string]func(s *Server) Engine{"pool": func(*Server) Engine { return Pool{Workers: 2} },
		"broker": func(s *Server) Engine { return &Broker{Connection: s.Connect(), Workers: 2} }} {
		b.Run(name, func(b *testing.B) {
			server, err := StartServer(b.TempDir(), Listen{})
			if err != nil {
				b.Fatal(err)
			}
			defer server.Close()
			s := squareStudy(b, max(4, 2*b.N))
			b.ResetTimer()
			if _, err := Run(b.Context(), s, Options{Dir: b.TempDir(), Base: []byte(squareBase), Runner: square{},
				Engine: make(server)}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(max(4, 2*b.N)), "µs/run")
		})
	}
}
