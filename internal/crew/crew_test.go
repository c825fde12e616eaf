package crew

import (
	"context"
	"errors"
	"testing"
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
