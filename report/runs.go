package report

import "image/color"

// Runs are runs of a study, of which the page draws any slice: what varies is along the axes of its
// plots, or a slider. All lists of runs have one length.
type Runs struct {
	Inputs   []Input        `json:"inputs"`
	Outputs  []Output       `json:"outputs"`
	Words    []Word         `json:"words"`    // verdicts
	Word     []int          `json:"word"`     // of each run, its place in Words
	Number   []int          `json:"number"`   // of each run; −1: of a bisection
	Messages map[int]string `json:"messages"` // by the place of the run
	Links    []string       `json:"links"`    // to what is kept of each run; nil: of none
	Brackets []Bracket      `json:"brackets"`
	Base     string         `json:"base"` // file of the case that the runs change; "": no command makes one
	// Always is what all runs change, beside what varies: a list of PATH=VALUE.
	Always []string `json:"always,omitempty"`
	// Open is the address that answers a POST of the changes of a run, a list of PATH=VALUE, with its page, and
	// Playground the address of a playground with the case that the runs change; "": there is none.
	Open       string `json:"open,omitempty"`
	Playground string `json:"playground,omitempty"`
}

// Input is what varies: an axis of points, or a number that each run has of its own.
type Input struct {
	Name   string     `json:"name"`
	Points []string   `json:"points,omitempty"` // as they are written; nil: each run has its own number
	Own    int        `json:"own,omitempty"`    // points of the study; those behind are of a bisection
	Values []float64  `json:"values,omitempty"` // of the points; nil: they are no numbers
	Set    [][]string `json:"set,omitempty"`    // what makes each point, PATH=VALUE
	Free   bool       `json:"free,omitempty"`   // words that are sampled: no axis of the study
	At     []float64  `json:"at"`               // of each run, the place of its point, or its number
}

// Output is a quantity that was observed.
type Output struct {
	Name   string     `json:"name"`
	Values []*float64 `json:"values"` // nil: the run has none
}

// Word is a verdict as its marks show it.
type Word struct {
	Name  string `json:"name"`
	Color string `json:"color"` // name of the page
	Glyph Glyph  `json:"glyph"`
}

// NewWord is a verdict in a colour of the palette.
func NewWord(name string, c color.Color, g Glyph) Word { return Word{Plain(name), inkName(c), g} }

// Bracket is a boundary between runs of different verdicts, along one input.
type Bracket struct {
	Input  int      `json:"input"`
	Low    float64  `json:"low"`
	High   float64  `json:"high"`
	Others []string `json:"others"` // point of each other input; empty: of the input itself
}

// plainRuns are runs whose texts are safe to print.
func plainRuns(r *Runs) *Runs {
	if r == nil {
		return nil
	}
	q := *r
	q.Inputs, q.Outputs, q.Brackets, q.Messages = nil, []Output{}, nil, map[int]string{}
	for _, v := range r.Inputs {
		v.Name, v.Points = Plain(v.Name), plainAll(v.Points)
		q.Inputs = append(q.Inputs, v)
	}
	for _, o := range r.Outputs {
		o.Name = Plain(o.Name)
		q.Outputs = append(q.Outputs, o)
	}
	for _, b := range r.Brackets {
		b.Low, b.High, b.Others = bounded(b.Low), bounded(b.High), plainAll(b.Others)
		q.Brackets = append(q.Brackets, b)
	}
	for i, text := range r.Messages {
		q.Messages[i] = Plain(text)
	}
	return &q
}
