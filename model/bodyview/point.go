package bodyview

import "github.com/quasistatic/quasistatic/dynamics/bodies"

// bodyPoint is a point of a body, in its frame; body −1: of the ground.
type bodyPoint struct {
	body int
	y    [3]float64
}

// fixed returns the point of a body that is at x where the bodies have some poses.
func fixed(poses []bodies.Pose, body int, x [3]float64) bodyPoint {
	if body < 0 {
		return bodyPoint{-1, x}
	}
	p := &poses[body]
	var y [3]float64
	for i := range y {
		for k := range 3 {
			y[i] += p.Rotation[3*k+i] * (x[k] - p.Centre[k])
		}
	}
	return bodyPoint{body, y}
}

// turned returns R y.
func turned(p *bodies.Pose, y [3]float64) (x [3]float64) {
	for i := range x {
		for k := range 3 {
			x[i] += p.Rotation[3*i+k] * y[k]
		}
	}
	return x
}
