// Package answer is what `quasistatic stands` says of a file: the question with its wishes, the
// verdict with its margins, and both in words.
//
// # Limits
//
// Margins are those of the associated program, which bounds from above what Coulomb's law holds.
package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/files"
	"github.com/quasistatic/quasistatic/internal/nearest"
)

// Question is a file with wishes; the zero value of each is what the file says.
type Question struct {
	File      string
	Mu        float64  // friction of interfaces that have none of their own
	HasMu     bool     // Mu is given
	Strength  float64  // Pa: tension of interfaces that have none of their own
	Supports  []string // names of blocks
	Densities []string // NAME=DENSITY, or a DENSITY for all
	Turn      string   // x, y or z and degrees, as y90
	Gap       float64  // m, see assembly.Finding
	Area      float64  // m²
	Limit     time.Duration
	Margins   bool
	Tilt      string   // x,y,z: a direction in which to tilt
	Reactions []string // BLOCK:AXIS whose force is to be bounded
	Least     []string // keys of the file whose least value is to be found, or KEY=TO
	Largest   []string // and whose largest
	Moves     []string // BLOCK:AXIS=METRES of supports that are moved slowly, gravity:AXIS=DEGREES, or loads=FACTOR

	Halved bool     // Moves again in steps half as large, for their error
	By     []string // keys of the file by which margins have a derivative

	Reserves bool // of each interface
	Built    bool // the word of each stage of building: those of the file, or block by block
	History  bool // the states that these stages lead to, or its loads where the file has none and Built is not asked for

	limits  []*limit
	numbers []*number
}

// Answer is the verdict, in numbers for --json.
type Answer struct {
	Name       string            `json:"name"`
	Verdict    assembly.Word     `json:"verdict"`
	Reason     string            `json:"reason"`
	Blocks     int               `json:"blocks"`
	Supports   int               `json:"supports"`
	Interfaces int               `json:"interfaces"`
	Contacts   int               `json:"contacts"`
	Exact      bool              `json:"proof_exact"`             // falls: the motion is checked in exact arithmetic
	Beyond     float64           `json:"forces_beyond,omitempty"` // falls, else: forces that balance would be above this many weights
	Nodes      int               `json:"nodes,omitempty"`
	Closed     int               `json:"farkas_vectors,omitempty"`
	Margins    map[string]Margin `json:"margins,omitempty"`
	Path       *Path             `json:"path,omitempty"`
	Notes      []string          `json:"notes,omitempty"`
	Motion     [][6]float64      `json:"motion,omitempty"`    // of blocks: translation of the centroid, rotation
	Begins     [][6]float64      `json:"begins,omitempty"`    // how what falls begins to move, by Coulomb's law
	Reactions  []Reaction        `json:"reactions,omitempty"` // that balance the loads
	Reserves   []Reserve         `json:"reserves,omitempty"`
	Stages     []Stage           `json:"stages,omitempty"`
	History    *History          `json:"history,omitempty"`
	// Interrupted: it was stopped in its history; what is told is what it had by then.
	Interrupted bool    `json:"interrupted,omitempty"`
	Seconds     float64 `json:"seconds"`

	verdict *assembly.Verdict
	asked   []string // of By
	wishes  []string // of Reactions

	reserves []assembly.Reserve // of all interfaces; nil where they are not asked for
}

// Bound is a number that may be infinite, as where nothing bounds a force: null in JSON.
type Bound float64

// MarshalJSON writes null for an infinite one.
func (b Bound) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(b), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(b))
}

func (b Bound) String() string {
	if math.IsInf(float64(b), 0) {
		return "without bound"
	}
	return fmt.Sprintf("%.8g", float64(b))
}

