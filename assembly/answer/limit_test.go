package answer_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly/answer"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// margin asks for the least or largest value of a key of a file.
func margin(t *testing.T, text, which, key string, flags ...string) answer.Margin {
	t.Helper()
	name, _, _ := strings.Cut(which+" value of "+key, "=")
	return asked(t, text, name, append(flags, "--limit", "1ms", "--"+which, key)...)
}

// asked is a margin of a file by its name.
func asked(t *testing.T, text, name string, flags ...string) answer.Margin {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, out, fault := stands(t, append(append([]string{"--json"}, flags...), file)...)
	var a answer.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err, fault)
	}
	m, ok := a.Margins[name]
	if !ok {
		t.Fatalf("%s: no margin; notes %q", name, a.Notes)
	}
	return m
}

// hinged is the mechanism of a semicircular arch of thickness 2a R with hinges at the extrados of crown and springings and
// at the intrados at φ from the crown: the thrust H, and how far moments about the intrados are from balance. The weight is moment(φ) =
// ∫(sin φ − sin) and its whole, in w R².
func hinged(a, phi float64, moment func(phi, arm float64) float64) (thrust, rest float64) {
	out, in := 1+a, 1-a
	thrust = moment(math.Pi/2, out) / out
	return thrust, thrust*(out-in*math.Cos(phi)) - moment(phi, in*math.Sin(phi))
}

