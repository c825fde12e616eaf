package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// peg is a column of n boxes, welded one to the next, between two walls and on a floor that are
// closer than it is wide by little [m].
func peg(t *testing.T, dim, n int, tilt, little, mu float64, joints ...multibody.Joint) *multibody.Model {
	t.Helper()
	const half, height = .05, .4
	up := dim - 1
	along := func(x, z float64) (p [3]float64) {
		p[0], p[up] = math.Cos(tilt)*x-math.Sin(tilt)*z, math.Sin(tilt)*x+math.Cos(tilt)*z
		return p
	}
	axis := func(k int, s float64) (a [3]float64) { a[k] = s; return a }
	w, setup := world(t, dim, axis(up, -9.81)), multibody.Setup{Material: multibody.Material{Mu: mu}, Apart: map[[2]int]bool{}}
	part := height / float64(n)
	for i := range n {
		b := bodies.Body{Mass: 1, Position: along(0, part*(float64(i)+.5)-height/2)}
		if dim == 2 {
			b.Shape, b.Angle = bodies.Polygon{Vertices: [][2]float64{{-half, -part / 2}, {half, -part / 2},
				{half, part / 2}, {-half, part / 2}}}, tilt
		} else {
			b.Shape, b.Orientation = bodies.Box{Size: [3]float64{2 * half, 2 * half, part}},
				[4]float64{math.Cos(tilt / 2), 0, -math.Sin(tilt / 2), 0}
		}
		must[int](t)(w.Add(b))
		if i > 0 {
			setup.Joints = append(setup.Joints, multibody.Joint{Kind: multibody.Fixed, A: i, B: i - 1,
				At: along(0, part*float64(i)-height/2)})
		}
		for j := range i {
			setup.Apart[[2]int{j, i}] = true
		}
	}
	setup.Joints = append(setup.Joints, joints...)
	wide := half*math.Cos(tilt) + height/2*math.Sin(math.Abs(tilt)) - little/2
	must[int](t)(w.AddHalfSpace(axis(0, -wide), axis(0, 1)))
	must[int](t)(w.AddHalfSpace(axis(0, wide), axis(0, -1)))
	must[int](t)(w.AddHalfSpace(axis(up, -height/2*math.Cos(tilt)-half*math.Sin(math.Abs(tilt))), axis(up, 1)))
	return must[*multibody.Model](t)(multibody.NewModel(w, setup))
}

// A peg in a hole as wide as it, or narrower by less than the projection leaves, of parts that
// joints hold among each other, twice or from the ground: joints and contacts are redundant, and
// their problem has a solution, in which it is at rest.
func TestPegHeld(t *testing.T) {
	for _, dim := range []int{2, 3} {
		for _, n := range []int{1, 3} {
			up := [3]float64{}
			up[dim-1] = .2
			ground := multibody.Joint{Kind: multibody.Fixed, A: n - 1, B: -1, At: up}
			foot := multibody.Joint{Kind: multibody.Fixed, A: 0, B: -1}
			sets := map[string][]multibody.Joint{"free": nil, "ground": {ground}, "twice": {ground, foot}}
			if n > 1 {
				sets["loop"] = []multibody.Joint{{Kind: multibody.Fixed, A: n - 1, B: 0}}
			}
			for name, joints := range sets {
				for _, little := range []float64{0, 5e-9} {
					for _, mu := range []float64{0, .6} {
						t.Run(fmt.Sprintf("%d/%d/%s/%g/%g", dim, n, name, little, mu), func(t *testing.T) {
							m := peg(t, dim, n, 0, little, mu, joints...)
							s := must[*rigid.Stepper](t)(rigid.NewStepper(m, rigid.Options{}))
							_, q, _, _ := s.State()
							start := append([]float64(nil), q...)
							for range 3 {
								if err := s.Step(t.Context(), .01); err != nil {
									t.Fatal(err)
								}
								if s.Last().Residual > 1e-8 {
									t.Fatalf("residual %g", s.Last().Residual)
								}
							}
							_, q, v, _ := s.State()
							for i := range q {
								if math.Abs(q[i]-start[i]) > 1e-8 {
									t.Errorf("coordinate %d has moved by %g", i, q[i]-start[i])
								}
							}
							for i := range v {
								if math.Abs(v[i]) > 1e-8 {
									t.Errorf("velocity %d is %g", i, v[i])
								}
							}
						})
					}
				}
			}
		}
	}
}
