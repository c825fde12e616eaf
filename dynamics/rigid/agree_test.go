package rigid_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// TestReplayFarOff: a box that tips over its edge on ice, with and without 1e4 m between it and the
// origin. The rounding of gaps there is no reason to take the arms of a round before: the impulses
// had other levers than those of the step.
func TestReplayFarOff(t *testing.T) {
	for _, off := range []float64{0, 1e4} {
		box := func() *rigid.Stepper {
			w := world(t, 3, [3]float64{0, 0, -9.81})
			must[int](t)(w.AddHalfSpace([3]float64{off}, [3]float64{0, 0, 1}))
			const a, turn = .054, .6
			height := math.Sin(turn)*.079/2 + math.Cos(turn)*a/2
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{a, .079, a}}, Mass: 623,
				Position:    [3]float64{off, .2, height},
				Orientation: [4]float64{math.Cos(turn / 2), math.Sin(turn / 2), 0, 0}, Velocity: [3]float64{-.9, -1.8, 0}}))
			return start(t, w, multibody.Setup{}, rigid.Options{Alpha: .5})
		}
		if n := replays(t, box(), box(), .005, 20); n < 5 {
			t.Errorf("%g m off: %d steps with contacts", off, n)
		}
	}
}

// TestReplayBlow: a capsule of 1 g that rolls on a floor is met by one of 426 kg, and then has one
// end on the floor still. The rounds of the step after the blow begin with impulses of a thousand
// times what the last has: what they leave out of the bend of the floor's touch is to come back.
func TestReplayBlow(t *testing.T) {
	open := func() *rigid.Stepper {
		w := world(t, 3, [3]float64{2.899053227347741, 0, -9.371850958322195})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Capsule{Length: 0.3956561492524522, R: 0.059348422387867826},
			Mass:        0.0013510766241590128,
			Position:    [3]float64{0.016625219152380091, -0.2398067501315439, 0.059348422387863108},
			Orientation: [4]float64{0.96198910281947836, -0.042608096717736757, -0.011935683136943414, 0.26947923040323812},
			Velocity:    [3]float64{0.25646366714705476, -0.42184180735308352}, Spin: [3]float64{8.3184053465156929}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Capsule{Length: 0.5638052923372787, R: 0.005638052923372788}, Mass: 425.67739994528586,
			Position:    [3]float64{0.20857981136144729, 0.022110134399454973, 0.37417157794154615},
			Orientation: [4]float64{-0.18606437711908097, -0.5645509171125157, 0.32083754715346796, 0.73737750026106164},
			Velocity:    [3]float64{1.6379650734514706, 0, -8.5339698816714744}}))
		return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 1}}, rigid.Options{Alpha: .5})
	}
	if n := replays(t, open(), open(), .005, 3); n < 2 {
		t.Errorf("%d steps with contacts", n)
	}
}

// TestReplayPlate: a plate of 16 kg falls onto a ball of 3 g and past it onto the floor, on the
// grid of gaps. Newton's method for the states of its ten contacts goes through impulses that take
// each other back: the spin that it left the plate with, 1e-5 rad/s, was of none of those in the
// files.
func TestReplayPlate(t *testing.T) {
	open := func() *rigid.Stepper {
		w := world(t, 3, [3]float64{0, 0, -9.81})
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: 0.03158642909837604}, Mass: 0.0026212427622049543,
			Position:    [3]float64{-0.15059727335756179, -0.048480119338038752, 0.031586429098376036},
			Orientation: [4]float64{-0.33692795357167532, -0.54446622717381865, -0.61839857006504317, 0.45565259805099406}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{0.29564357347969217, 0.29564357347969217,
			0.0029564357347969215}}, Mass: 16.040272001551756,
			Position: [3]float64{-0.14772313536377624, -0.10733803279459958, 0.09151600339484166},
			Velocity: [3]float64{0.0, 0.0, -11.056567069030688}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{0.49774682326811326, 0.49774682326811326,
			0.004977468232681133}}, Mass: 2.9584072010227374, // far above: makes the unit of length
			Position: [3]float64{0.12913349781047145, -0.01660830651172429, 7.727572526982718},
			Velocity: [3]float64{0.0, 0.0, -12.47601033294792}}))
		return start(t, w, multibody.Setup{Material: multibody.Material{Mu: 3}}, rigid.Options{Grid: rigid.GapGrid})
	}
	if n := replays(t, open(), open(), .01, 6); n < 2 {
		t.Errorf("%d steps with contacts", n)
	}
}