// least is the half thickness at which a mechanism moves: thrust of thicker arches is less than what holds it.
func least(phi float64, moment func(phi, arm float64) float64) float64 {
	low, high := .01, .2
	for range 60 {
		if middle := (low + high) / 2; first(hinged(middle, phi, moment)) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

func first(_, rest float64) bool { return rest < 0 }

// TestLeastThickness: the least thickness of an arch of n voussoirs, weight on the middle line, is the largest over the joints at which
// the hinge of the haunch may be, by moments; with n it goes to the largest over all angles, .107426, with hinge at .951141 rad,
// thrust .621772 w R and so a friction of .621772/(π/2) = .395832 at the springings (Cocchetti and Rizzi 2020), with an error of no
// more than the square of the angle of a voussoir.
func TestLeastThickness(t *testing.T) {
	whole := func(phi, arm float64) float64 { return phi*arm - (1 - math.Cos(phi)) }
	best, at := 0., 0.
	for from, step := .9, 1e-2; step > 1e-7; step /= 10 { // around the best of coarser steps
		for k := range 21 {
			if a := least(from+step*float64(k), whole); a > best {
				best, at = a, from+step*float64(k)
			}
		}
		from = at - step
	}
	thrust, _ := hinged(best, at, whole)
	near(t, "limit of t/R", 2*best, .107426, 5e-7)
	near(t, "its hinge", at, .951141, 5e-6)
	near(t, "its thrust", thrust, .621772, 5e-7)
	near(t, "its friction", thrust/(math.Pi/2), .395832, 5e-7)
	for _, n := range []int{20, 40} {
		angle := math.Pi / float64(n)
		lumped := func(phi, arm float64) (sum float64) { // the weight of each voussoir is at its middle
			for k := range int(math.Round(phi / angle)) {
				sum += angle * (arm - math.Sin(angle*(float64(k)+.5)))
			}
			return sum
		}
		want, thrust := 0., 0.
		for k := 1; k < n/2; k++ {
			if a := least(angle*float64(k), lumped); 2*a > want {
				want = 2 * a
				thrust, _ = hinged(a, angle*float64(k), lumped)
			}
		}
		arch := `{"friction": %v, "generate": {"arch": {"radius": 1, "thickness": %v, "voussoirs": %d, "weight_on_middle_line": true}}}`
		m := margin(t, fmt.Sprintf(arch, .8, .15, n), "least", "generate.arch.thickness")
		near(t, fmt.Sprint("t/R of ", n, " voussoirs"), m.Upper, want, 1e-8)
		near(t, "limit", want, .107426, angle*angle)
		f := margin(t, fmt.Sprintf(arch, .8, want+1e-7, n), "least", "friction")
		near(t, fmt.Sprint("friction of ", n, " voussoirs at the least thickness"), f.Upper, thrust/(math.Pi/2), 1e-5)
	}
}

// TestClosedForms: least friction and largest overhang to 1e-8 of closed forms, with proofs on both sides: a ladder of
// length 5 against a smooth wall, H h = W (b − x_G), two cards, a wedge of half angle α, and bricks over an edge by Σ L/(2k).
func TestClosedForms(t *testing.T) {
	const floor = `{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,-0.01],[-9,-0.01]]}`
	rise, tan := math.Sqrt(21), math.Tan(.3)
	for _, c := range []struct {
		name, text, which, key string
		want                   float64
	}{
		{"ladder", fmt.Sprintf(`{"plane": true, "friction": 0.6, "blocks": [`+floor+
			`, {"name": "ladder", "polygon": [[2,0],[0,%[1]v],[0,%[2]v]]}],
			"interfaces": [{"blocks": ["floor", "ladder"], "normal": [0,0,1], "points": [[2,0,0]]},
			{"blocks": ["floor", "ladder"], "normal": [1,0,0], "points": [[0,0,%[1]v]], "friction": 0}]}`, rise,
			rise-.001), "least", "friction", (2 - 2./3) / rise},
		{"cards", `{"plane": true, "friction": 0.6, "blocks": [` + floor +
			`, {"name": "left", "polygon": [[-1,0],[0,1.999],[0,2]]}, {"name": "right", "polygon": [[1,0],[0,2],[0,1.999]]}],
			"interfaces": [{"blocks": ["floor", "left"], "normal": [0,0,1], "points": [[-1,0,0]]}, {"blocks": ["floor", "right"], "normal": [0,0,1], "points": [[1,0,0]]},
			{"blocks": ["left", "right"], "normal": [1,0,0], "points": [[0,0,2]]}]}`, "least", "friction", (2. / 3) / 2},
		{"wedge", fmt.Sprintf(`{"plane": true, "friction": 0.6, "blocks": [
			{"name": "left", "support": true, "polygon": [[-9,0],[%[1]v,0],[-1,2],[-9,2]]}, {"name": "right", "support": true, "polygon": [[%[2]v,0],[9,0],[9,2],[1,2]]},
			{"name": "wedge", "polygon": [[%[1]v,0],[%[2]v,0],[1,2],[-1,2]]}]}`, -1-2*tan, 1+2*tan), "least", "friction", tan},
		{"overhang", `{"friction": 0.5, "generate": {"stack": {"bricks": 7, "length": 1, "height": 0.2, "harmonic": 0.9}}}`,
			"largest", "generate.stack.harmonic", 1},
		{"flat arch", `{"plane": true, "friction": 0.7, "blocks": [
			{"name": "wall", "support": true, "polygon": [[-1,0],[0,0],[0,2],[-1,2]]}, {"name": "floor", "support": true, "polygon": [[1,-1],[3,-1],[3,0],[1,0]]},
			{"name": "held", "polygon": [[0,1],[1,1],[1,2],[0,2]]}, {"name": "pushed", "polygon": [[1,0],[3,0],[3,2],[1,2]]}],
			"interfaces": [{"blocks": ["wall", "held"], "normal": [1,0,0], "points": [[0,0,1],[0,0,2]]},
			{"blocks": ["held", "pushed"], "normal": [1,0,0], "points": [[1,0,1],[1,0,2]]},
			{"blocks": ["floor", "pushed"], "normal": [0,0,1], "points": [[1,0,0],[3,0,0]], "friction": 0}],
			"loads": [{"block": "pushed", "point": [2,0,1.5], "force": [-9.81,0,0]}]}`, "least", "friction", .5},
	} {
		m := margin(t, c.text, c.which, c.key)
		near(t, c.name+", from above", m.Upper, c.want, 1e-8)
		near(t, c.name+", from below", m.Lower, c.want, 1e-8)
		if !strings.Contains(m.Note, "exactly") && c.name != "wedge" { // which self-stress holds, as near as one likes
			t.Errorf("%s: %s, want an exact proof", c.name, m.Note)
		}
	}
}

// TestDerivativesOfLimits: a block of b by h that is pushed with F slides from μ ρ g b h on, a ladder by (b − x_G)/H: of the least friction
// and density, and of the largest push, derivatives by any number of the file are those of this. A wedge, which self-stress holds, has
// none.
func TestDerivativesOfLimits(t *testing.T) {
	const mu, push, rho, g, b, h = .3, 20., 10., 9.81, 2., 1.
	block := fmt.Sprintf(`{"plane": true, "friction": %v, "blocks": [{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,0],[-9,0]]},
		{"name": "block", "density": %v, "polygon": [[0,0],[2,0],[2,1],[0,1]]}], "loads": [{"block": "block", "force": [%v, 0, 0]}]}`,
		mu, rho, push)
	rise, tan := math.Sqrt(21), math.Tan(.3)
	ladder := fmt.Sprintf(`{"plane": true, "friction": 0.6, "blocks": [{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,-0.01],[-9,-0.01]]},
		{"name": "ladder", "polygon": [[2,0],[0,%[1]v],[0,%[2]v]]}], "interfaces": [{"blocks": ["floor", "ladder"], "normal": [0,0,1], "points": [[2,0,0]]},
		{"blocks": ["floor", "ladder"], "normal": [1,0,0], "points": [[0,0,%[1]v]], "friction": 0}]}`, rise, rise-.001)
	wedge := fmt.Sprintf(`{"plane": true, "friction": 0.6, "blocks": [
		{"name": "left", "support": true, "polygon": [[-9,0],[%[1]v,0],[-1,2],[-9,2]]}, {"name": "right", "support": true, "polygon": [[%[2]v,0],[9,0],[9,2],[1,2]]},
		{"name": "wedge", "density": 1, "polygon": [[%[1]v,0],[%[2]v,0],[1,2],[-1,2]]}]}`, -1-2*tan, 1+2*tan)
	for _, c := range []struct {
		text, which, key string
		value            float64
		by               map[string]float64
	}{
		{block, "least", "friction", push / (rho * g * b * h), map[string]float64{"blocks[1].density": -push / (rho * rho * g * b * h),
			"loads[0].force[0]": 1 / (rho * g * b * h), "force of load 0 on block x": 1 / (rho * g * b * h),
			"blocks[1].polygon[2][1]": -push / (rho * g * b * b * h) * b / 2}},
		{block, "least", "blocks[1].density", push / (mu * g * b * h), map[string]float64{"friction": -push / (mu * mu * g * b * h)}},
		{block, "largest", "loads[0].force[0]", mu * rho * g * b * h,
			map[string]float64{"friction": rho * g * b * h, "blocks[1].density": mu * g * b * h}},
		{ladder, "least", "friction", (2 - 2./3) / rise,
			map[string]float64{"interfaces[0].points[0][0]": 1 / rise, "blocks[1].polygon[0][0]": -1 / (3 * rise)}},
		{wedge, "least", "friction", tan, map[string]float64{"blocks[2].density": math.NaN()}},
	} {
		var flags []string
		for key := range c.by {
			if strings.ContainsAny(key, "[.") || key == "friction" {
				flags = append(flags, "--by", key)
			}
		}
		m := margin(t, c.text, c.which, c.key, flags...)
		near(t, c.which+" "+c.key, m.Upper, c.value, 1e-8*(1+c.value))
		for key, want := range c.by {
			d, ok := m.By[key]
			switch {
			case math.IsNaN(want) && (ok || !strings.Contains(m.Note, "it has no derivatives")):
				t.Errorf("%s %s by %s: %v, %s, want none", c.which, c.key, key, d, m.Note)
			case !math.IsNaN(want):
				near(t, fmt.Sprintf("%s %s by %s", c.which, c.key, key), d, want, 1e-5*math.Abs(want))
			}
		}
	}
}

// TestDerivativesOfRanges: least and largest thrust of an arch by its thickness are differences of files; and the tilt of a block by the
// strength σ of its joint is that of W sin α = μ (W cos α + σ b).
func TestDerivativesOfRanges(t *testing.T) {
	thrust := func(thickness float64, flags ...string) answer.Margin {
		text := fmt.Sprintf(`{"friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": %v, "voussoirs": 9, "density": 2000}}}`,
			thickness)
		return asked(t, text, "reaction on left:x", append(flags, "--reaction", "left:x")...)
	}
	const step, key = 1e-4, "generate.arch.thickness"
	m, less, more := thrust(.2, "--by", key, "--by", "generate.arch.density"), thrust(.2-step), thrust(.2+step)
	near(t, "largest by thickness", m.By[key], float64(more.Upper-less.Upper)/(2*step), 1e-5*math.Abs(m.By[key]))
	near(t, "least by thickness", m.LowerBy[key], float64(more.Lower-less.Lower)/(2*step), 1e-5*math.Abs(m.LowerBy[key]))
	near(t, "least by density", m.LowerBy["generate.arch.density"], float64(m.Lower)/2000, 1e-6*math.Abs(float64(m.Lower))/2000)
	const mu, sigma, w = .5, 2., 9.81
	tilt := asked(t, `{"plane": true, "friction": 0.5, "tensile_strength": 2, "blocks": [{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,0],[-9,0]]},
		{"name": "block", "polygon": [[0,0],[1,0],[1,1],[0,1]]}]}`, "tilt towards 1,0,0", "--tilt", "1,0,0", "--by", "tensile_strength")
	sin, cos := math.Sincos(float64(tilt.Upper) * math.Pi / 180)
	near(t, "tilt", w*sin, mu*(w*cos+sigma), 1e-7)
	near(t, "tilt by strength", tilt.By["tensile_strength"], 180/math.Pi*mu/(w*cos+mu*w*sin), 1e-5)
}

// TestMilankovitch: with the weight of the sectors where it is, the least t/R of radial joints is .1075 (Milankovitch; Makris and
// Alexakis): ∫ r dr and ∫ r² dr over the thickness are a and a (1 + a²/3) for R = 1, t = 2a, by 2.
func TestMilankovitch(t *testing.T) {
	best := 0.
	for k := range 2000 {
		phi, low, high := .9+5e-5*float64(k), .02, .1
		for range 50 {
			a := (low + high) / 2
			whole := func(phi, arm float64) float64 { return arm*2*a*phi - 2*a*(1+a*a/3)*(1-math.Cos(phi)) }
			if first(hinged(a, phi, whole)) {
				low = a
			} else {
				high = a
			}
		}
		best = max(best, 2*high)
	}
	near(t, "by moments", best, .1075, 5e-5)
	const n = 80
	m := margin(t, fmt.Sprintf(`{"friction": 0.8, "generate": {"arch": {"radius": 1, "thickness": 0.15, "voussoirs": %d}}}`,
		n), "least", "generate.arch.thickness")
	near(t, "of 80 voussoirs", m.Upper, best, math.Pi*math.Pi/(n*n))
}

// TestVerticalCuts: of an arch with vertical joints, many, the least t/R is .1095 (Makris and Alexakis 2013), here by moments of the
// slices about the haunch and the springing: with n the error falls as its square.
func TestVerticalCuts(t *testing.T) {
	thorough.Seconds(t)
	area := func(r, x float64) (zero, one float64) { // ∫√(r² − s²) and ∫s√(r² − s²) from 0 to x
		x = min(x, r)
		z := math.Sqrt(r*r - x*x)
		return (x*z + r*r*math.Asin(x/r)) / 2, (r*r*r - z*z*z) / 3
	}
	moment := func(in, out, x float64) float64 {
		z, f := area(out, x)
		zIn, fIn := area(in, x)
		return x*(z-zIn) - (f - fIn)
	}
	best := 0.
	for k := range 2000 {
		x, low, high := .7+1e-4*float64(k), .05, .3
		for range 60 {
			middle := (low + high) / 2
			in, out := 1-middle/2, 1+middle/2
			thrust := moment(in, out, out) / out
			if thrust*(out-math.Sqrt(max(in*in-x*x, 0))) < moment(in, out, x) {
				low = middle
			} else {
				high = middle
			}
		}
		best = max(best, high)
	}
	near(t, "by moments", best, .1095, 5e-5)
	for _, n := range []int{40, 80} {
		m := margin(t, fmt.Sprintf(`{"friction": 50, "generate": {"arch": {"radius": 1, "thickness": 0.15, "voussoirs": %d, "vertical_cuts": true}}}`,
			n), "least", "generate.arch.thickness")
		near(t, fmt.Sprint(n, " vertical cuts"), m.Upper, best, 2/float64(n*n))
	}
}

// TestLimitNotes: limits that are not found say why, and what the file does not have is a fault.
func TestLimitNotes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arch.json")
	text := `{"friction": 0.7, "gravity": [0,0,-9.81], "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 11}}}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, wish, want string }{
		{"--least", "generate.arch.thickness=0.15", "forces balance at 0.15, too"},
		{"--largest", "generate.arch.thickness", "beyond there is no such file"},
		{"--least", "generate.arch.thickness=-1", "it falls, proven exactly"},
	} {
		if _, out, fault := stands(t, c.flag, c.wish, file); !strings.Contains(out, c.want) {
			t.Errorf("%s %s: %s%s, want %q", c.flag, c.wish, out, fault, c.want)
		}
	}
	for _, c := range []struct{ flag, wish string }{{"--least", "generate.arch.voussoirs"},
		{"--least", "generate.arch.thicknes"}, {"--least", "gravity[0]"},
		{"--least", "friction=0.8"}, {"--largest", "friction=q"}, {"--least", "generate"}, {"--least", "gravity[7]"}} {
		if code, out, fault := stands(t, c.flag, c.wish, file); code != 2 || out != "" || fault == "" {
			t.Errorf("%s %s: code %d, %q, want a fault of the input", c.flag, c.wish, code, out)
		}
	}
}

func near[T ~float64](t *testing.T, what string, found T, want, tol float64) {
	t.Helper()
	if !(math.Abs(float64(found)-want) <= tol) {
		t.Errorf("%s: %.12g, want %.12g", what, found, want)
	}
}
