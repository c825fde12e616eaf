package run

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// Story keeps what a run says in plain words: what touches, sticks, slides and leaves, and from
// when on all is at rest. It is part of a checkpoint; its size is bounded, whatever happens.
type Story struct {
	Events int      // changes of contact
	First  []string // of them, as they are printed
	Parts  []*Actor // in the order in which they changed first
	Untold int      // changes of what came after mostActors or mostPoints

	Peak, Size float64 // of the kinetic and of all energies so far [J]
	Still      float64 // from when on nothing moves [s]; negative: something does
	Moved      float64 // the last time at which something moved [s]
	Hit        bool    // something has hit, though it may be at rest at all nodes
	Bounces    bounces // of what has hit last
}

// Actor is what sticks and slides: a particle, a pair of bodies, or all nodes of a mesh.
type Actor struct {
	Name    string
	Points  map[string]conduct // of its points of contact
	Changes []Change           // the first ones
	Last    Change             // of all
	Before  Change             // the one before it
	Count   int
}

// Change is a change of what an actor does.
type Change struct {
	T      float64 // [s]
	To     conduct
	Within float64 // by what that may be off [s]; +Inf: nobody knows
}

// conduct is what a contact does, or all contacts of an actor.
type conduct uint8

const (
	apart conduct = iota
	sticks
	slides
	partly  // some of its contacts stick, others slide
	touches // without friction
	hits    // at a time
	rolls   // sticks, and turns on a round surface
	tips    // sticks, and turns about an edge or a corner
	elastic // of a body that may yield
	yields
)

func (c conduct) String() string {
	return [...]string{"is free", "sticks", "slides", "slides in part", "touches", "hits", "rolls", "tips", "is elastic", "yields"}[c]
}

// holds reports whether nothing slides.
func (c conduct) holds() bool { return c == sticks || c == rolls || c == tips }

// since stands before the time from which it does so.
func (c conduct) since() string {
	if c == hits {
		return "at"
	}
	return "from"
}

// conductOf is that of a word of the events; known: it is one of a contact. A contact that is closed
// and bears no force, which grazes, goes on with what it did until it does something else.
var conductOf = map[string]conduct{"open": apart, "free": apart, "active": apart, "apart": apart, "stick": sticks,
	"slip": slides, "slide": slides, "partial": partly, table.TouchWord: touches, "collision": hits, "roll": rolls, "tip": tips,
	"elastic": elastic, "yield": yields}

// Bounds of a story: what is printed is far less.
const (
	listed     = 8      // changes of contact in the list of events
	mostActors = 64     // that are kept
	mostPoints = 10_000 // contacts of all actors
	mostKept   = 3      // changes of an actor
)

// record takes a change of contact. All points of a part that has no names of its own, as the nodes
// of a mesh, are one actor.
func (s *Story) record(e *Event, subject string) {
	from, to := e.word(e.From), e.word(e.To)
	if e.Aside {
	} else if s.Events++; len(s.First) < listed {
		s.First = append(s.First, fmt.Sprintf("t=%.6g %s%s: %s → %s", e.T, subject, e.Name, from, to))
	}
	after, known := conductOf[to]
	before, was := conductOf[from]
	if !known {
		return
	}
	a := s.actor(subject, e.Name)
	if a == nil {
		s.Untold++
		return
	}
	if after == hits {
		s.Bounces.add(e)
		a.change(Change{e.T, hits, e.Within})
		return
	}
	if len(a.Points) == 0 && was && before != apart { // it began so
		a.change(Change{To: before})
	}
	a.Points[e.Name] = after
	a.change(Change{e.T, a.conduct(), e.Within})
}

// hit says that something hits, which then does not rest.
func (s *Story) hit() { s.Hit, s.Still = true, -1 }

// state takes what a contact does at a time, which may be what it did before.
func (s *Story) state(t float64, subject, name, state string) {
	to, known := conductOf[state]
	a := s.actor(subject, name)
	if !known || a == nil {
		return
	}
	a.Points[name] = to
	a.change(Change{T: t, To: a.conduct()})
}

// actor returns that of a contact; nil: there are too many.
func (s *Story) actor(subject, name string) *Actor {
	name = pairOf(name)
	if subject != "" {
		name = "the contact"
	}
	points := 0
	for _, a := range s.Parts {
		if a.Name == name {
			return a
		}
		points += len(a.Points)
	}
	if len(s.Parts) >= mostActors || points >= mostPoints {
		return nil
	}
	a := &Actor{Name: name, Points: map[string]conduct{}}
	s.Parts = append(s.Parts, a)
	return a
}

// pairOf is the pair of a point of contact "a/b.3": "a/b".
func pairOf(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || !strings.Contains(name, "/") || strings.Trim(name[dot+1:], "0123456789") != "" {
		return name
	}
	return name[:dot]
}

// conduct is what all points of an actor do together.
func (a *Actor) conduct() conduct {
	all := apart
	for _, name := range slices.Sorted(maps.Keys(a.Points)) {
		switch c := a.Points[name]; {
		case c == apart || c == all:
		case all == apart:
			all = c
		case all.holds() && c.holds():
			all = max(all, c)
		default:
			all = partly
		}
	}
	return all
}

