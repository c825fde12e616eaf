package assume

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/particles"
)

// MarshalJSON writes the report for machines: index sets by particle name, and
// null for what is infinite.
func (a *Assumptions) MarshalJSON() ([]byte, error) {
	type plain Assumptions // without this method
	sets := map[string][]string{}
	for _, s := range []particles.IndexSet{particles.Contact, particles.Switching, particles.Free} {
		sets[s.String()] = []string{}
		for _, j := range a.Members(s) {
			sets[s.String()] = append(sets[s.String()], a.Names[j])
		}
	}
	return json.Marshal(struct {
		Verdict Verdict             `json:"verdict"`
		Sets    map[string][]string `json:"index_sets"`
		*plain
	}{a.Verdict(), sets, (*plain)(a)})
}
