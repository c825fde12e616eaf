package relay_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/relay"
)

func burst() (err error) {
	defer relay.Catch(&err)
	var list []int
	return errors.New(string(rune(list[3])))
}

// TestCatch: the error names the panic, and its stack the function that made it, also
// after it was raised a second time elsewhere.
func TestCatch(t *testing.T) {
	p, ok := errors.AsType[*relay.Panic](burst())
	if !ok || !strings.Contains(p.Error(), "index out of range") || !strings.Contains(string(p.Stack), "burst") {
		t.Fatalf("%v", p)
	}
	again := func() (err error) {
		defer relay.Catch(&err)
		panic(p)
	}
	if q := again(); q != error(p) {
		t.Errorf("raised again: %v", q)
	}
	fine := func() (err error) {
		defer relay.Catch(&err)
		return nil
	}
	if err := fine(); err != nil {
		t.Error(err)
	}
}
