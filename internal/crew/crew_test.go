package crew

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/relay"
)

// TestEach: every piece is made once, the results come one at a time.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 7} {
		sum, count := 0, 0
		err := Each(t.Context(), workers, Down(100), func(_ context.Context, i int) (int, error) { return i * i, nil },
			func(i, square int) error {
				if square != i*i {
					t.Errorf("%d: %d", i, square)
				}
				sum, count = sum+i, count+1
				return nil
			})
		if err != nil || sum != 4950 || count != 100 {
			t.Errorf("%d workers: sum %d of %d pieces, %v", workers, sum, count, err)
		}
	}
}

// TestEachFails: the first error of the work, of done, or of the context ends all.
func TestEachFails(t *testing.T) {
	fault := errors.New("fault")
	ok := func(_ context.Context, i int) (int, error) { return i, nil }
	take := func(int, int) error { return nil }
	err := Each(t.Context(), 3, Down(1000), func(_ context.Context, i int) (int, error) {
		if i == 500 {
			return 0, fault
		}
		return i, nil
	}, take)
	if !errors.Is(err, fault) {
		t.Errorf("work: %v", err)
	}
	if err := Each(t.Context(), 3, Down(1000), ok, func(int, int) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("done: %v", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Each(stopped, 3, Down(1000), ok, take); !errors.Is(err, context.Canceled) {
		t.Errorf("context: %v", err)
	}
	if err := Each(t.Context(), 3, Down(0), ok, take); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}

// TestPanic: a panic in a piece is raised where the pieces are waited for, with the stack
// on which it happened.
func TestPanic(t *testing.T) {
	defer func() {
		p, ok := recover().(*relay.Panic)
		if !ok || p.Value != "burst" || !strings.Contains(string(p.Stack), "TestPanic") {
			t.Errorf("%v", p)
		}
	}()
	_ = Each(t.Context(), 2, Down(5), func(_ context.Context, i int) (int, error) {
		if i == 2 {
			panic("burst")
		}
		return i, nil
	}, func(int, int) error { return nil })
	t.Error("no panic")
}
