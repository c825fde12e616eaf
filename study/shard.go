package study

import (
	"fmt"
	"strings"
)

// Shard is one of several parts of a study that are made apart, without a server. The
// zero value is the whole.
type Shard struct{ Index, Count int } // Index from 1 to Count

// ParseShard reads "3/8".
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); n != 2 || err != nil || s.Index < 1 ||
		s.Index > s.Count || text != fmt.Sprintf("%d/%d", s.Index, s.Count) {
		return Shard{}, fmt.Errorf("study: shard %q, want i/n with 1 <= i <= n", text)
	}
	return s, nil
}

// has reports whether a run belongs to the shard.
func (s Shard) has(i int) bool { return s.Count == 0 || i%s.Count == s.Index-1 }

// ledger names the file of the shard's records.
func (s Shard) ledger() string {
	if s.Count == 0 {
		return LedgerFile
	}
	return fmt.Sprintf("records-%d-of-%d.jsonl", s.Index, s.Count)
}

// isLedger reports whether a file is that of records, of the whole or of a shard.
func isLedger(name string) bool {
	rest, ok := strings.CutPrefix(name, "records")
	return ok && strings.HasSuffix(rest, ".jsonl") && (rest == ".jsonl" || strings.HasPrefix(rest, "-"))
}
