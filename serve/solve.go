package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/problemfile"
)

// solved is what the head of an answer says of one problem; its vectors are arrays.
type solved struct {
	Kind    string `json:"kind"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Solver  string `json:"solver"`
	Edges   []int  `json:"edges,omitempty"` // contacts whose derivatives are those of one side
}

// solve solves problems of any form, in files or as objects.
func (s *Server) solve(ctx context.Context, q *request) (any, []Array, error) {
	var args struct {
		solveOptions
		Problems    []json.RawMessage `json:"problems"` // each a file, or an object as of [problemfile.WriteJSON]
		Dir         string            `json:"dir"`      // that the files are in
		Derivatives bool              `json:"derivatives"`
	}
	if err := decode(q.Args, &args); err != nil {
		return nil, nil, err
	}
	answers, arrays := make([]solved, len(args.Problems)), []Array{}
	for i, text := range args.Problems {
		p, err := problemOf(text, args.Dir)
		if err != nil {
			return nil, nil, wrong("problem %d: %v", i, err)
		}
		x, err := p.SolveWith(ctx, args.options(s.Memory))
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case x == nil:
			return nil, nil, wrong("problem %d: %v", i, err)
		}
		answers[i] = solved{Kind: p.Kind.String(), Status: x.Status.String(), Message: textOf(err), Solver: x.Solver}
		vectors := []Array{floats("r", x.R, len(x.R)), floats("u", x.U, len(x.U)), floats("v", x.V, len(x.V)),
			floats("lambda", x.Lambda, len(x.Lambda)), floats("residual", []float64{x.Merit})}
		if args.Derivatives {
			more, edges, err := differentiated(p, x)
			if err != nil {
				return nil, nil, wrong("problem %d: %v", i, err)
			}
			vectors, answers[i].Edges = append(vectors, more...), edges
		}
		for _, a := range vectors {
			a.Name = fmt.Sprintf("%d.%s", i, a.Name)
			arrays = append(arrays, a)
		}
	}
	return answers, arrays, nil
}

// problemOf reads a problem from the file that a text names, or from an object.
func problemOf(text []byte, dir string) (*problemfile.Problem, error) {
	var name string
	if json.Unmarshal(text, &name) != nil {
		return problemfile.Read(bytes.TrimSpace(text))
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return problemfile.ReadFile(name)
}

// differentiated are the derivatives of the solution of a contact problem, and where they are of one side.
func differentiated(p *problemfile.Problem, x *problemfile.Solution) ([]Array, []int, error) {
	local := p.Local
	switch p.Kind {
	case problemfile.GlobalKind:
		reduced, err := p.Global.Local()
		if err != nil {
			return nil, nil, err
		}
		local = reduced.Local
	case problemfile.LocalKind:
	default:
		return nil, nil, fmt.Errorf("derivatives are those of contact problems, not of kind %v", p.Kind)
	}
	var d derivative
	if err := d.add(local, x.R, x.Status == contact.Converged); err != nil {
		return nil, nil, err
	}
	list := d.arrays(1, len(local.Q), len(local.Laws))
	for i := range list {
		list[i].Shape = list[i].Shape[1:]
	}
	return list, d.edges[0], nil
}
