package energetic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestHyperelasticFaults: keys of one law under another, missing ones, moduli out of range and a bar are refused by name.
func TestHyperelasticFaults(t *testing.T) {
	const mooney, at = `"law": "mooney-rivlin", "c1": 100, "c2": 0, "bulk": 1e4`, "$.energies[0]"
	for keys, want := range map[string]string{
		mooney:                      "",
		mooney + `, "young": 1`:     at + ".young: the moduli of",
		mooney + `, "poisson": 0.3`: at + ".poisson: the moduli of",
		mooney + `, "plasticity": {"yield": 1, "hardening": 1}`:            at + ".plasticity: plastic strains are small",
		strings.Replace(mooney, "1e4", "0", 1):                             at + ".bulk",
		strings.Replace(mooney, "100", "-1", 1):                            at + ".c1",
		strings.Replace(mooney, "100", "0", 1):                             at + ".c1: fem: c1 and c2 are 0",
		strings.Replace(mooney, `, "bulk": 1e4`, "", 1):                    `the key "bulk" of "law": "mooney-rivlin" is missing`,
		`"young": 1e3, "c1": 1`:                                            at + `.c1: it is of "law": "mooney-rivlin"`,
		`"young": 1e3, "law": "neo-hookean", "bulk": 1`:                    at + `.bulk: it is of "law": "mooney-rivlin"`,
		`"young": 1e3, "poisson": 0.5, "law": "neo-hookean"`:               at + ".poisson",
		`"young": 1e3, "poisson": 0.4999, "law": "neo-hookean"`:            "",
		`"young": 1e3, "law": "neo-hookean", "kinematics": "plane stress"`: "",
		`"young": 1e3, "law": "neo-hookean", "kinematics": "axisymmetric"`: "",
	} {
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(fmt.Sprintf(orthotropicBody, keys)))
		if err == nil {
			_, err = build(t.Context(), k)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", keys, err, want)
		}
	}
}
