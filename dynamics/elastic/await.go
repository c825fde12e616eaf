package elastic

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/internal/relay"
)

// await waits for f, or for the end of the context: then what f still computes, a
// factorisation that looks at no context, goes on to its end and is dropped. f must not
// write to anything that is used afterwards.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	if ctx.Done() == nil {
		return f()
	}
	ready := make(chan answer, 1)
	go func() {
		var a answer
		defer func() { ready <- a }()
		defer relay.Catch(&a.err)
		a.value, a.err = f()
	}()
	select {
	case a := <-ready:
		if p, ok := errors.AsType[*relay.Panic](a.err); ok {
			panic(p)
		}
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
