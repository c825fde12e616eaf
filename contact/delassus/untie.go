package delassus

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/form"
)

// newFreed notes where w and q of p, reduced, come from; nil if that is of no use.
func newFreed(ctx context.Context, p *form.Global, local *form.Local) (*form.Freed, error) {
	full := float64(local.W.Contacts())
	if local.W.Contacts() < form.UntieFrom || p.H.Dim > 3 {
		return nil, nil
	}
	q, ok := WithJoints(p)
	if !ok {
		return nil, nil
	}
	d, err := Reduce(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("joints as contacts: %w", err)
	}
	if w, ok := d.Local.W.(*form.Blocks); !ok || float64(len(w.Col)) > form.UntieShare*full*full {
		return nil, nil
	}
	return &form.Freed{W: local.W, Q: append([]float64(nil), local.Q...), Free: d.Local, Stamp: form.StampOf(local.W.(*form.Blocks).Val)}, nil
}
