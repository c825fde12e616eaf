package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// elasticBlock is a block of trilinear bricks whose top is held, pressed on uneven
// ground and dragged: M is the stiffness, v the displacements of the free nodes, f
// the forces of the prescribed ones. Reduced to its k×k nodes at the bottom, W is full.
func elasticBlock(g *generator, n int) *contact.Global {
	k := max(2, int(math.Round(math.Sqrt(float64(n)))))
	layers := max(2, min(8, k/2))
	size := 1.0 / float64(k-1) // of a brick [m]
	ke := brickStiffness(1e6, 0.3, size)
	at := func(x, y, z int) int { return (z*k+y)*k + x } // z = layers is prescribed
	free := k * k * layers
	b := sparse.NewBuilder(3 * free)
	eachBrick(k, layers, at, func(nodes *[8]int) {
		for _, i := range nodes {
			for _, j := range nodes {
				if i < free && j <= i {
					for a := range 3 {
						for c := range 3 {
							b.Add(3*i+a, 3*j+c)
						}
					}
				}
			}
		}
	})
	p := &contact.Global{M: b.Build(), F: make([]float64, 3*free), W: make([]float64, 3*k*k), Laws: make([]contact.Law, k*k),
		H: &contact.Jacobian{Dim: 3, Rows: 3 * free, Ptr: []int{0}}}
	angle := g.between(0, 2*pi)
	drag, press := g.between(0, 0.01), g.between(0.002, 0.02)
	top := [3]float64{drag * math.Cos(angle), drag * math.Sin(angle), -press}
	eachBrick(k, layers, at, func(nodes *[8]int) {
		for i, ni := range nodes {
			for j, nj := range nodes {
				for a := range 3 {
					for c := range 3 {
						v := ke[(3*i+a)*24+3*j+c]
						switch {
						case ni >= free:
						case nj >= free:
							p.F[3*ni+a] -= v * top[c]
						case 3*ni+a >= 3*nj+c:
							p.M.AddAt(3*ni+a, 3*nj+c, v)
						}
					}
				}
			}
		}
	})
	curve := g.between(0, 0.04) // of the ground [1/m]
	for y := range k {
		for x := range k {
			j := at(x, y, 0)
			dx, dy := float64(x)*size-0.5, float64(y)*size-0.5
			p.W[3*j] = curve * (dx*dx + dy*dy)
			p.Laws[j] = contact.Coulomb{Mu: g.mu}
			p.H.Row = append(p.H.Row, 3*j, 3*j+1, 3*j+2)
			p.H.Val = append(p.H.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0)
			p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
		}
	}
	return p
}

// eachBrick visits the corners of each brick, in the order of brickCorners.
func eachBrick(k, layers int, at func(x, y, z int) int, visit func(nodes *[8]int)) {
	for z := range layers {
		for y := range k - 1 {
			for x := range k - 1 {
				var nodes [8]int
				for c := range nodes {
					nodes[c] = at(x+c&1, y+c>>1&1, z+c>>2)
				}
				visit(&nodes)
			}
		}
	}
}

// brickStiffness is the 24×24 stiffness of a cube of the given edge,
//
//	K = ∫ Bᵀ C B,  C = λ 1⊗1 + 2G I,
//
// by 2×2×2 points of Gauss; corner c lies at the bits of c.
func brickStiffness(young, poisson, edge float64) *[576]float64 {
	lambda := young * poisson / ((1 + poisson) * (1 - 2*poisson))
	shear := young / (2 * (1 + poisson))
	weight := edge * edge * edge / 8
	var k [576]float64
	for point := range 8 {
		var grad [8][3]float64
		for c := range grad {
			f, d := [3]float64{}, [3]float64{}
			for a := range 3 {
				x := 0.5 - 1/math.Sqrt(12)
				if point>>a&1 == 1 {
					x = 1 - x
				}
				if c>>a&1 == 1 {
					f[a], d[a] = x, 1
				} else {
					f[a], d[a] = 1-x, -1
				}
			}
			grad[c] = [3]float64{d[0] * f[1] * f[2] / edge, f[0] * d[1] * f[2] / edge, f[0] * f[1] * d[2] / edge}
		}
		for i := range 8 {
			for j := range 8 {
				dot := grad[i][0]*grad[j][0] + grad[i][1]*grad[j][1] + grad[i][2]*grad[j][2]
				for a := range 3 {
					for b := range 3 {
						v := lambda*grad[i][a]*grad[j][b] + shear*grad[i][b]*grad[j][a]
						if a == b {
							v += shear * dot
						}
						k[(3*i+a)*24+3*j+b] += weight * v
					}
				}
			}
		}
	}
	return &k
}
