package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/table"
)

const columnsHead = `# Columns, units and quantities

What the tables of a run have, by whatever way they are read: the first lines of CSV files, the arrays
` + "`<table>_columns` and `<table>_units`" + ` of trajectory.npz, the metadatum ` + "`units`" + ` of Parquet files (JSON),
` + "`run[\"trajectory\"].units`" + ` in Python, the columns of a page. A column of one of several things is
` + "`<thing>.<name>`: `p.x`" + ` is x of the particle p. ` + "`t`" + ` is the time [s] of every row. The unit 1 is that of
pure numbers; where two stand, the second is of what turns. Columns of sensors.csv are quantities of the
last table, with their units.

NPZ has one layout for all models: ` + "`t`" + `, and of each table its numbers, rows by columns, ` +
	"`<table>_columns`,\n`<table>_units`, `<table>_t`" + ` where it has times of its own, and ` + "`<table>_<word>`" + ` of words:
` + "`contacts_a`, `events_from`. `status`" + ` of particles is a number for each in ` + "`status_columns`" + `.

VTU is ` + "`trajectory.pvd`" + ` with a file for each time, whose points are where they have moved to; ` + "`final.vtu`" + `, and
` + "`final.1.vtu`" + ` of a second body, …, is the last state on the undeformed mesh, in its axes. Elastic bodies have, of elements,
` + "`stress`, `von_mises`" + ` [Pa] and ` + "`strain`" + ` [1] (means; xx, yy, zz, xy, yz, zx, xy being half of the angle; of
neo-Hookean bodies Cauchy's stress and the strain of Green and Lagrange), ` + "`plastic_strain`" + ` where they yield, and
` + "`error_indicator`" + ` [J] in a run of which the error of the mesh has a bound: its parts by elements, which add up to it.
Of nodes: ` + "`displacement`" + ` [m], ` + "`contact_force` and `friction_force`" + ` [N], ` + "`pressure` and `friction_traction`" + ` [Pa],
which are these forces over the surface that a node has, before deformation; between nodes they are linear. Where bodies
meet they are those of the ` + "`group`" + ` that meets the other side.
`

// TestColumnsAreCurrent: docs/columns.md is the table of the package table.
func TestColumnsAreCurrent(t *testing.T) {
	var b strings.Builder
	b.WriteString(columnsHead)
	last := ""
	for _, q := range table.Quantities() {
		if q.Table != last {
			title := q.Table
			if title == "expect" {
				title = "Quantities of expect, sensors, sweeps and derivatives"
			}
			fmt.Fprintf(&b, "\n## %s\n\n| names | unit | what |\n|---|---|---|\n", title)
			last = q.Table
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(q.Names, " ", "`, `"), q.Units(), q.Meaning)
	}
	if *update {
		if err := os.WriteFile("columns.md", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("columns.md"); err != nil || string(got) != b.String() {
		t.Errorf("columns.md is not that of table.Quantities: go generate ./docs (%v)", err)
	}
}

// TestColumnsHaveUnits: every column that a built-in case writes has a unit, every quantity that a
// model knows a row, and no row is of what nobody writes.
func TestColumnsHaveUnits(t *testing.T) {
	thorough.Seconds(t)
	// uz is that of meshes in space, of which no built-in case has contact nodes.
	used := map[string]bool{"trajectory.uz": true, "displacements.uz": true}
	for _, name := range cases.Names() {
		collectColumns(t, used, name)
	}
	collectColumns(t, used, "spence", `stress={"points": [[0, 0, 0.01]], "planes": [0.01]}`)
	for _, name := range quantitiesOf(t) {
		used["expect."+name] = true
		if table.QuantityOf("expect", name) == nil {
			t.Errorf("the quantity %s has no row", name)
		}
	}
	for _, q := range table.Quantities() {
		for _, name := range strings.Fields(q.Names) {
			if !used[q.Table+"."+name] {
				t.Errorf("%s: nothing writes %s", q.Table, name)
			}
		}
	}
}

// collectColumns takes in the columns of a case, and misses those without a unit.
func collectColumns(t *testing.T, used map[string]bool, name string, sets ...string) {
	t.Helper()
	c, err := models.OpenCase(name, sets, 0)
	if err != nil {
		t.Fatal(err)
	}
	built, err := models.Build(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i := range built.Plan().Layout.Sheets {
		s := &built.Plan().Layout.Sheets[i]
		of := strings.TrimSuffix(s.File, ".csv") + "."
		for _, c := range s.Columns {
			if s.Unit(c) == "" {
				t.Errorf("%s: %s: the column %s has no unit", name, s.File, c)
			}
			used[of+c], used[of+c[strings.LastIndexByte(c, '.')+1:]] = true, true
		}
	}
}

// quantitiesOf are those of the expectations of all models.
func quantitiesOf(t *testing.T) (list []string) {
	t.Helper()
	var schema struct {
		Defs map[string]struct {
			Properties map[string]struct {
				Enum []any `json:"enum"`
			} `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(models.Grammar().Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for _, d := range schema.Defs {
		for _, q := range d.Properties["quantity"].Enum {
			list = append(list, fmt.Sprint(q))
		}
	}
	if len(list) < 60 {
		t.Fatalf("%d quantities", len(list))
	}
	return list
}

// TestSensorUnits: what turns has other units than what slides.
func TestSensorUnits(t *testing.T) {
	c, err := models.Grammar().Decode("hinge", []byte(`{"model": "rigid", "dimension": 2, "until": 0.01, "steps": 1,
		"bodies": [{"id": "a", "mass": 1, "inertia": 1}, {"id": "b", "mass": 1, "position": [5, 0]}],
		"joints": [{"id": "hinge", "type": "revolute", "body": "a", "at": [0, 0]}, {"id": "rail", "type": "prismatic", "body": "b", "at": [5, 0], "axis": [1, 0]}],
		"sensors": [{"quantity": "joint_position", "joint": "hinge", "name": "turn"}, {"quantity": "joint_rate", "joint": "rail", "name": "way"}, {"quantity": "kinetic_energy"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	built, err := models.Build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"turn": "rad", "way": "m/s", "kinetic_energy": "J"}
	for i := range built.Plan().Layout.Sheets {
		s := &built.Plan().Layout.Sheets[i]
		for k, name := range s.Columns {
			if s.File == table.SensorsFile && s.ColumnUnits()[k] != want[name] {
				t.Errorf("%s: found the unit %q, want %q", name, s.ColumnUnits()[k], want[name])
			}
		}
		if s.File == table.SensorsFile && len(s.Columns) != len(want) {
			t.Errorf("the columns are %v", s.Columns)
		}
	}
}
