package answer

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/drawing"
	"github.com/quasistatic/quasistatic/assembly/files"
	"github.com/quasistatic/quasistatic/internal/crew"
)

// Path is what happens while supports, gravity or the live loads are moved slowly.
type Path struct {
	Moves     []string `json:"moves"` // supports with their axes; "gravity" or "loads"
	Unit      string   `json:"unit"`  // of distances: m or degrees
	Steps     []State  `json:"steps"`
	Events    []Event  `json:"events"`
	Collapsed bool     `json:"collapsed"`        // supports: at the last of the steps; else: beyond the peak less is held
	Within    float64  `json:"within,omitempty"` // supports: by how much later it may collapse
	Margin    *float64 `json:"margin,omitempty"` // up to which forces balance at all factors, or tilts, without a motion
	Peak      *float64 `json:"peak,omitempty"`   // the largest factor, or tilt in degrees, that was held
	Holds     bool     `json:"holds,omitempty"`  // the factor or tilt that was asked for
	To        float64  `json:"to"`               // what was asked for
	Ends      string   `json:"ends,omitempty"`   // why it ends at the last of the steps else
	Error     *Error   `json:"error,omitempty"`
	Between   *Between `json:"between,omitempty"`
	states    []assembly.Step
}

// Between bounds what is between the states, see assembly.Between.
type Between struct {
	Unbalanced float64 `json:"unbalanced"` // in parts of the loads
	Open       float64 `json:"open"`       // m
	Unbounded  int     `json:"unbounded"`  // steps of which nothing is said
	Steps      int     `json:"steps"`      // of the path, which has more than are told
}

// Error is twice the difference of a path of steps half as large: an estimate, sampled at the states of both.
type Error struct {
	Forces []float64 `json:"forces"` // N or N m on each support along its axis
	Level  float64   `json:"level"`  // factor, or degrees
	Peak   float64   `json:"peak"`   // of the largest level
	End    float64   `json:"end"`    // m or degrees: of where it collapses, or ends else
	Alike  bool      `json:"alike"`  // both end for the same reason
	Events int       `json:"events"` // that only one of them has
}

// State is one in balance on the way.
type State struct {
	Distance float64     `json:"distance"`        // that supports have moved, or the displacement of loads and weights along them [m]
	Level    *float64    `json:"level,omitempty"` // factor of the live loads, tilt in degrees
	Forces   []float64   `json:"forces"`          // N or N m on each support along its axis
	Turn     [][2]string `json:"turn"`            // blocks of joints that carry and turn
	Slide    [][2]string `json:"slide"`
	Gap      float64     `json:"gap"`  // m: largest distance of corners that carry
	Lift     float64     `json:"lift"` // m: of corners that slide
}

// Event is what begins or ends at a joint between two distances.
type Event struct {
	From     float64    `json:"from"`
	Distance float64    `json:"distance"`
	Level    *float64   `json:"level,omitempty"`
	What     string     `json:"what"`
	Blocks   [2]string  `json:"blocks"`
	Point    [3]float64 `json:"point"` // m
}

func (q *Question) path(ctx context.Context, a *assembly.Assembly, out *Answer) error {
	d, err := drive(a, q.Moves)
	if err != nil {
		return err
	}
	options := []*assembly.PathOptions{nil}
	if q.Halved {
		options = append(options, options[0].Halved())
	}
	paths := make([]*assembly.Path, len(options))
	err = crew.Each(ctx, runtime.GOMAXPROCS(0), crew.Down(len(options)), func(ctx context.Context, k int) (*assembly.Path, error) {
		return assembly.Follow(ctx, a, &d.Drive, options[k])
	}, func(k int, p *assembly.Path) error {
		paths[k] = p
		return nil
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("move %s: %v", strings.Join(q.Moves, ", "), err))
		return nil
	}
	out.Path = d.path(a, paths[0])
	if q.Halved {
		s := paths[0].Spread(paths[1])
		scale := 1.
		if !d.Loads && len(d.Supports) == 0 {
			scale = degrees
		}
		for k := range s.Forces {
			s.Forces[k] /= math.Abs(d.rates[k])
		}
		out.Path.Error = &Error{s.Forces, scale * s.Level, scale * s.Peak, math.Abs(d.scale) * s.End, s.Alike, s.Events}
	}
	return nil
}

