package energetic

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/particles"
)

// cutStart is where a cut potential begins to fade, over its cutoff.
const cutStart = 0.8

// pairPotential decodes Lennard-Jones and Morse potentials between listed pairs
// or all pairs of some particles.
func (b *builder) pairPotential(p casefile.Path, raw json.RawMessage) {
	var d struct {
		Between   *pairs   `json:"between"`
		Particles []string `json:"particles"`
		Law       string   `json:"law"`
		Depth     float64  `json:"depth"`
		Distance  float64  `json:"distance"`
		Decay     *float64 `json:"decay"`
		Cutoff    *float64 `json:"cutoff"`
	}
	if !b.Decode(p, raw, &d) {
		return
	}
	var law particles.Law = particles.LennardJones{Depth: d.Depth, Distance: d.Distance}
	switch {
	case d.Law == "morse" && d.Decay == nil:
		b.Add(p, "the key \"decay\" is missing, which the law \"morse\" needs")
		return
	case d.Law != "morse" && d.Decay != nil:
		b.Add(p.With("decay"), "decay has no effect on the law \"lennard-jones\", want \"law\": \"morse\"")
		return
	case d.Law == "morse":
		law = particles.Morse{Depth: d.Depth, Distance: d.Distance, Decay: *d.Decay}
	}
	if d.Cutoff != nil {
		law = particles.Cut{Law: law, From: cutStart * *d.Cutoff, To: *d.Cutoff}
	}
	if (d.Between == nil) == (len(d.Particles) == 0) {
		b.Add(p, "want either \"between\", a list of pairs, or \"particles\", of which all pairs count")
		return
	}
	if d.Between != nil {
		d.Between.each(b, p, func(at casefile.Path, e ends) {
			b.addPair(at, particles.Spring{I: e.i, J: e.j, Anchor: e.anchor, Law: law})
		})
		return
	}
	var who []int
	for i, id := range d.Particles {
		if j, ok := b.lookup(p.With("particles", i), id); ok {
			who = append(who, j)
		}
	}
	for _, s := range particles.AllPairs(who, law) {
		if !b.addPair(p.With("particles"), s) {
			return
		}
	}
}

func (b *builder) addPair(p casefile.Path, s particles.Spring) bool {
	_, err := particles.NewSprings(s)
	if b.Accept(p, err) {
		b.terms.springs = append(b.terms.springs, s)
	}
	return err == nil
}
