package importer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestSeveral: the joints of a body of MJCF are one of a case where they leave the same; the first one's
// axis is in the body around, the last one's in the body. What is none is told with its line.
func TestSeveral(t *testing.T) {
	const text = `<mujoco><compiler angle="radian"/><worldbody><body name="a" pos="0 0 1" euler="0 0 1.5707963267948966"><geom type="sphere" size=".1" mass="1"/>
%s</body></worldbody></mujoco>`
	for name, c := range map[string]struct {
		joints, want string
		axis, other  [3]float64
	}{
		"cross": {`<joint axis="2 0 0" pos=".1 0 0"/><joint axis="0 1 0" pos=".1 0 0"/>`, "universal",
			[3]float64{-1, 0, 0}, [3]float64{0, 1.1, 1}},
		"ball":      {`<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="0 0 1"/>`, "spherical", [3]float64{}, [3]float64{}},
		"skew ball": {`<joint axis="1 0 0"/><joint axis="1 1 0"/><joint axis="0 1 1"/>`, "spherical", [3]float64{}, [3]float64{}},
		"piston":    {`<joint type="slide" axis="0 0 1"/><joint axis="0 0 -3"/>`, "cylindrical", [3]float64{0, 0, -1}, [3]float64{}},
		"table": {`<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint/>`, "planar",
			[3]float64{0, 0, 1}, [3]float64{}},
		"flies": {`<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/><joint type="ball"/>`,
			"", [3]float64{}, [3]float64{}},
		"one plane": {`<joint axis="1 0 0"/><joint axis="0 1 0"/><joint axis="1 1 0"/>`, "left", [3]float64{}, [3]float64{}},
		"apart":     {`<joint axis="1 0 0" pos=".1 0 0"/><joint axis="0 1 0"/>`, "left", [3]float64{}, [3]float64{}},
		"oblique":   {`<joint axis="1 0 0"/><joint axis="1 1 0"/>`, "left", [3]float64{}, [3]float64{}},
		"no axis":   {`<joint axis="0 0 0"/><joint axis="0 1 0"/>`, "left", [3]float64{}, [3]float64{}},
	} {
		t.Run(name, func(t *testing.T) {
			k, err := read(t, "several.xml", fmt.Sprintf(text, c.joints))
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "left" {
				if len(k.Joints) > 0 || len(k.Left) == 0 || !strings.Contains(fmt.Sprint(k.Left[0]), "several.xml:2") {
					t.Errorf("joints %+v, left %v", k.Joints, k.Left)
				}
				return
			}
			if c.want == "" && len(k.Joints) == 0 && len(k.Left) == 0 {
				return
			}
			if len(k.Joints) != 1 || k.Joints[0].Type != c.want || len(k.Left) > 0 {
				t.Fatalf("joints %+v, left %v", k.Joints, k.Left)
			}
			near := func(got *[3]float64, want [3]float64) bool {
				for i := range want {
					if got == nil && want != [3]float64{} || got != nil && math.Abs(got[i]-want[i]) > 1e-12 {
						return false
					}
				}
				return true
			}
			if y := &k.Joints[0]; !near(y.Axis, c.axis) || !near(y.Other, c.other) {
				t.Errorf("axis %v, other %v, want %v and %v", y.Axis, y.Other, c.axis, c.other)
			}
		})
	}
	// What one has beside its axis is told.
	k, err := read(t, "ranged.xml", fmt.Sprintf(text, `<joint axis="1 0 0" range="-1 1"/><joint axis="0 1 0" damping="2"/>`))
	if err != nil || len(k.Left) < 2 {
		t.Errorf("%v, left %v", err, k)
	}
}
