package bodyview

import (
	"context"
	"io"
)

// beside holds back the first row of a table beside the positions whose position has not been read.
type beside[R any] struct{ late *R }

// upTo takes rows, of times by at, until one is later than t or there is none yet, or the context is done.
func (b *beside[R]) upTo(ctx context.Context, t float64, next func(*R) error, at func(*R) float64, take func(*R)) error {
	for ctx.Err() == nil {
		if b.late == nil {
			row := new(R)
			if err := next(row); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			b.late = row
		}
		if at(b.late) > t {
			return nil // its position comes later
		}
		take(b.late)
		b.late = nil
	}
	return ctx.Err()
}
