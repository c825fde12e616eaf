// Package models lists the models of the program: the only place that names them all.
//
// A model is one folder below model/ and one line here. [Find] returns it by the key
// "model" of a case; [Grammar] is the case format that their schemas make up. [OpenCase] opens
// a case of any model, [Open] the folder of a run, [Show] that with what draws it.
//
// # Limits
//
// The list is that of the program: models of other modules need a command of their own.
package models

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/model/halfspace"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// List has all models.
var List = []*run.Model{&energetic.Model, &patch.Compliant, &patch.Theta, &rigid.Model, &elastic.Model, &halfspace.Model}

// Names are those of all models.
func Names() (list []string) {
	for _, m := range List {
		list = append(list, m.Name)
	}
	return list
}

// Titles lists them with what they are, a line each.
func Titles() string {
	var s strings.Builder
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	for _, m := range List {
		fmt.Fprintf(w, "   %s\t%s\n", m.Name, m.Title)
	}
	_ = w.Flush() // into memory
	return s.String()
}

// composed is the grammar of the list as it was when it was asked for last.
var composed struct {
	sync.Mutex
	grammar *casefile.Grammar
	models  int
}

// Grammar is the format of their cases.
func Grammar() *casefile.Grammar {
	composed.Lock()
	defer composed.Unlock()
	if composed.grammar == nil || composed.models != len(List) {
		composed.grammar, composed.models = run.Grammar(List), len(List)
	}
	return composed.grammar
}

// Find returns the model of a case.
func Find(c *casefile.Case) *run.Model {
	i := slices.IndexFunc(List, func(m *run.Model) bool { return m.Name == c.Model })
	if i < 0 {
		panic(fmt.Sprintf("models: Find: no model %q: the case is of another grammar", c.Model))
	}
	return List[i]
}

// Build makes a case ready to run, see [run.Build].
func Build(ctx context.Context, c *casefile.Case) (run.Case, error) {
	return run.Build(ctx, c, Find(c))
}
