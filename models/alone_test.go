package models_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// TestAlone: the schema of each model is whole without the others, so that its tests may run it
// alone: a key that nobody knows, for which all definitions are searched, is an error.
func TestAlone(t *testing.T) {
	for i, m := range models.List {
		group := []*run.Model{m}
		if len(m.Schema) == 0 { // the one before has it
			group = models.List[i-1 : i+1]
		}
		if _, err := run.Grammar(group).Decode("case.json",
			fmt.Appendf(nil, `{"model": %q, "nobodyKnows": {"map": 1}}`, m.Name)); err == nil {
			t.Errorf("%s takes a key that nobody knows", m.Name)
		}
	}
}
