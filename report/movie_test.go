package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image/color"
	"image/gif"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// everything is a scene with all that can be drawn: a particle on a plane with a force, a
// spring to an anchor, a mesh, bodies of all shapes, joints, pushes.
func everything() *Scene {
	half, round := [3]float64{1, 2, 3}, [3]float64{2, 1, 1}
	const frames, points = 3, 5
	at := func(c int) Channel {
		var list []float64
		for k := range frames {
			for i := range points {
				list = append(list, float64((i*7+c*3)%5)+0.3*float64(k))
			}
		}
		return NewChannel(list)
	}
	ones := NewChannel([]float64{1, 2, 3})
	s := &Scene{Times: []float64{0, 0.5, 1}, IDs: []string{"p", "a", "b", "c", "anchor"}, Points: points, Anchors: 4,
		Particles: 1, Contacts: 1, On: []int{0}, Force: 3,
		Links: [][3]int{{0, 4, LinkSpring}, {1, 2, LinkBar}, {2, 3, LinkRod}}, Polygons: [][]int{{1, 2, 3}},
		Obstacles: []Obstacle{{P: [3]float64{0, 0, 0}, T: [3]float64{1, 0, 0}, O: [3]float64{0, 1, 0}, N: [3]float64{0, 0, 1}}},
		X:         at(0), Y: at(1), Z: at(2), N: ones, T1: ones, T2: ones, Bound: ones,
		Status: base64.StdEncoding.EncodeToString([]byte{0, 2, 3}),
		Bodies: []SceneBody{{Name: "polygon", Outline: [][2]float64{{0, 0}, {1, 0}, {0, 1}}},
			{Name: "box", Half: &half}, {Name: "ball", Round: &round}, {Name: "capsule", Length: 2, Radius: 0.5}, {Name: "point"}},
		Joints: []SceneMark{{Point: 0, Kind: "ground"}, {Point: 1, Kind: "anchor"}, {Point: 2, Kind: "joint"},
			{Point: 3, Kind: "slider", Rail: &[2][3]float64{{}, half}}}}
	for c := range 7 {
		var list []float64
		for k := range frames {
			for b := range s.Bodies {
				list = append(list, math.Sin(float64(c+b+k)))
			}
		}
		s.Pose = append(s.Pose, NewChannel(list))
	}
	p := &Pushes{Count: []int{0, 1, 2}, Status: base64.StdEncoding.EncodeToString([]byte{2, 3, 2}), A: []int{0, 0, 1}, B: []int{1, -1, 2}}
	for c := range 3 {
		p.At[c], p.Normal[c], p.Cross[c] = ones, ones, ones
	}
	s.Pushes = p
	return s
}

// TestFilms: each ending gives what it says, others are refused before anything is drawn.
func TestFilms(t *testing.T) {
	dir, ctx, s := t.TempDir(), context.Background(), everything()
	film := func(name string, o FilmOptions) ([]byte, error) {
		name = filepath.Join(dir, name)
		if err := s.WriteFilm(ctx, name, "a title", o); err != nil {
			return nil, err
		}
		return os.ReadFile(name)
	}
	text, err := film("x.svg", FilmOptions{Frames: 3})
	if err != nil || !bytes.HasPrefix(text, []byte("<svg")) {
		t.Fatal(err)
	}
	harmless(t, "the film", string(text))
	if !bytes.Contains(text, []byte(">a title</text>")) || !bytes.Contains(text, []byte(">3 N</text>")) ||
		!bytes.Contains(text, []byte(">friction</text>")) {
		t.Error("the film has no title, no key of its arrows or no legend")
	}
	text, err = film("x.GIF", FilmOptions{Frames: 3, Time: 6})
	if err != nil {
		t.Fatal(err)
	}
	moving, err := gif.DecodeAll(bytes.NewReader(text))
	if err != nil || len(moving.Image) != 3 || moving.Delay[0] != 200 || moving.LoopCount != 0 {
		t.Fatalf("%v, %d frames", err, len(moving.Image))
	}
	if bytes.Equal(moving.Image[0].Pix, moving.Image[2].Pix) {
		t.Error("the film does not move")
	}
	if r, g, b, _ := moving.Image[0].At(moving.Image[0].Bounds().Dx()-1, 0).RGBA(); r>>12 != 15 || g>>12 != 15 || b>>12 != 15 {
		t.Errorf("the corner is %x %x %x, want the paper", r, g, b)
	}
	text, err = film("x.png", FilmOptions{Frames: 3, Strip: true})
	if err != nil {
		t.Fatal(err)
	}
	still, err := png.Decode(bytes.NewReader(text))
	if err != nil || still.Bounds().Dx() != 3*260 {
		t.Errorf("%v, %v", err, still.Bounds())
	}
	for name, o := range map[string]FilmOptions{"x.avi": {Frames: 3}, "x": {Frames: 3}, "x.png": {Frames: 3},
		"strip.gif": {Frames: 3, Strip: true}} {
		var format *FormatError
		if _, err := film(name, o); !errors.As(err, &format) || CheckFilm(name, o) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&Scene{}).Film("", FilmOptions{Frames: 2}); !errors.Is(err, errNoScene) {
		t.Error(err)
	}
	if _, err := film("x.gif", FilmOptions{Frames: 1}); err == nil {
		t.Error("a film of one frame")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := s.WriteFilm(stopped, filepath.Join(dir, "stopped.gif"), "", FilmOptions{Frames: 3}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "stopped.gif")); err == nil {
		t.Error("half a film was left")
	}
}