// Margin is a number between bounds, with its unit.
type Margin struct {
	Upper Bound  `json:"upper"`
	Lower Bound  `json:"lower"`
	Unit  string `json:"unit"`
	Note  string `json:"note,omitempty"`
	// History is the load factor that one history holds, of loads that grow with joints that give a little.
	History float64 `json:"history,omitempty"`
	// By are derivatives of upper: "density NAME" [per kg/m³], "friction NAME/NAME" of an interface, "position NAME x" of a block
	// [per m], "force of load 0 on NAME x" [per N] and "point of load 0 on NAME x" [per m], and by numbers of the file that are asked for.
	By map[string]float64 `json:"by,omitempty"`
	// LowerBy are those of lower, where both are margins: of ranges.
	LowerBy map[string]float64 `json:"lower_by,omitempty"`
}

// Reaction is the force of the first on the second block at a corner of their interface.
type Reaction struct {
	Blocks [2]string  `json:"blocks"`
	Point  [3]float64 `json:"point"` // m
	Force  [3]float64 `json:"force"` // N
}

// Code is the exit code of the word: 0 stands, 1 falls or depends, 4 open (2 and 3 are faults of the
// input and of the program). What stands has that of the worst of the stages of its building, where these are asked for.
// What a history leads to has its own, and what was interrupted is open.
func (a *Answer) Code() int {
	if a.Interrupted {
		return 4
	}
	if a.History != nil {
		return a.History.code()
	}
	if code := wordCode(a.Verdict); code > 0 {
		return code
	}
	return a.stageCode()
}

func wordCode(w assembly.Word) int {
	switch w {
	case assembly.Stands:
		return 0
	case assembly.Open:
		return 4
	}
	return 1
}

// Load reads the file and applies the wishes; all its errors are of the input.
func (q *Question) Load() (*assembly.Assembly, error) {
	a, err := files.Read(q.File)
	if err != nil {
		return nil, err
	}
	if err := q.apply(a); err != nil {
		return nil, err
	}
	for k, list := range [][]string{q.Least, q.Largest} {
		for _, wish := range list {
			l, err := q.newLimit(wish, k == 1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.File, err)
			}
			q.limits = append(q.limits, l)
		}
	}
	if q.Halved && len(q.Moves) == 0 {
		return nil, fmt.Errorf("%s: halved: nothing is moved, want --move", q.File)
	}
	if len(q.By) > 0 && !q.Margins && q.Tilt == "" && len(q.Reactions) == 0 && len(q.limits) == 0 && !q.Reserves {
		return nil, fmt.Errorf("%s: by %q: of which margin? want --margins, --tilt, --reaction, --reserves, --least or --largest",
			q.File, q.By[0])
	}
	for _, key := range q.By {
		n, err := q.newNumber(key, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.File, err)
		}
		q.numbers = append(q.numbers, n)
	}
	return a, nil
}

// apply makes an assembly of a file what the wishes say.
func (q *Question) apply(a *assembly.Assembly) error {
	if q.HasMu {
		a.Friction = q.Mu
	}
	if q.Strength != 0 {
		a.Strength = q.Strength
	}
	block := func(name string) (*assembly.Block, error) {
		var names []string
		for i := range a.Blocks {
			if a.Blocks[i].Name == name {
				return &a.Blocks[i], nil
			}
			names = append(names, a.Blocks[i].Name)
		}
		return nil, fmt.Errorf("%s: there is no block %q%s", q.File, name, nearest.Hint(name, names))
	}
	for _, name := range q.Supports {
		if below, ok := strings.CutPrefix(name, "z<"); ok {
			if err := supportBelow(a, below); err != nil {
				return err
			}
			continue
		}
		b, err := block(name)
		if err != nil {
			return err
		}
		b.Support = true
	}
	for _, wish := range q.Densities {
		name, value, named := strings.Cut(wish, "=")
		if !named {
			value = name
		}
		d, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("density %q: want NAME=NUMBER or a number", wish)
		}
		if named {
			b, err := block(name)
			if err != nil {
				return err
			}
			b.Density = d
			continue
		}
		for i := range a.Blocks {
			a.Blocks[i].Density = d
		}
	}
	if err := turn(a, q.Turn); err != nil {
		return err
	}
	q.idle(a)
	if q.Tilt != "" {
		if _, err := vector(q.Tilt); err != nil {
			return err
		}
	}
	for _, wish := range q.Reactions { // of any stage
		if _, _, err := place(a, wish); err != nil {
			return fmt.Errorf("%s: reaction %w", q.File, err)
		}
	}
	if err := a.Prepare(assembly.Finding{Gap: q.Gap, Area: q.Area}); err != nil {
		return fmt.Errorf("%s: %w", q.File, err)
	}
	if _, err := drive(a, q.Moves); err != nil {
		return fmt.Errorf("%s: %w", q.File, err)
	}
	return nil
}

