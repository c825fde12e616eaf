package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"math"
	"slices"
)

// FilmOptions say how a film is drawn.
type FilmOptions struct {
	Frames int     // number, 2 to 400
	Strip  bool    // all frames beside each other, in place of one after the other
	Width  float64 // of a frame [pixels]; 0: 720, or 260 in a strip
	Time   float64 // of the whole film [s]; 0: 8
}

// mostFrames keeps films of a size that is looked at; mostSeconds is the longest.
const (
	mostFrames  = 400
	mostSeconds = 3600
)

// Validate names the first field out of range.
func (o *FilmOptions) Validate() error {
	switch {
	case o.Frames < 2 || o.Frames > mostFrames:
		return fmt.Errorf("frames is %d, want 2 to %d", o.Frames, mostFrames)
	case !(o.Time >= 0 && o.Time <= mostSeconds):
		return fmt.Errorf("seconds is %g, want at most %d", o.Time, mostSeconds)
	}
	return nil
}

// stripGap is between the frames of a strip [pixels].
const stripGap = 4

// errNoScene: there is nothing that moves.
var errNoScene = errors.New("report: the run has nothing to animate")

// Film draws what the page animates as one SVG: frames at equal times, one after the
// other for ever, or beside each other. It needs no program to be seen.
func (s *Scene) Film(title string, o FilmOptions) ([]byte, error) {
	f, frames, err := s.filmed(o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	p := &svgPen{Buffer: &b, layers: map[string]int{}}
	f.pen = p
	columns := 1
	if o.Strip {
		columns = len(frames)
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" font-family="Helvetica,Arial,sans-serif" font-size="%d">`,
		f.w*float64(columns), f.h, f.w*float64(columns), f.h, filmFont)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", html.EscapeString(Plain(title)), filmPaper)
	if !o.Strip {
		f.obstacles() // behind all frames
		f.heading(Plain(title))
	}
	p.end()
	for i, k := range frames {
		if o.Strip {
			fmt.Fprintf(&b, `<svg x="%.0f" width="%.0f" height="%.0f">`, f.w*float64(i)+stripGap/2, f.w-stripGap,
				f.h) // it cuts off what is outside
			f.obstacles()
			f.frame(k)
			p.end()
			b.WriteString("</svg>\n")
			continue
		}
		b.WriteString(turn(i, len(frames), o.seconds()))
		f.frame(k)
		p.end()
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// seconds is the time of the whole film [s].
func (o *FilmOptions) seconds() float64 {
	if o.Time == 0 {
		return 8
	}
	return o.Time
}

// equalTimes returns the frames nearest to n equal times.
func (s *Scene) equalTimes(n int) []int {
	first, last := s.Times[0], s.Times[len(s.Times)-1]
	var list []int
	for i := range n {
		t := first + (last-first)*float64(i)/float64(n-1)
		k, _ := slices.BinarySearch(s.Times, t)
		k = min(k, len(s.Times)-1)
		if k > 0 && t-s.Times[k-1] < s.Times[k]-t {
			k--
		}
		list = append(list, k)
	}
	return list
}

// turn begins the i-th of n frames: it is seen in its part of the time. What shows no
// motion shows a frame from the middle.
func turn(i, n int, seconds float64) string {
	base := "hidden"
	if i == n*2/3 {
		base = "visible"
	}
	from, to := float64(i)/float64(n), float64(i+1)/float64(n)
	values, times := "hidden;visible;hidden", fmt.Sprintf("0;%.5f;%.5f", from, to)
	switch i {
	case 0:
		values, times = "visible;hidden", fmt.Sprintf("0;%.5f", to)
	case n - 1:
		values, times = "hidden;visible", fmt.Sprintf("0;%.5f", from)
	}
	return fmt.Sprintf(`<g visibility="%s"><animate attributeName="visibility" values="%s" keyTimes="%s" calcMode="discrete" dur="%gs" repeatCount="indefinite"/>`,
		base, values, times, seconds)
}

// values decodes a channel.
func (c *Channel) values() ([]float64, error) {
	b, err := base64.StdEncoding.DecodeString(c.Data)
	if err != nil {
		return nil, err
	}
	if c.Exact {
		v := make([]float64, len(b)/4)
		for i := range v {
			v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
		return v, nil
	}
	v := make([]float64, len(b)/2)
	for i := range v {
		v[i] = c.Low + (c.High-c.Low)*float64(binary.LittleEndian.Uint16(b[2*i:]))/math.MaxUint16
	}
	return v, nil
}

// filmer draws frames of a scene with the camera of the page.
type filmer struct {
	s    *Scene
	pen  pen
	w, h float64
	cam  camera

	at, forceOf, normal, cross, place [3][]float64
	contactAxes                       [6][]float64
	pose                              [7][]float64
	moved                             [][7][]float64 // of the obstacles
	status, shades, pushed            []byte
	first                             []int                     // push of each frame
	arrows                            map[string]*arrows        // by colour, of those that are not drawn yet
	edges                             map[*ScenePart][]partEdge // that are drawn
	ground                            map[int]*span             // of the planes, see over
	acts                              []*[3][]float64           // forces of what acts; nil: none
	points                            [][2]float64
	magnify                           float64
	low, high                         [3]float64 // what the picture holds
}

// camera projects as the page does: yaw about the vertical, tilt above the horizon.
type camera struct {
	cy, sy, ct, st, scale, u, v, x, y float64
}

func (c *camera) flat(p [3]float64) (u, v, depth float64) {
	u, d := p[0]*c.cy+p[1]*c.sy, -p[0]*c.sy+p[1]*c.cy
	return u, p[2]*c.ct + d*c.st, d*c.ct - p[2]*c.st
}

// right points to the right of the picture.
func (c *camera) right() [3]float64 { return [3]float64{c.cy, c.sy, 0} }

// eye points to the camera.
func (c *camera) eye() [3]float64 { return [3]float64{c.sy * c.ct, -c.cy * c.ct, c.st} }

func (c *camera) screen(p [3]float64) [2]float64 {
	u, v, _ := c.flat(p)
	return [2]float64{c.x + (u-c.u)*c.scale, c.y - (v-c.v)*c.scale}
}

func newFilmer(s *Scene, o FilmOptions) (*filmer, error) {
	f := &filmer{s: s, w: o.Width, magnify: max(s.Magnify, 1), edges: map[*ScenePart][]partEdge{}, ground: map[int]*span{}, arrows: map[string]*arrows{}}
	if f.w == 0 {
		f.w = 720
		if o.Strip {
			f.w = 260
		}
	}
	if err := f.decode(); err != nil {
		return nil, fmt.Errorf("report: the scene of the page: %w", err)
	}
	f.chooseView()
	return f, nil
}

func (f *filmer) decode() error {
	s := f.s
	var err error
	decode := func(dst *[]float64, c *Channel) {
		if err == nil {
			*dst, err = c.values()
		}
	}
	for i, c := range []*Channel{&s.X, &s.Y, &s.Z} {
		decode(&f.at[i], c)
	}
	for i, c := range []*Channel{&s.N, &s.T1, &s.T2} {
		decode(&f.forceOf[i], c)
	}
	for i := range s.Pose {
		decode(&f.pose[i], &s.Pose[i])
	}
	for i := range s.Axes {
		decode(&f.contactAxes[i], &s.Axes[i])
	}
	f.moved = make([][7][]float64, len(s.Obstacles))
	for k := range s.Obstacles {
		for i := range s.Obstacles[k].Pose {
			decode(&f.moved[k][i], &s.Obstacles[k].Pose[i])
		}
	}
	f.acts = make([]*[3][]float64, len(s.Acts))
	for k := range s.Acts {
		for i := range s.Acts[k].Force {
			if i == 0 {
				f.acts[k] = &[3][]float64{}
			}
			decode(&f.acts[k][i], &s.Acts[k].Force[i])
		}
	}
	text := []struct {
		dst *[]byte
		src string
	}{{&f.status, s.Status}, {&f.shades, s.Shade}}
	if p := s.Pushes; p != nil {
		for i := range 3 {
			decode(&f.place[i], &p.At[i])
			decode(&f.normal[i], &p.Normal[i])
			decode(&f.cross[i], &p.Cross[i])
		}
		text = append(text, struct {
			dst *[]byte
			src string
		}{&f.pushed, p.Status})
		n := 0
		for _, count := range p.Count {
			f.first = append(f.first, n)
			n += count
		}
		f.first = append(f.first, n)
	}
	for _, x := range text {
		if err == nil {
			*x.dst, err = base64.StdEncoding.DecodeString(x.src)
		}
	}
	return err
}

// chooseView chooses view and scale, so that all frames fit.
func (f *filmer) chooseView() {
	low, high := f.box()
	f.low, f.high = low, high
	yaw, tilt := -28*math.Pi/180, 32*math.Pi/180
	switch still := f.stills(); {
	case still[1]:
		yaw, tilt = 0, 0
	case still[0]:
		yaw, tilt = math.Pi/2, 0
	}
	c := &f.cam
	c.sy, c.cy = math.Sincos(yaw)
	c.st, c.ct = math.Sincos(tilt)
	l, h := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range 8 {
		u, v, _ := c.flat([3]float64{[2]float64{low[0], high[0]}[i&1], [2]float64{low[1], high[1]}[i>>1&1],
			[2]float64{low[2], high[2]}[i>>2&1]})
		l, h = [2]float64{min(l[0], u), min(l[1], v)}, [2]float64{max(h[0], u), max(h[1], v)}
	}
	const pad = 0.09
	du, dv := h[0]-l[0], h[1]-l[1]
	least := max(du, dv, 1e-9) * 0.22
	du, dv = max(du, least), max(dv, least)
	f.h = f.w * min(max(dv/du*(1-2*pad)+4*pad, 0.42), 1.25)
	c.scale = min(f.w*(1-2*pad)/du, f.h*(1-4*pad)/dv)
	c.u, c.v, c.x, c.y = (l[0]+h[0])/2, (l[1]+h[1])/2, f.w/2, f.h/2
}

// stills says along which axes nothing moves and no normal leans: the view is across those. Of
// bodies it is what the picture holds that counts.
func (f *filmer) stills() (still [3]bool) {
	var spread [3]float64
	for c, x := range []*Channel{&f.s.X, &f.s.Y, &f.s.Z} {
		spread[c] = x.High - x.Low
		if f.s.Bodies != nil {
			spread[c] = f.high[c] - f.low[c]
		}
	}
	for c := range still {
		still[c] = spread[c] <= 1e-6*max(spread[0], spread[1], spread[2])
		for i := 0; still[c] && f.s.Axes != nil && i < len(f.contactAxes[c]); i++ {
			still[c] = math.Abs(f.contactAxes[c][i]) < 1e-3
		}
		for _, o := range f.s.On {
			still[c] = still[c] && (f.s.Axes != nil || o < 0 || math.Abs(f.s.Obstacles[o].N[c]) < 1e-3)
		}
	}
	return still
}

// box returns the lowest and highest coordinates of all frames.
func (f *filmer) box() (low, high [3]float64) {
	if f.s.Box != nil {
		return f.s.Box[0], f.s.Box[1]
	}
	for c := range 3 {
		low[c], high[c] = math.Inf(1), math.Inf(-1)
	}
	for k := range f.s.Times {
		for i := range f.s.Points {
			for c, x := range f.position(k, i) {
				low[c], high[c] = min(low[c], x), max(high[c], x)
			}
		}
	}
	return low, high
}

// position returns where a point is shown.
func (f *filmer) position(k, i int) (x [3]float64) {
	for c := range x {
		x[c] = f.at[c][k*f.s.Points+i]
		if i < f.s.Anchors {
			x[c] = f.at[c][i] + f.magnify*(x[c]-f.at[c][i])
		}
	}
	return x
}

// filmed returns what draws a film, and the frames that it shows.
func (s *Scene) filmed(o FilmOptions) (*filmer, []int, error) {
	if s == nil || len(s.Times) == 0 {
		return nil, nil, errNoScene
	}
	if o.Frames < 2 {
		return nil, nil, fmt.Errorf("report: a film of %d frames, want at least 2", o.Frames)
	}
	f, err := newFilmer(s, o)
	return f, s.equalTimes(o.Frames), err
}