// TestMP4 hands PNG frames to a program that stands in for ffmpeg, or to ffmpeg itself.
func TestMP4(t *testing.T) {
	dir := t.TempDir()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		script := "#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\n"
		if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "x.mp4")
	if err := everything().WriteFilm(context.Background(), name, "", FilmOptions{Frames: 2}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Size() < 1000 {
		t.Errorf("%v, %v", info, err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := CheckFilm("x.mp4", FilmOptions{Frames: 2}); err == nil || !strings.Contains(err.Error(), "ffmpeg") {
		t.Error(err)
	}
}

func TestColourOf(t *testing.T) {
	for hex, want := range map[string]color.RGBA{"#fff": {255, 255, 255, 255}, "#d55e00": {213, 94, 0, 255}} {
		if got := colourOf(hex); got != want {
			t.Errorf("%s: %v", hex, got)
		}
	}
}

// TestFilmOfManyBodies: a film of 200 balls with 400 contacts in 20 frames has less than a megabyte, and
// of the contacts those that a ball hides are not drawn.
func TestFilmOfManyBodies(t *testing.T) {
	const frames, balls, each, radius = 20, 200, 2, 0.1
	s := &Scene{Force: 1, Box: &[2][3]float64{{-1, -1, 0}, {1, 1, 4}}}
	var pose, place, force [7][]float64
	var states []byte
	p := &Pushes{}
	for k := range frames {
		s.Times = append(s.Times, float64(k)/frames)
		p.Count = append(p.Count, each*balls)
		for b := range balls {
			x := [7]float64{2*radius*float64(b%5) - 0.4, 2*radius*float64(b/5%5) - 0.4, 0.4 * float64(b/25), 1}
			for c, v := range x {
				pose[c] = append(pose[c], v+0.001*float64(k))
			}
			for side := range each { // before and behind the ball, as all views but that from above see it
				for c := range 3 {
					at := x[c]
					if c == 1 {
						at += radius * float64(2*side-1)
					}
					place[c], force[c] = append(place[c], at), append(force[c], 0.5*float64(c))
				}
				states = append(states, StatusStick)
			}
			p.A, p.B = append(p.A, b, b), append(p.B, -1, -1)
		}
	}
	for b := range balls {
		s.Bodies = append(s.Bodies, SceneBody{Name: "b" + strconv.Itoa(b), Round: &[3]float64{radius, radius, radius}})
	}
	for c := range pose {
		s.Pose = append(s.Pose, NewChannel(pose[c]))
	}
	p.Status = base64.StdEncoding.EncodeToString(states)
	for c := range 3 {
		p.At[c], p.Normal[c], p.Cross[c] = NewChannel(place[c]), NewChannel(force[c]), NewChannel(make([]float64, len(force[c])))
	}
	s.Pushes = p
	film, err := s.Film("many", FilmOptions{Frames: frames})
	if err != nil || len(film) > 1_000_000 {
		t.Errorf("%d bytes, %v", len(film), err)
	}
	// What is the same in all frames is written once, and the others refer to it.
	squares := regexp.MustCompile(`<g id="(l\d+)"><g fill="`+filmStick+`"><path d="([^"]*)"`).FindAllSubmatch(film, -1)
	if len(squares) != 1 || bytes.Count(film, []byte(`<use href="#`+string(squares[0][1])+`"/>`)) != frames-1 {
		t.Fatalf("contacts are written %d times, of %d frames", len(squares), frames)
	}
	if n := bytes.Count(squares[0][2], []byte("M")); n == 0 || n > balls {
		t.Errorf("%d of %d contacts are drawn, half of which are behind a ball", n, each*balls)
	}
}

// TestGLB: the file is one of glTF 2.0 as far as its parts fit together, and a body is where the scene has
// it at the last frame, which is at the time of the run. (The validator of Khronos finds no fault in the
// files of nine cases; it is no module of Go.)
func TestGLB(t *testing.T) {
	s := everything()
	name := filepath.Join(t.TempDir(), "x.glb")
	if err := s.WriteFilm(context.Background(), name, "", FilmOptions{Frames: 3}); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	word := func(at int) int { return int(binary.LittleEndian.Uint32(file[at:])) }
	text := file[20 : 20+word(12)]
	numbers := file[28+len(text):]
	if string(file[:4]) != "glTF" || word(8) != len(file) || word(20+len(text)) != len(numbers) || len(text)%4+len(numbers)%4 != 0 {
		t.Fatalf("%q, %d bytes of %d, %d of numbers", file[:4], word(8), len(file), len(numbers))
	}
	var g struct {
		Accessors   []struct{ BufferView, Count int }
		BufferViews []struct{ ByteOffset, ByteLength int }
		Nodes       []struct{ Name string }
		Animations  []struct {
			Samplers []struct{ Input, Output int }
			Channels []struct {
				Sampler int
				Target  struct {
					Node int
					Path string
				}
			}
		}
	}
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	list := func(accessor int) (list []float64) {
		v := g.BufferViews[g.Accessors[accessor].BufferView]
		for b := numbers[v.ByteOffset : v.ByteOffset+v.ByteLength]; len(b) > 0; b = b[4:] {
			list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		}
		return list
	}
	found := 0
	for _, c := range g.Animations[0].Channels {
		x := g.Animations[0].Samplers[c.Sampler]
		times, values := list(x.Input), list(x.Output)
		if len(times) != 3 || times[2] != 1 || len(values)%3 != 0 {
			t.Errorf("%s has %d values at %v", c.Target.Path, len(values), times)
		}
		if g.Nodes[c.Target.Node].Name != "ball" || c.Target.Path != "translation" {
			continue
		}
		found++
		for k := range 3 {
			want, err := s.Pose[k].values()
			if err != nil {
				t.Fatal(err)
			}
			if v := want[2*len(s.Bodies)+2]; math.Abs(values[6+k]-v) > 1e-6 {
				t.Errorf("the ball ends at %v, want %g", values[6:], v)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d channels move the ball", found)
	}
}