// path is an answer in the units of the question.
func (d *driven) path(a *assembly.Assembly, p *assembly.Path) *Path {
	o := &Path{Moves: d.labels, Unit: d.unit, Collapsed: p.Collapsed, Ends: p.Ends, Holds: p.Holds, To: d.To * d.scale,
		Steps: []State{}, Events: []Event{}, states: p.Steps}
	level := func(x float64) *float64 {
		if !d.Loads {
			x *= degrees
		}
		return &x
	}
	switch {
	case len(d.Supports) > 0:
		level = func(float64) *float64 { return nil }
		if p.Collapsed {
			o.Within = p.Least * math.Abs(d.scale)
		}
	case d.Loads:
		o.Moves = []string{"loads"}
	default:
		o.Moves, o.To = []string{"gravity"}, d.To*degrees
	}
	if len(d.Supports) == 0 {
		o.Unit = "m"
		if len(p.Steps) > 0 {
			o.Margin, o.Peak = level(p.Margin), level(p.Peak.Level)
		}
	}
	if b := Between(p.Between); b.Steps > 0 {
		o.Between = &b
	}
	name := func(j *assembly.Joint) [2]string {
		return [2]string{a.Blocks[j.Blocks[0]].Name, a.Blocks[j.Blocks[1]].Name}
	}
	names := func(joints []assembly.Joint) [][2]string {
		list := [][2]string{}
		for k := range joints {
			list = append(list, name(&joints[k]))
		}
		return list
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		state := State{d.scale * s.Distance, level(s.Level), []float64{}, names(s.Hinges), names(s.Slides), s.Gap, s.Dilation}
		for k, f := range s.Forces {
			state.Forces = append(state.Forces, f/d.rates[k])
		}
		o.Steps = append(o.Steps, state)
	}
	for k := range p.Events {
		e := &p.Events[k]
		o.Events = append(o.Events, Event{d.scale * e.From, d.scale * e.Distance, level(e.Level), string(e.What),
			name(&e.Joint), e.Joint.Point})
	}
	return o
}

func (p *Path) text() string {
	var b strings.Builder
	unit := p.levelUnit()
	switch p.Moves[0] {
	case "loads":
		b.WriteString("  live loads, by how far they move: factor that is held, joints that turn or slide\n")
	case "gravity":
		b.WriteString("  tilt, by how far the weight moves across: angle that is held, joints that turn or slide\n")
	default:
		fmt.Fprintf(&b, "  %s moved: force on it along that, joints that turn or slide\n", strings.Join(p.Moves, ", "))
	}
	if p.Margin != nil {
		fmt.Fprintf(&b, "    up to %.8g%s forces balance without a motion (all levels, as what is held is convex)\n", *p.Margin, unit)
	}
	lift := 0.
	for k := range p.Steps {
		fmt.Fprintf(&b, "    %s\n", p.line(&p.Steps[k]))
		lift = max(lift, p.Steps[k].Lift)
	}
	for k, e := range p.Events {
		if k == 24 { // a page; --json has all
			fmt.Fprintf(&b, "    and %d more events\n", len(p.Events)-k)
			break
		}
		fmt.Fprintf(&b, "    %s\n", e.text(p.Unit, unit))
	}
	b.WriteString(p.end(unit))
	b.WriteString(p.Between.text())
	if p.Error != nil {
		b.WriteString(p.Error.text(p, unit))
	}
	if lift > 1e-9 {
		fmt.Fprintf(&b, "    what slides is lifted by up to %.2g m in a step, and set down in the next\n", lift)
	}
	return b.String()
}

func (p *Path) levelUnit() string {
	if p.Moves[0] == "gravity" {
		return "°"
	}
	return ""
}

// line is a state: "0.025 m: 1943.21 N; 2-3, 6-7 turn".
func (p *Path) line(s *State) string {
	text := fmt.Sprintf("%.6g %s: ", s.Distance, p.Unit)
	if s.Level != nil {
		text += fmt.Sprintf("%.8g%s", *s.Level, p.levelUnit())
	}
	for k, f := range s.Forces {
		text += fmt.Sprintf("%s%.6g %s", [2]string{"", ", "}[min(k, 1)], f, p.forceUnit(k))
	}
	return text + interfaces("turn", s.Turn) + interfaces("slide", s.Slide)
}

func (p *Path) forceUnit(k int) string {
	if m := p.Moves[k]; len(m) > 3 && m[len(m)-3:len(m)-1] == ":r" {
		return "N m"
	}
	return "N"
}

// end is how the path ends.
func (p *Path) end(unit string) string {
	supports := p.Peak == nil && p.Moves[0] != "loads" && p.Moves[0] != "gravity"
	held := fmt.Sprintf("%.6g%s", p.To, unit)
	switch {
	case len(p.Steps) == 0 && p.Holds:
		return fmt.Sprintf("    nothing has to move: forces balance up to %s and at all below it (what is held is convex)\n", held)
	case len(p.Steps) == 0:
		return "    no step keeps a balance\n"
	}
	last := p.Steps[len(p.Steps)-1].Distance
	var text string
	switch {
	case supports && p.Collapsed:
		return fmt.Sprintf("    it collapses at %.8g %s, or %.1g later: no step beyond keeps a balance\n", last, p.Unit, p.Within)
	case p.Collapsed:
		text = fmt.Sprintf("    it collapses at %.8g%s: as it moves on, it holds less\n", *p.Peak, unit)
	}
	switch {
	case p.Holds:
		text += fmt.Sprintf("    at %.6g m it holds %s\n", last, held)
	case p.Ends != "":
		text += fmt.Sprintf("    it is not followed beyond %.6g %s: %s\n", last, p.Unit, p.Ends)
	}
	return text
}

