package energetic

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestOrderOfPin: the pressure of the pin in its bore (cases/pin-in-bore.json) over half of the contact comes to Persson's,
// .573642 of the load, with an order above 1.3 as the meshes are refined: the end of the contact is within an element.
func TestOrderOfPin(t *testing.T) {
	text, err := os.ReadFile("../../cases/pin-in-bore.json")
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), `"expect"`)
	want := 0.573642 * 1000 * 0.01 / ((1 - 0.3*0.3) * 1.0672024)
	var off [2]float64
	for i, fineness := range []string{"0.5", "1"} {
		x := trial.Run(t, strings.NewReplacer(`"fineness": 1`, `"fineness": `+fineness, `"steps": 16`, `"steps": 4`).Replace(head)+
			`"expect": [{"quantity": "normal_force", "value": 0, "tolerance": 0}]}`, &Model)
		off[i] = math.Abs(*x.Summary.Expectations[0].Value - want)
	}
	if order := math.Log2(off[0] / off[1]); order < 1.3 || off[1] > 0.006*want {
		t.Errorf("off by %.4g and %.4g of %.4g: the order is %.2f", off[0], off[1], want, order)
	}
}
