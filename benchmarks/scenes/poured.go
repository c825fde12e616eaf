package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// object is one of a case in JSON.
type object = map[string]any

// scene is a case and the number of its steps that are timed; those after which all rests are not
// counted.
type scene struct {
	file  string
	steps int
	rest  bool // it is one of those that end where all rests, which take minutes: -rest
}

// common are the parts that the scenes made here share: steps of 5 ms, a floor, friction mu.
func common(name string, steps int, mu float64) object {
	return object{
		"name": name, "model": "rigid", "until": .005 * float64(steps), "steps": steps, "gravity": []float64{0, 0, -9.81},
		"obstacles": object{"floor": object{"point": []float64{0, 0, 0}, "normal": []float64{0, 0, 1}}},
		"friction":  object{"dry": object{"mu": mu}}, "material": "dry", "pointedness": false,
	}
}

// spheres fall in a box of wide × deep columns, layers above each other, every third shifted.
func spheres(wide, deep, layers, steps int) object {
	c := common(fmt.Sprintf("spheres-%d", wide*deep*layers), steps, .5)
	c["grid"] = "gaps"
	o := c["obstacles"].(object)
	for name, n := range map[string][]float64{"left": {1, 0, 0}, "right": {-1, 0, 0}, "front": {0, 1, 0}, "back": {0, -1, 0}} {
		o[name] = object{"point": []float64{-n[0] * (.11*float64(wide) + .05), -n[1] * (.11*float64(deep) + .05), 0}, "normal": n}
	}
	var bodies []object
	for k := range layers {
		for i := range wide * deep {
			x, y := .22*(float64(i/deep)-.5*float64(wide-1))+.013*float64(k%3), .22*(float64(i%deep)-.5*float64(deep-1))
			bodies = append(bodies, object{"id": fmt.Sprintf("s%d", len(bodies)), "mass": 1,
				"position": []float64{x, y, .15 + .22*float64(k)},
				"shape":    object{"type": "sphere", "radius": .1}})
		}
	}
	c["bodies"] = bodies
	return c
}

// columns are boxes stacked in columns and dropped from .05 m.
func columns(side, high, steps int) object {
	c := common(fmt.Sprintf("boxes-%d-dropped", side*side*high), steps, .5)
	var bodies []object
	for i := range side * side * high {
		at := []float64{.25 * float64(i%side), .25 * float64(i/side%side), .15 + .2*float64(i/side/side)}
		bodies = append(bodies, object{"id": fmt.Sprintf("b%d", i), "mass": 1, "position": at,
			"shape": object{"type": "box", "size": []float64{.2, .2, .2}}})
	}
	c["bodies"] = bodies
	return c
}

// jittered moves the bodies of a case by up to some lengths, by numbers of a fixed seed: columns
// that stand are islands equal to the last bit, which are solved once, and these are not.
func jittered(c object, by [3]float64) object {
	random := rand.New(rand.NewPCG(17, 0))
	for _, b := range c["bodies"].([]object) {
		at := b["position"].([]float64)
		for k := range at {
			at[k] += by[k] * (2*random.Float64() - 1)
		}
	}
	c["name"] = c["name"].(string) + "-jittered"
	return c
}

// wall is a single-leaf wall of bricks in running bond, wide × high, that a ball strikes.
func wall(wide, high, steps int) object {
	c := common(fmt.Sprintf("wall-%d-struck", wide*high), steps, .5)
	c["grid"] = "gaps"
	var bodies []object
	for row := range high {
		for k := range wide {
			x := .2 * (float64(k) + .5*float64(row%2))
			bodies = append(bodies, object{"id": fmt.Sprintf("b%d", len(bodies)), "mass": 4,
				"position": []float64{x, 0, .05 + .1*float64(row)},
				"shape":    object{"type": "box", "size": []float64{.2, .1, .1}}})
		}
	}
	c["bodies"] = append(bodies, object{"id": "ball", "mass": 8,
		"position": []float64{.1 * float64(wide), -.4, .06 * float64(high)}, "velocity": []float64{0, 5, 0},
		"shape": object{"type": "sphere", "radius": .1}})
	return c
}

// restSteps are more than what is poured takes to come to rest.
const restSteps = 10000

// toRest names a case whose run ends where all rests.
func toRest(c object) object {
	c["name"] = c["name"].(string) + "-to-rest"
	return c
}

// pads pinch a capsule with 30 N each, thirty times what its weight of .44 N needs: mujoco#3328.
func pads(steps int) object {
	c := common("capsule-between-pads", steps, .7)
	delete(c["obstacles"].(object), "floor")
	var bodies, joints []object
	for i, sign := range []float64{-1, 1} {
		id, at := fmt.Sprintf("pad%d", i+1), []float64{sign * .014, 0, .5}
		bodies = append(bodies, object{"id": id, "mass": .1, "position": at,
			"shape": object{"type": "box", "size": []float64{.02, .04, .04}}, "load": []float64{-30 * sign, 0, 0}})
		joints = append(joints, object{"id": "slide" + id, "type": "prismatic", "body": id, "at": at, "axis": []float64{1, 0, 0}})
	}
	turn := .7071067811865476
	c["bodies"] = append(bodies, object{"id": "capsule", "mass": .045, "position": []float64{0, 0, .5},
		"orientation": []float64{turn, 0, 0, turn},
		"shape":       object{"type": "capsule", "length": .02, "radius": .004}})
	c["joints"] = joints
	return c
}

// made writes the scenes that are no cases of the repository to a folder.
func made(folder string) ([]scene, error) {
	var list []scene
	for i, x := range []struct {
		c     object
		steps int
	}{{pads(200), 200}, {columns(10, 5, 200), 200}, {spheres(10, 10, 10, 300), 300}, {spheres(20, 15, 10, 300), 300},
		{jittered(spheres(5, 5, 8, 160), [3]float64{.004, .004, .004}), 160},
		{jittered(spheres(10, 10, 10, 100), [3]float64{.004, .004, .004}), 100},
		{jittered(columns(10, 5, 60), [3]float64{.004, .004}), 60}, {wall(8, 6, 60), 60},
		{toRest(jittered(spheres(10, 10, 10, restSteps), [3]float64{.004, .004, .004})), restSteps}} {
		data, err := json.Marshal(x.c)
		if err != nil {
			return nil, err
		}
		file := filepath.Join(folder, fmt.Sprintf("made%d.json", i))
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return nil, err
		}
		list = append(list, scene{file, x.steps, x.steps == restSteps})
	}
	return list, nil
}
