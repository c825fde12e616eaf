package bodyview

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/report"
)

// readStops reads what the stops of joints do: limits, friction, motors. Their impulses are of one
// step; where a table has every n-th only, nobody knows how long that was.
func (m *Reader) readStops(ctx context.Context) error {
	r := m.setup.Rigid
	if r == nil || len(r.Stops) == 0 || m.setup.Every > 1 {
		return nil
	}
	if m.kicks == nil {
		x, err := OpenImpulses(m.Files)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		m.kicks, m.stops = x, map[string]int{}
		for i := range r.Stops {
			m.stops[r.StopName(i)] = i
		}
	}
	along, _ := r.World.Tangents([3]float64{1}) // of a brake, whose row is a tangential one
	return m.late.upTo(ctx, m.film.tail.t, m.kicks.Next, func(row *ImpulseRow) float64 { return row.T }, func(row *ImpulseRow) {
		i, known := m.stops[row.B]
		if !known {
			return
		}
		x := &r.Stops[i]
		size := x.Side * row.On[0]
		if x.Brake != nil {
			size = vec3.Dot(row.On, along)
		}
		m.film.at(row.T, func(f *bodyFrame) {
			if f.stops == nil {
				f.stops = map[int]float64{}
			}
			f.stops[i] += size
		})
	})
}

// act is what acts on a body: its wrench at a frame.
type act struct {
	report.SceneAct
	at            func(f *bodyFrame, poses []bodies.Pose) (force, moment [3]float64)
	force, moment [3][]float64
	most          [2]float64 // of force and moment
}

// acts declares loads and stops of joints, and the points at which they act.
func (s *bodyScene) acts() {
	setup := &s.m.setup
	load := func(p *bodies.Push) {
		s.add(fmt.Sprintf("load on %s", setup.IDs[p.Body]), false, bodyPoint{p.Body, p.At},
			func(f *bodyFrame, poses []bodies.Pose) (force, moment [3]float64) {
				return p.Given(&poses[p.Body].Rotation, f.t, 0)
			})
	}
	pushes := setup.World.Pushes()
	for i := range pushes {
		load(&pushes[i])
	}
	r := setup.Rigid
	if r == nil {
		return
	}
	for _, x := range r.Forces() {
		if p, ok := x.(*multibody.Push); ok {
			load((*bodies.Push)(p))
		}
	}
	for i := range r.Stops {
		x := &r.Stops[i]
		s.add(r.StopName(i), true, bodyPoint{x.A, x.AtA}, func(f *bodyFrame, poses []bodies.Pose) (force, moment [3]float64) {
			if !(f.h > 0) {
				return
			}
			size, axis := x.Scale*f.stops[i]/f.h, multibody.ToSpace(multibody.PoseOf(poses, x.B), x.Axis)
			if x.Slides {
				return vec3.Scale(axis, size), moment
			}
			if setup.World.Dim() == 2 {
				axis = [3]float64{2: 1}
			}
			return force, vec3.Scale(axis, size)
		})
	}
}

func (s *bodyScene) add(name string, joint bool, at bodyPoint, wrench func(f *bodyFrame, poses []bodies.Pose) (force, moment [3]float64)) {
	s.acting = append(s.acting, act{SceneAct: report.SceneAct{Name: name, Joint: joint, Point: s.point(at), Body: at.body}, at: wrench})
}

// observe appends what acts at a frame.
func (x *act) observe(s *bodyScene, f *bodyFrame, poses []bodies.Pose) {
	force, moment := x.at(f, poses)
	if force = s.upright(force); s.m.setup.World.Dim() == 2 {
		moment = [3]float64{1: -moment[2]} // from x to z
	}
	x.most = [2]float64{max(x.most[0], vec3.Norm(force)), max(x.most[1], vec3.Norm(moment))}
	for c := range 3 {
		x.force[c], x.moment[c] = append(x.force[c], force[c]), append(x.moment[c], moment[c])
	}
}

// shown puts what acts at some time into the scene, and returns the largest force of each time.
func (s *bodyScene) shown() []float64 {
	forces, moments := make([]float64, len(s.Times)), make([]float64, len(s.Times))
	for i := range s.acting {
		x := &s.acting[i]
		for _, v := range []struct {
			most   float64
			values *[3][]float64
			to     *[]report.Channel
			size   []float64
		}{{x.most[0], &x.force, &x.Force, forces}, {x.most[1], &x.moment, &x.Moment, moments}} {
			if !(v.most > 0) {
				continue
			}
			for c := range 3 {
				*v.to = append(*v.to, report.NewExactChannel(v.values[c]))
			}
			for k := range v.size {
				v.size[k] = max(v.size[k], math.Hypot(math.Hypot(v.values[0][k], v.values[1][k]), v.values[2][k]))
			}
		}
		if x.Force != nil || x.Moment != nil {
			s.Acts = append(s.Acts, x.SceneAct)
		}
	}
	s.Moment = report.ForceScale(moments)
	return forces
}
