package importer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/importer"
)

// read imports a file of that text.
func read(t *testing.T, name, text string) (*importer.Case, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return importer.Read(file)
}

const arm = `<robot name="arm">
  <link name="world"/>
  <link name="upper">
    <inertial><origin xyz=".2 0 0" rpy="0 0 .3"/><mass value="1.5"/><inertia ixx=".002" iyy=".02" izz=".021" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz=".2 0 0" rpy="0 1.5707963267948966 0"/><geometry><cylinder radius=".03" length=".4"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 .15" rpy=".2 -.5 .1"/><parent link="world"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="4"/><dynamics damping=".1" friction=".2"/></joint>
  <link name="fore">
    <inertial><origin xyz=".15 0 0"/><mass value=".8"/><inertia ixx=".001" iyy=".006" izz=".006"/></inertial>
    <collision><origin xyz=".15 0 0"/><geometry><box size=".3 .04 .04"/></geometry></collision>
  </link>
  <joint name="elbow" type="continuous"><origin xyz=".43 0 0"/><parent link="upper"/><child link="fore"/><axis xyz="0 0 1"/></joint>
</robot>`

const armOfMuJoCo = `<mujoco model="arm">
  <compiler angle="radian" eulerseq="XYZ"/>
  <worldbody>
    <body name="upper" pos="0 0 .15" euler=".2 -.5 .1">
      <inertial pos=".2 0 0" quat="0.9887710779360422 0 0 0.14943813247359922" mass="1.5" diaginertia=".002 .02 .021"/>
      <joint name="shoulder" axis="0 1 0" range="-2 2" damping=".1" frictionloss=".2" armature=".01"/>
      <geom type="cylinder" fromto="0 0 0 .4 0 0" size=".03"/>
      <body name="fore" pos=".43 0 0">
        <inertial pos=".15 0 0" mass=".8" diaginertia=".001 .006 .006"/>
        <joint name="elbow" axis="0 0 1"/>
        <geom type="box" size=".15 .02 .02" pos=".15 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>`