// idle notes wishes that change nothing.
func (q *Question) idle(a *assembly.Assembly) {
	if len(a.Interfaces) == 0 {
		return
	}
	if q.Gap > 0 || q.Area > 0 {
		a.Notes = append(a.Notes, "the file gives its interfaces: --gap and --area find none")
	}
	any := func(lacks func(f *assembly.Interface) bool) bool {
		return slices.ContainsFunc(a.Interfaces, func(f assembly.Interface) bool { return lacks(&f) })
	}
	if q.HasMu && !any(func(f *assembly.Interface) bool { return f.Friction < 0 }) {
		a.Notes = append(a.Notes, "all interfaces of the file have their own friction: --mu changes nothing")
	}
	if q.Strength != 0 && !any(func(f *assembly.Interface) bool { return f.Tension == 0 }) {
		a.Notes = append(a.Notes, "all interfaces of the file have their own tension: --strength changes nothing")
	}
}

// supportBelow makes supports of the blocks that reach below a height.
func supportBelow(a *assembly.Assembly, height string) error {
	z, err := strconv.ParseFloat(height, 64)
	if err != nil {
		return fmt.Errorf("support z<%s: want a height [m]", height)
	}
	for i := range a.Blocks {
		for _, v := range a.Blocks[i].Vertices {
			a.Blocks[i].Support = a.Blocks[i].Support || v[2] < z
		}
	}
	return nil
}

// turn turns gravity the other way: the blocks stay where they are.
func turn(a *assembly.Assembly, by string) error {
	if by == "" {
		return nil
	}
	axis := strings.Index("xyz", by[:1])
	degrees, err := strconv.ParseFloat(by[1:], 64)
	if axis < 0 || err != nil {
		return fmt.Errorf("turn %q: want an axis and degrees, as y90", by)
	}
	if a.Gravity == ([3]float64{}) {
		a.Gravity = [3]float64{0, 0, -9.81}
	}
	sin, cos := math.Sincos(-degrees * math.Pi / 180)
	i, j := (axis+1)%3, (axis+2)%3
	g := a.Gravity
	a.Gravity[i], a.Gravity[j] = cos*g[i]-sin*g[j], sin*g[i]+cos*g[j]
	return nil
}

