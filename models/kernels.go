//go:build !amd64

package models

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Tables have the same bytes on all processors: sums are added in the order of amd64.
func init() { blas64.Use(elementary.BLAS{}) }