// TestAlike: an arm that a URDF and an MJCF file say is one case, number by number: frames, angles of
// both kinds, tensors, shapes along z and between points. Euler angles about fixed axes are those of
// roll, pitch and yaw.
func TestAlike(t *testing.T) {
	a, err := read(t, "arm.urdf", arm)
	if err != nil {
		t.Fatal(err)
	}
	b, err := read(t, "arm.xml", armOfMuJoCo)
	if err != nil {
		t.Fatal(err)
	}
	values := func(c *importer.Case) any {
		var text bytes.Buffer
		if err := c.Write(&text); err != nil {
			t.Fatal(err)
		}
		var x map[string]any
		if err := json.Unmarshal(text.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		delete(x, "description")
		return x
	}
	var compare func(path string, x, y any)
	compare = func(path string, x, y any) {
		switch x := x.(type) {
		case float64:
			if y, ok := y.(float64); !ok || !(math.Abs(x-y) < 1e-12) {
				t.Errorf("%s is %v, and %v", path, x, y)
			}
		case []any:
			y, _ := y.([]any)
			if len(x) != len(y) {
				t.Errorf("%s has %d entries, and %d", path, len(x), len(y))
				return
			}
			for i := range x {
				compare(fmt.Sprint(path, "[", i, "]"), x[i], y[i])
			}
		case map[string]any:
			y, _ := y.(map[string]any)
			for k := range y {
				if _, ok := x[k]; !ok {
					t.Errorf("%s.%s is in one", path, k)
				}
			}
			for k := range x {
				compare(path+"."+k, x[k], y[k])
			}
		default:
			if x != y {
				t.Errorf("%s is %v, and %v", path, x, y)
			}
		}
	}
	compare("$", values(a), values(b))
	if len(a.Left) != 3 || a.Left[1].Line != 7 || !strings.Contains(a.Left[1].String(), "effort") ||
		!strings.Contains(a.Left[2].String(), "velocity") {
		t.Errorf("left: %v", a.Left)
	}
	if len(b.Left) != 1 || b.Left[0].Line != 6 || !strings.Contains(b.Left[0].String(), "armature") {
		t.Errorf("left: %v", b.Left)
	}
	if x := a.Joints[0]; x.Limits == nil || *x.Limits != (importer.Limits{Min: -2, Max: 2}) || x.Damping != .1 || x.Friction != .2 {
		t.Errorf("shoulder %+v", x)
	}
}

// TestDrives: limits, springs and actuators of MJCF are those of joints: with gears, in degrees, of
// classes, from the place that the file calls that of the start; what a case cannot have is left.
func TestDrives(t *testing.T) {
	c, err := read(t, "drives.xml", `<mujoco>
  <default><joint damping="1"/><general biastype="affine" forcerange="-5 5"/><default class="weak"><position kp="4" kv="1" gear="3"/></default></default>
  <worldbody><body name="base"><geom size="1"/><freejoint/>
    <body pos="0 0 3"><joint name="a" range="-90 45"/><geom size=".1"/></body>
    <body pos="0 0 4"><joint name="b" range="-90 45" limited="false" ref="30"/><geom size=".1"/></body>
    <body pos="0 0 5"><joint name="c" type="slide" range="1 3" ref="2" actuatorfrcrange="-2 2"/><geom size=".1"/></body>
    <body pos="0 0 6"><joint name="d" range="10 20"/><geom size=".1"/></body>
    <body pos="0 0 7"><joint name="e" range="-200 200" stiffness="6" springref="90"/><geom size=".1"/></body>
    <body pos="0 0 8"><joint name="f" type="ball"/><geom size=".1"/></body>
  </body></worldbody>
  <actuator>
    <position name="pa" joint="a" class="weak" forcerange="-6 6" ctrlrange="1 2"/>
    <general joint="b" gainprm="8" biasprm="2 -8 -1"/>
    <velocity joint="c" kv="7"/>
    <motor joint="d" gear="50" ctrlrange="-1 1"/>
    <motor joint="e"/>
    <motor joint="f"/>
    <position tendon="t"/>
    <intvelocity joint="d"/>
  </actuator>
</mujoco>`)
	if err != nil {
		t.Fatal(err)
	}
	number := func(x float64) *float64 { return &x }
	degree := math.Pi / 180
	for i, want := range []importer.Joint{
		{ID: "a", Limits: &importer.Limits{Min: -90 * degree, Max: 45 * degree},
			Motor: &importer.Motor{Position: number(1. / 3), Stiffness: 36, Gain: 9, Limit: 18}},
		{ID: "b", Motor: &importer.Motor{Position: number(2./8 - 30*degree), Stiffness: 8, Gain: 1, Limit: 5}},
		{ID: "c", Limits: &importer.Limits{Min: -1, Max: 1}, Motor: &importer.Motor{Velocity: number(0), Gain: 7, Limit: 2}},
		{ID: "d", Motor: &importer.Motor{Force: number(0)}},
		{ID: "e", Motor: &importer.Motor{Position: number(90 * degree), Stiffness: 6}},
	} {
		got := c.Joints[i]
		x, _ := json.Marshal([]any{got.ID, got.Limits, got.Motor, got.Damping})
		y, _ := json.Marshal([]any{want.ID, want.Limits, want.Motor, 1})
		if string(x) != string(y) {
			t.Errorf("%s, want %s", x, y)
		}
	}
	var left []string
	for _, l := range c.Left {
		left = append(left, fmt.Sprintf("%d: %s", l.Line, l.What))
	}
	want := []string{"7: range of joint \"d\"", "8: range of joint \"e\"", "12: control of position \"pa\"",
		"13: control", "14: control", "15: control", "16: motor", "17: motor", "18: position", "19: intvelocity"}
	if len(left) != len(want) {
		t.Fatalf("left %q", left)
	}
	for i := range want {
		if !strings.HasPrefix(left[i], want[i]) {
			t.Errorf("left %q, want %q", left[i], want[i])
		}
	}
}

// TestLeft: everything that is not understood is told once, where it was written, of classes where
// the class has it; what says how things look is counted, and what all have of their own instead is not told.
func TestLeft(t *testing.T) {
	c, err := read(t, "scene.xml", `<mujoco>
  <option wind="1 0 0"/>
  <default><geom solref=".01 1" rgba="1 0 0 1" friction=".5" size=".3"/><default class="thin"><geom size=".02"/></default></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 1"><freejoint/><geom class="thin"/><geom class="thin" pos=".1 0 0" gap=".1"/></body>
    <body pos="1 0 1"><joint type="slide"/><joint type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial/></tendon>
</mujoco>`)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range c.Left {
		lines = append(lines, fmt.Sprintf("%d: %s", l.Line, l.What))
	}
	want := []string{"2: wind of option", "3: solref of geom", "7: gap of geom", "8: joint", "8: joint", "10: tendon"}
	if len(lines) != len(want) {
		t.Fatalf("left %q", lines)
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) {
			t.Errorf("left %q, want %q", lines[i], want[i])
		}
	}
	if c.Looks != 2 {
		t.Errorf("%d say how it looks, want light and rgba", c.Looks)
	}
	if c.Friction[c.Material].Mu != .5 || len(c.Bodies[0].Parts) != 2 || len(c.Obstacles) != 1 {
		t.Errorf("%+v", c)
	}
	// Two balls of .02 m and 1000 kg/m³, .1 m apart.
	m := 2 * 4. / 3 * math.Pi * 8e-6 * 1000
	if x := &c.Bodies[0]; math.Abs(x.Mass/m-1) > 1e-12 || math.Abs(x.Centre[0]-.05) > 1e-12 ||
		math.Abs(x.Inertia[1][1]/(m*(.4*4e-4+.0025))-1) > 1e-12 {
		t.Errorf("mass %g, centre %v, inertia %v", x.Mass, *x.Centre, *x.Inertia)
	}
}

