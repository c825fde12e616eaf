package studies

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/answer"
	"github.com/quasistatic/quasistatic/assembly/files"
	"github.com/quasistatic/quasistatic/internal/nearest"
	"github.com/quasistatic/quasistatic/study"
)

// isAssembly reports whether a text is an assembly of blocks in the format of `stands`, and no case.
func isAssembly(text []byte) bool {
	var top map[string]json.RawMessage
	return json.Unmarshal(text, &top) == nil && top["model"] == nil && (top["blocks"] != nil || top["generate"] != nil)
}

// observable are the margins that a study of assemblies may observe.
var observable = []string{"least friction", "least tilt", "load factor"}

// readAssembly reads one, with the names of what is observed of it.
func readAssembly(file string, text []byte, observe []json.RawMessage) (*assembly.Assembly, error) {
	for k, raw := range observe {
		var name string
		if json.Unmarshal(raw, &name) != nil || !slices.Contains(observable, name) {
			return nil, fmt.Errorf("$.observe[%d]: of an assembly are observed %s%s", k, strings.Join(observable, ", "),
				nearest.Hint(name, observable))
		}
	}
	a, err := files.Decode(text, filepath.Dir(file))
	if err == nil {
		err = a.Prepare(assembly.Finding{})
	}
	return a, err
}

// assemblyOutcome asks whether an assembly stands. What is wrong with it, also that its blocks do not fit together, is an outcome.
func assemblyOutcome(ctx context.Context, j *study.Job) (*study.Outcome, error) {
	if j.Level != nil {
		return &study.Outcome{Verdict: study.Refused, Message: "an assembly has no steps that converge"}, nil
	}
	a, err := readAssembly(j.Base, j.Text, j.Observe)
	if err != nil {
		return &study.Outcome{Verdict: study.Refused, Message: err.Error()}, nil
	}
	q := answer.Question{Limit: 10 * time.Second, // the default of stands
		Margins: len(j.Observe) > 0}
	out, err := q.Ask(ctx, a)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return &study.Outcome{Verdict: study.Failed, Message: err.Error()}, nil
	}
	o := &study.Outcome{Verdict: study.Verdict(out.Verdict), Met: true}
	if out.Verdict == assembly.Open {
		o.Message = out.Reason
	}
	for _, raw := range j.Observe {
		var name string
		_ = json.Unmarshal(raw, &name) // readAssembly did
		o.Observed = append(o.Observed, nil)
		if m, ok := out.Margins[name]; ok && !math.IsInf(float64(m.Upper), 0) { // unbounded: no number
			upper := float64(m.Upper)
			o.Observed[len(o.Observed)-1] = &upper
		}
	}
	if j.Keep == study.KeepSummary {
		out.Seconds = 0 // of this machine, and now
		o.Files, err = json.Marshal(out)
	}
	return o, err
}
