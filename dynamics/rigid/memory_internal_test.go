package rigid

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/memory"
)

// TestBeyondMemory: what memory does not hold is told, and neither a shorter step nor another
// method is tried.
func TestBeyondMemory(t *testing.T) {
	s := garden(t, 2, Options{})
	factors := fmt.Errorf("a layer: %w", &contact.Error{Status: contact.NumericalFailure, Cause: &memory.ExceededError{Limit: memory.Limit{Bytes: 5e6, Source: "the limit given"}}})
	for err, want := range map[error]bool{factors: true, &MemoryError{}: true, &contact.Error{}: false, errSteep: false} {
		if beyondMemory(err) != want || s.shorterHelps(t.Context(), err, .1) == want {
			t.Errorf("%v: beyond memory %t", err, beyondMemory(err))
		}
	}
	if text := s.unsolved(factors, []int{0, 1}).Error(); !strings.Contains(text, "2 contacts") || !strings.Contains(text, "5 MB") || !strings.Contains(text, "larger limit") || !errors.Is(s.unsolved(factors, nil), errors.Unwrap(errors.Unwrap(factors))) {
		t.Error(text)
	}
	// Of the limit the factors get what the other copies of W leave.
	s.p.dim, s.p.list, s.p.share = 2, []int{0}, []share{{comp: 0}}
	s.p.on = [][]reference{make([]reference, 10)}
	for limit, want := range map[int64]int64{0: 0, 6 * 400: 400, 4000: 4000 - 2000} {
		s.o.Memory = limit
		if err := s.affords(0); err != nil || s.p.factors != want {
			t.Errorf("of %d bytes factors may take %d, want %d (%v)", limit, s.p.factors, want, err)
		}
	}
}