// TestSpinningFriction: the components of condim, the larger one of a pair.
func TestSpinningFriction(t *testing.T) {
	for dim, want := range map[int]importer.Friction{3: {Mu: .8}, 4: {Mu: .8, Drilling: .02 / .8},
		6: {Mu: .8, Drilling: .02 / .8, Rolling: .001}} {
		c, err := read(t, "scene.xml", fmt.Sprintf(`<mujoco><worldbody>
    <geom name="floor" type="plane" size="1 1 1" condim="%d" friction=".8 .01 .001"/>
    <body pos="0 0 1"><freejoint/><geom size=".1" friction=".5 .02"/></body>
  </worldbody></mujoco>`, dim))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Contacts) != 1 || len(c.Left) != 0 {
			t.Fatalf("condim %d: %+v, left %v", dim, c.Contacts, c.Left)
		}
		if f := c.Friction[c.Contacts[0].Friction]; f.Mu != want.Mu || math.Abs(f.Drilling-want.Drilling) > 1e-15 ||
			f.Rolling != want.Rolling {
			t.Errorf("condim %d: %+v, left %v, want %+v", dim, c.Friction, c.Left, want)
		}
	}
}

// TestFaults: what cannot be imported is told with file and line.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.xml", "<mujoco>\n<worldbody>\n<body><geom size='x'/></body></worldbody></mujoco>", "a.xml:3: geom: size has \"x\""},
		{"a.xml", "<mujoco><worldbody><body><geom type='box' size='1'/></body></worldbody></mujoco>", "a box has 3"},
		{"a.urdf", "<robot><link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
			"a.urdf:2: child: there is no link \"b\""},
		{"a.urdf", "<robot><link name='a'/><link name='b'/><joint type='fixed'><parent link='a'/><child link='b'/></joint><joint type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
			"circle"},
		{"a.xml", "<sdf/>", "found <sdf>"},
		{"a.xml", "{", "a.xml"},
		{"a.urdf", "<robot><link name='a'/></robot>", "no body that moves"},
	} {
		if _, err := read(t, c.name, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestGazebo: what a file says to a simulator of friction is listed by its name, as what is not understood
// is; it does not say how a robot looks.
func TestGazebo(t *testing.T) {
	c, err := read(t, "arm.urdf", strings.Replace(arm, "</robot>",
		`<gazebo reference="upper"><mu1>0.9</mu1><material>Gazebo/Red</material><kp>1e6</kp></gazebo></robot>`, 1))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(c.Left)
	for _, want := range []string{`mu1 of link "upper": it is "mu"`, "kp: not understood"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}

// TestNothingMeets: an arm whose links never meet has no friction, which a case would refuse.
func TestNothingMeets(t *testing.T) {
	for text, want := range map[string]string{arm: "",
		strings.Replace(arm, `<link name="world"/>`,
			`<link name="world"><collision><geometry><box size="1 1 .1"/></geometry></collision></link>`, 1): "mu1"} {
		c, err := read(t, "arm.urdf", text)
		if err != nil {
			t.Fatal(err)
		}
		if c.Material != want || (len(c.Friction) > 0) != (want != "") {
			t.Errorf("material %q of %v, want %q", c.Material, c.Friction, want)
		}
	}
}
