package facts

import "sync/atomic"

// Spare is the stepper with which a case was tried when it was built, for whoever needs one
// first. Safe for concurrent use; nil has none.
type Spare[T any] struct{ kept atomic.Pointer[T] }

// NewSpare keeps x.
func NewSpare[T any](x *T) *Spare[T] {
	s := new(Spare[T])
	s.kept.Store(x)
	return s
}

// Take returns what is kept, once, and then what build makes.
func (s *Spare[T]) Take(build func() (*T, error)) (*T, error) {
	if s != nil {
		if x := s.kept.Swap(nil); x != nil {
			return x, nil
		}
	}
	return build()
}
