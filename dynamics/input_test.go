package dynamics_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics"
)

// TestInputErrorUnwraps: a fault of the input tells its cause.
func TestInputErrorUnwraps(t *testing.T) {
	if err := error(&dynamics.InputError{Err: fs.ErrInvalid}); !errors.Is(err, fs.ErrInvalid) || err.Error() != fs.ErrInvalid.Error() {
		t.Error(err)
	}
}
