package form

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/internal/factor"
)

// IndefiniteError reports that M has a direction of negative or no stiffness
// that no contact holds.
type IndefiniteError struct {
	Row   int
	cause error
}

// Unwrap returns the error of the factorisation.
func (e *IndefiniteError) Unwrap() error { return e.cause }

// Indefinite makes an [IndefiniteError] of the error of a factorisation.
func Indefinite(err error) error {
	if npd, ok := errors.AsType[*factor.NotPositiveDefiniteError](err); ok {
		return &IndefiniteError{Row: npd.Column, cause: err}
	}
	return err
}

func (e *IndefiniteError) Error() string {
	return fmt.Sprintf("the matrix is not positive definite at row %d", e.Row)
}