// Ask finds the verdict, and margins where they are wished for.
func (q *Question) Ask(ctx context.Context, a *assembly.Assembly) (*Answer, error) {
	begin := time.Now()
	v, err := assembly.Judge(ctx, a, &assembly.Options{Limit: q.Limit})
	if err != nil {
		return nil, err
	}
	out := &Answer{Name: a.Name, Verdict: v.Word, Reason: v.Reason, Blocks: len(a.Blocks), Interfaces: len(a.Interfaces),
		Contacts: v.Contacts, Nodes: v.Nodes, Closed: v.Closed, Notes: a.Notes, Motion: v.Motion, Begins: v.Begins,
		verdict: v, asked: q.By, wishes: q.Reactions}
	for i := range a.Blocks {
		if a.Blocks[i].Support {
			out.Supports++
		}
	}
	if v.Fall != nil {
		out.Exact = v.Fall.Exact
		if !out.Exact {
			out.Beyond = v.Fall.Beyond
		}
	}
	if v.Word == assembly.Open && v.Nodes > 0 {
		out.Notes = append(out.Notes, "a longer --limit searches on; --margins says how far forces that balance are from falling, --move what one history does")
	}
	out.reactions(a, v)
	switch {
	case q.Built:
		if err := q.stages(ctx, a, out); err != nil {
			return nil, err
		}
	case len(a.Stages) > 0 && !q.History:
		out.Notes = append(out.Notes, fmt.Sprintf("it is what is there after the last of its %d stages: --built judges each",
			len(a.Stages)))
	}
	if q.History {
		if err := q.history(ctx, a, out); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			out.Interrupted, out.Seconds = true, time.Since(begin).Seconds()
			return out, nil
		}
	}
	if q.Margins || len(q.limits) > 0 || v.Word != assembly.Falls && (q.Tilt != "" || len(q.Reactions) > 0) {
		if err := q.margins(ctx, a, out); err != nil {
			return nil, err
		}
	}
	if q.Reserves && v.Word != assembly.Falls {
		if err := q.reserve(ctx, a, out); err != nil {
			return nil, err
		}
	}
	for _, key := range q.By {
		if !slices.ContainsFunc(slices.Collect(maps.Values(out.Margins)), func(m Margin) bool { return m.has(key) }) &&
			!slices.ContainsFunc(out.Reserves, func(r Reserve) bool { _, ok := r.By[key]; return ok }) {
			out.Notes = append(out.Notes, "no margin that was found has a derivative by "+key)
		}
	}
	loads := slices.ContainsFunc(q.Moves, func(m string) bool { return strings.HasPrefix(m, "loads=") }) // from none of them
	if len(q.Moves) > 0 && (v.Word != assembly.Falls || loads) {
		if err := q.path(ctx, a, out); err != nil {
			return nil, err
		}
	}
	if v.Word == assembly.Falls && (len(q.Moves) > 0 && !loads || q.Tilt != "" || len(q.Reactions) > 0 || q.Reserves) {
		out.Notes = append(out.Notes, "it falls as it is: --move, --tilt, --reaction and --reserves are not answered")
	}
	out.Seconds = time.Since(begin).Seconds()
	return out, nil
}

func (o *Answer) reactions(a *assembly.Assembly, v *assembly.Verdict) {
	for _, r := range v.Reactions {
		f := &a.Interfaces[r.Interface]
		o.Reactions = append(o.Reactions, Reaction{[2]string{a.Blocks[f.A].Name, a.Blocks[f.B].Name}, r.Point, r.Force})
	}
}

// Text says it in a few lines.
func (o *Answer) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s\n  %s\n", o.Name, strings.ToUpper(string(o.Verdict)), o.stagesSay(), o.Reason)
	fmt.Fprintf(&b, "  %d blocks (%d supports), %d interfaces, %d contacts; %.3g s\n", o.Blocks, o.Supports,
		o.Interfaces, o.Contacts, o.Seconds)
	switch {
	case o.Exact:
		b.WriteString("  proof: a virtual motion on which the loads work and no contact resists, checked in exact arithmetic\n")
	case o.Beyond > 0:
		fmt.Fprintf(&b, "  proof: forces that balance would be above %.3g times the weight\n", o.Beyond)
	}
	b.WriteString(o.stageText())
	b.WriteString(o.History.text(o.wishes))
	if o.Interrupted {
		b.WriteString("  INTERRUPTED: stopped by a signal; what else was asked for is not answered\n")
	}
	for _, name := range slices.SortedFunc(maps.Keys(o.Margins), byLength) {
		b.WriteString(o.Margins[name].text(name, o.asked))
	}
	b.WriteString(o.reserveText())
	if o.Path != nil {
		b.WriteString(o.Path.text())
	}
	for _, n := range o.Notes {
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	return b.String()
}