// change keeps a change. Of several at one time, as far as that is known, the last counts, as of two
// feet that stop sliding.
func (a *Actor) change(c Change) {
	if a.Count > 0 && c.To != hits && a.Last.To != hits && c.together(&a.Last) {
		c.Within = max(c.Within, c.T-a.Last.T+a.Last.Within)
		a.Count--
		a.Changes, a.Last = a.Changes[:min(len(a.Changes), a.Count)], a.Before
	}
	if a.Count == 0 && c.To == apart || a.Count > 0 && c.To == a.Last.To && c.To != hits {
		return
	}
	a.Before, a.Last = a.Last, c
	if a.Count++; len(a.Changes) < mostKept {
		a.Changes = append(a.Changes, c)
	}
}

// line says what the actor did in so many columns: as many of its changes as there is room for.
func (a *Actor) line(width int) string {
	name := strings.Replace(a.Name, "/", " on ", 1)
	if a.Count == 1 && a.Last.T == 0 {
		return fmt.Sprintf("%s %s from the start to the end", name, a.Last.To)
	}
	text := ""
	for shown := len(a.Changes); shown > 0; shown-- {
		if text = a.told(name, shown); len([]rune(text)) <= width {
			break
		}
	}
	return text
}

// told says the first changes of an actor, and what it does in the end.
func (a *Actor) told(name string, shown int) string {
	var parts []string
	before, after := "t = ", " s"
	for _, c := range a.Changes[:shown] {
		switch {
		case c.T == 0 && c.To == elastic && shown > 1:
			continue // what yields was elastic
		case c.T == 0:
			parts = append(parts, c.To.String()+" at first")
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s %s%s%s", c.To, c.To.since(), before, c.when(), after))
		before, after = "", ""
	}
	text := name + " " + strings.Join(parts, ", ")
	switch left := a.Count - shown; {
	case left == 1:
		return fmt.Sprintf("%s, %s %s %s", text, a.Last.To, a.Last.To.since(), a.Last.when())
	case left > 1:
		return fmt.Sprintf("%s; %d more changes, %s %s %s", text, left, a.Last.To, a.Last.To.since(), a.Last.when())
	}
	return text
}

// together reports whether which of two changes came first is not known.
func (c Change) together(before *Change) bool {
	within := max(c.Within, before.Within)
	return c.T == before.T || math.Abs(c.T-before.T) <= within && !math.IsInf(within, 1)
}

// when is the time of a change, with what it may be off by.
func (c Change) when() string {
	switch {
	case c.Within <= 5e-4*c.T: // of the digits that are printed
		return fmt.Sprintf("%.4g", c.T)
	case math.IsInf(c.Within, 1):
		return fmt.Sprintf("about %.3g", c.T)
	}
	digits := max(0, -int(math.Floor(math.Log10(c.Within)))) // one of it, which is rounded up
	unit := math.Pow(10, -float64(digits))
	middle := math.Round(c.T/unit) * unit
	within := math.Ceil((c.Within+math.Abs(c.T-middle))/unit-1e-9) * unit
	return fmt.Sprintf("%.*f ± %.*f", digits, middle, digits, within)
}

// restShare is the part of its largest kinetic energy below which a system rests: its speeds are
// 1e-6 of the largest. noiseShare is that of all energies which is rounding, squared as speeds are.
const (
	restShare  = 1e-12
	noiseShare = 1e-24
)

// move takes the kinetic energy at a time, and the size of all energies.
func (s *Story) move(t, kinetic, size float64) {
	s.Peak, s.Size = max(s.Peak, kinetic), max(s.Size, size)
	if kinetic > restShare*s.Peak && kinetic > noiseShare*s.Size {
		s.Still, s.Moved = -1, t
	} else if s.Still < 0 || t == 0 {
		s.Still = t
	}
}

// rest says from when on nothing moves; "": something does at the end.
func (s *Story) rest() string {
	switch {
	case s.Peak <= noiseShare*s.Size && !s.Hit:
		return "nothing moves: all is at rest from the start to the end"
	case s.Still < 0:
		return ""
	case s.Still == 0:
		return "all is at rest from the start"
	}
	if end, ok := s.Bounces.end(); ok && s.Moved <= end.T {
		return fmt.Sprintf("all comes to rest at t = %s s", end.when())
	}
	return fmt.Sprintf("all is at rest by t = %.4g s", s.Still)
}

// lines tells the story: what the model knows beside, the rest, and so many lines in all.
func (s *Story) lines(own []string, most, width int) []string {
	actors := slices.DeleteFunc(slices.Clone(s.Parts), func(a *Actor) bool { return a.Count == 0 })
	// What slides is what a case with friction is about.
	slices.SortStableFunc(actors, func(a, b *Actor) int { return cmp.Compare(b.rank(), a.rank()) })
	room := max(1, most-len(own))
	var list []string
	for i, a := range actors {
		if i == room-1 && len(actors) > room {
			others := len(actors) - i
			text := fmt.Sprintf("and %d more that touch, stick or slide", others)
			if s.Untold > 0 {
				text = "and others that touch, stick or slide: " + Count(s.Events, "change") + " in all"
			}
			list = append(list, text)
			break
		}
		list = append(list, a.line(width))
	}
	if list = append(list, own...); len(list) == 0 {
		list = append(list, "no contact bears a force")
	}
	return list[:min(len(list), most)]
}

// rank is how much an actor has to tell.
func (a *Actor) rank() int {
	if a.Count > 1 {
		return 2
	}
	if slices.ContainsFunc(a.Changes, func(c Change) bool { return c.To == slides || c.To == partly }) {
		return 1
	}
	return 0
}
