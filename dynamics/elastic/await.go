package elastic

import "context"

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
		value, err := f()
		ready <- answer{value, err}
	}()
	select {
	case a := <-ready:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