func (b *Between) text() string {
	if b == nil {
		return ""
	}
	text := fmt.Sprintf("    of %d steps %d find corners anew that carry: what is between them is not bounded\n", b.Steps, b.Unbounded)
	switch {
	case b.Unbounded == b.Steps:
		return text
	case b.Unbounded == 0:
		text = ""
	}
	return fmt.Sprintf("    between states forces within friction leave at most %.2g of the loads unbalanced, at corners open by up to %.2g m\n",
		above(b.Unbalanced), above(b.Open)) + text
}

// above rounds up to two digits.
func above(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
}

// text is in a line or two.
func (e *Error) text(p *Path, unit string) string {
	text := "    of its steps "
	for k, f := range e.Forces {
		text += fmt.Sprintf("the force on %s is wrong by some %.1g %s, ", p.Moves[k], f, p.forceUnit(k))
	}
	if p.Peak != nil {
		text += fmt.Sprintf("levels are wrong by some %.1g%s, the largest by %.1g%s, ", e.Level, unit, e.Peak, unit)
	}
	text += fmt.Sprintf("its end by %.1g %s (twice the difference of steps half as large)\n", e.End, p.Unit)
	if !e.Alike {
		text += "    in steps half as large it ends otherwise\n"
	}
	if e.Events > 0 {
		text += fmt.Sprintf("    %d events are of one size of steps only\n", e.Events)
	}
	return text
}

func (p *Path) endLines() (lines []string) {
	for line := range strings.Lines(p.end(p.levelUnit())) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// text is one line: "2-3 opens as a hinge at 0.0512 m or up to 0.0003 before: at x 0.31, y 0, z 0.95".
func (e *Event) text(unit, levelUnit string) string {
	at := fmt.Sprintf("%.6g %s", e.Distance, unit)
	if e.Level != nil {
		at = fmt.Sprintf("%.6g%s, %s", *e.Level, levelUnit, at)
	}
	if d := math.Abs(e.Distance - e.From); d > 0 {
		at += fmt.Sprintf(" or up to %.1g before", d)
	}
	return fmt.Sprintf("%s-%s %s at %s: at x %.4g, y %.4g, z %.4g", e.Blocks[0], e.Blocks[1], e.What, at, e.Point[0],
		e.Point[1], e.Point[2])
}

// interfaces lists up to six.
func interfaces(doing string, of [][2]string) string {
	var list []string
	for _, f := range of {
		if len(list) == 6 { // a line
			list = append(list, fmt.Sprintf("%d more", len(of)-len(list)))
			break
		}
		list = append(list, f[0]+"-"+f[1])
	}
	if len(list) == 0 {
		return ""
	}
	return "; " + strings.Join(list, ", ") + " " + doing
}

// write makes the files of a path by their names: a table for .csv, a picture that moves for .svg, the states for .pvd.
func (p *Path) write(a *assembly.Assembly, name, title string) error {
	switch filepath.Ext(name) {
	case ".csv":
		return os.WriteFile(name, p.csv(), 0o666)
	case ".svg":
		var frames []drawing.Frame
		for k, s := range p.states {
			joined, reactions := s.Joined()
			frames = append(frames, drawing.Frame{Assembly: joined, Reactions: reactions, Line: p.line(&p.Steps[k])})
		}
		return os.WriteFile(name, drawing.Film(frames, title, p.endLines()...), 0o666)
	}
	stem := strings.TrimSuffix(name, ".pvd")
	var names []string
	for k := range p.states {
		file := fmt.Sprintf("%s-%03d.vtu", stem, k)
		if err := os.WriteFile(file, files.VTU(&p.states[k], a), 0o666); err != nil {
			return err
		}
		names = append(names, filepath.Base(file))
	}
	return os.WriteFile(name, files.PVD(p.states, names), 0o666)
}

// csv has a row for each state.
func (p *Path) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := []string{"distance", "level"}
	for k := range p.Steps[0].Forces {
		head = append(head, "force "+p.Moves[k])
	}
	rows := [][]string{append(head, "gap", "lift", "turn", "slide")}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	joined := func(of [][2]string) string {
		var list []string
		for _, j := range of {
			list = append(list, j[0]+"-"+j[1])
		}
		return strings.Join(list, " ")
	}
	for _, s := range p.Steps {
		row := []string{number(s.Distance), ""}
		if s.Level != nil {
			row[1] = number(*s.Level)
		}
		for _, f := range s.Forces {
			row = append(row, number(f))
		}
		rows = append(rows, append(row, number(s.Gap), number(s.Lift), joined(s.Turn), joined(s.Slide)))
	}
	if err := w.WriteAll(rows); err != nil {
		panic(err) // of a buffer
	}
	return b.Bytes()
}
