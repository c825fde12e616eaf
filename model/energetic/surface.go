package energetic

import (
	"encoding/json"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// surface decodes the energy of elastic half-spaces under a grid of patches.
func (b *builder) surface(p casefile.Path, raw json.RawMessage) {
	var d struct {
		Particles []string        `json:"particles"`
		Grid      [2]float64      `json:"grid"`
		Cell      [2]float64      `json:"cell"`
		Young     float64         `json:"young"`
		Poisson   float64         `json:"poisson"`
		On        json.RawMessage `json:"on"`
		Influence string          `json:"influence"`
		Motion    json.RawMessage `json:"motion"`
		Mesh      string          `json:"mesh"`
	}
	if !b.Decode(p, raw, &d) {
		return
	}
	g := particles.Grid{NX: int(d.Grid[0]), NY: int(d.Grid[1]), DX: d.Cell[0], DY: d.Cell[1]}
	if g.NX*g.NY != len(d.Particles) || g.NX < 1 {
		b.Add(p.With("particles"), "found %d particles, want %d, one for each cell of the grid, rows along x first",
			len(d.Particles), g.NX*g.NY)
		return
	}
	for i, id := range d.Particles {
		if j, ok := b.lookup(p.With("particles", i), id); ok {
			g.Particles = append(g.Particles, j)
		}
	}
	compliance, ok := b.compliance(p, particles.Elastic{Young: d.Young, Poisson: d.Poisson}, d.On)
	var motion signal.Vector
	if d.Motion != nil {
		motion = b.Vector(p.With("motion"), d.Motion, 3)
		ok = ok && motion != nil
	}
	if !ok || len(g.Particles) != len(d.Particles) || !b.onGrid(p, &g, d.Particles) {
		return
	}
	kind := particles.UniformPatches
	if d.Influence == "points" {
		kind = particles.PointLoads
	}
	var ref []float64
	for _, j := range g.Particles {
		ref = append(ref, b.at[3*j:3*j+3]...)
	}
	e, err := particles.NewSurface(g, ref, motion, compliance, kind)
	if err != nil {
		b.Add(p, "%v", err)
		return
	}
	b.terms.surfaces = append(b.terms.surfaces, e)
	b.surfacesGiven = append(b.surfacesGiven, d.Mesh == refinement.Given)
}

// compliance decodes what the body lies on: "rigid", "similar" or a material.
func (b *builder) compliance(p casefile.Path, body particles.Elastic, raw json.RawMessage) (particles.Compliance, bool) {
	on := p.With("on")
	if raw != nil && raw[0] == '{' {
		var d struct {
			Young   float64 `json:"young"`
			Poisson float64 `json:"poisson"`
		}
		if !b.Decode(on, raw, &d) {
			return particles.Compliance{}, false
		}
		c, err := particles.ElasticPair(body, particles.Elastic{Young: d.Young, Poisson: d.Poisson})
		return c, b.Accept(on, err)
	}
	word := "rigid"
	if raw != nil && !b.Decode(on, raw, &word) {
		return particles.Compliance{}, false
	}
	if word == "similar" {
		c, err := particles.ElasticPair(body, body)
		return c, b.Accept(p, err)
	}
	c, err := particles.ElasticOnRigid(body)
	return c, b.Accept(p, err)
}

// gridSlack is how far particles may be from the centres of their cells, in cells.
const gridSlack = 1e-6

// onGrid checks that the particles are at the centres of the cells, over a floor.
func (b *builder) onGrid(p casefile.Path, g *particles.Grid, ids []string) bool {
	first := g.Particles[0]
	for i, j := range g.Particles {
		x := b.at[3*first] + float64(i%g.NX)*g.DX
		y := b.at[3*first+1] + float64(i/g.NX)*g.DY
		if math.Abs(b.at[3*j]-x) > gridSlack*g.DX || math.Abs(b.at[3*j+1]-y) > gridSlack*g.DY {
			b.Add(p.With("particles", i), "the particle %q is at (%g, %g), want it at (%g, %g), the centre of its cell",
				ids[i], b.at[3*j], b.at[3*j+1], x, y)
			return false
		}
		if f := &b.frames[j]; f.N != [3]float64{0, 0, 1} {
			b.Add(p.With("particles", i), "the particle %q lies on an obstacle with the normal %v, want a floor, normal [0, 0, 1]",
				ids[i], f.N)
			return false
		}
	}
	return true
}
