package memory

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Part is one of the uses of memory in an [Estimate].
type Part struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// Estimate is the memory of a computation by parts that live at the same time.
type Estimate struct {
	Parts []Part `json:"parts"`
}

// Add appends a part, or adds to the part of the same name. Negative bytes count
// as none.
func (e *Estimate) Add(name string, bytes int64) {
	bytes = max(bytes, 0)
	for i := range e.Parts {
		if p := &e.Parts[i]; p.Name == name {
			p.Bytes = Sum(p.Bytes, bytes)
			return
		}
	}
	e.Parts = append(e.Parts, Part{name, bytes})
}

// Join adds the parts of another estimate.
func (e *Estimate) Join(other Estimate) {
	for _, p := range other.Parts {
		e.Add(p.Name, p.Bytes)
	}
}

// Total returns the sum of the parts.
func (e Estimate) Total() int64 {
	total := int64(0)
	for _, p := range e.Parts {
		total = Sum(total, p.Bytes)
	}
	return total
}

// String lists the parts that matter, the largest share first as they came:
// "1.2 GB (factor 800 MB, stiffness 400 MB)".
func (e Estimate) String() string {
	total := e.Total()
	var parts []string
	for _, p := range e.Parts {
		if p.Bytes >= total/100 && p.Bytes > 0 {
			parts = append(parts, p.Name+" "+Format(p.Bytes))
		}
	}
	if len(parts) < 2 {
		return Format(total)
	}
	return fmt.Sprintf("%s (%s)", Format(total), strings.Join(parts, ", "))
}

// Sum returns a + b for numbers >= 0, at most the largest int64.
func Sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Product returns the product of numbers >= 0, at most the largest int64.
func Product(factors ...int64) int64 {
	p := int64(1)
	for _, f := range factors {
		if f == 0 {
			return 0
		}
		if hi, lo := bits.Mul64(uint64(p), uint64(f)); hi != 0 || lo > math.MaxInt64 {
			p = math.MaxInt64
		} else {
			p = int64(lo)
		}
	}
	return p
}

// fromFloat returns x >= 0 as whole bytes, at most the largest int64.
func fromFloat(x float64) int64 {
	if !(x < math.MaxInt64) {
		return math.MaxInt64
	}
	return int64(max(x, 0))
}

// ExceededError says that a computation needs more memory than it may take.
type ExceededError struct {
	Need  Estimate
	Limit Limit
	// Advice is what would need less; empty: nothing is known to.
	Advice string
}

func (e *ExceededError) Error() string {
	text := fmt.Sprintf("needs %s of memory, more than %s", e.Need, e.Limit)
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}
