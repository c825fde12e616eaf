package study

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

// Labels names the observed quantities, one column each: "dissipation", "position p x
// time=1".
func (s *Spec) Labels() []string {
	list := make([]string, len(s.Observe))
	taken := map[string]int{}
	for _, p := range s.Paths() {
		taken[p] = 1
	}
	for i, raw := range s.Observe {
		label := observedLabel(raw)
		if taken[label]++; taken[label] > 1 {
			label += " (" + string(number(float64(taken[label]))) + ")"
		}
		list[i] = label
	}
	return list
}

// Units are those of the observed quantities, SI; empty: nobody knows it.
func (s *Spec) Units() []string {
	list := make([]string, len(s.Observe))
	for i, raw := range s.Observe {
		var name string
		var entry struct {
			Quantity string `json:"quantity"`
		}
		if json.Unmarshal(raw, &name) != nil && json.Unmarshal(raw, &entry) == nil {
			name = entry.Quantity
		}
		name, _, _ = strings.Cut(name, " ") // of a line "angle body=b"
		list[i] = table.QuantityOf("expect", name).Units()
	}
	return list
}

func observedLabel(raw json.RawMessage) string {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return name
	}
	entries, err := object(raw, "")
	if err != nil {
		return string(raw)
	}
	var words []string
	for _, e := range entries {
		var word string
		switch isText := json.Unmarshal(e.value, &word) == nil; {
		case e.key == "quantity":
			words = append([]string{word}, words...)
		case isText:
			words = append(words, word)
		default:
			words = append(words, e.key+"="+string(e.value))
		}
	}
	return strings.Join(words, " ")
}

// observeHash tells records of other quantities apart.
func (s *Spec) observeHash() string {
	sum := sha256.New()
	for _, raw := range s.Observe {
		sum.Write(raw)
		sum.Write([]byte{'\n'})
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
