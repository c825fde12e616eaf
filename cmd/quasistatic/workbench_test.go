package main

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/report"
)

// worked is what a page does when it is worked with.
type worked struct {
	Plots, Columns        int
	Play                  float64 // lower edge of the button
	Tip, Hash, State      string
	Home, End             string
	Toggled, Whole        int // curves drawn with one hidden, and all
	Zoomed                [2]float64
	Log, Found            string
	Picked, First, Same   string
	Moved, Panned, Closer bool
	CSV                   int
	Lead                  string
	Expected              int // marks of expectations in the plot of the column of the first one
}

// work uses what there is beside the film: plots, columns, keys, zoom, pick, links.
const work = `(async function () {
	var $ = function (id) { return document.getElementById(id); }, r = {}, pause = function () { return new Promise(function (done) { setTimeout(done, 30); }); };
	for (var i = 0; i < 400 && !document.querySelector("svg.plot"); i++) await pause();
	var figures = [].filter.call(document.querySelectorAll("#figures figure"), function (f) { return f.querySelector("svg.plot[data-t0]"); }), f = figures[0], svg = function () { return f.querySelector("svg"); };
	r.plots = document.querySelectorAll("svg.plot").length;
	r.play = $("play").getBoundingClientRect().bottom;
	var fire = function (type, share, y) { var s = svg(), d = s.dataset, b = s.getBoundingClientRect(), k = b.width / s.viewBox.baseVal.width; s.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: b.left + k * (+d.x0 + share * (d.x1 - d.x0)), clientY: b.top + k * ((+d.y0 + +d.y1) / 2) })); };
	fire("pointermove", 0.5);
	r.tip = f.querySelector(".tip").innerText;
	r.whole = svg().querySelectorAll("g[clip-path] path").length;
	var toggle = f.querySelector(".toggle");
	if (toggle) { toggle.dispatchEvent(new MouseEvent("click", { bubbles: true })); r.toggled = svg().querySelectorAll("g[clip-path] path").length; f.querySelector(".toggle").dispatchEvent(new MouseEvent("click", { bubbles: true })); }
	fire("pointerdown", 0.25); fire("pointermove", 0.5); fire("pointerup", 0.5);
	r.zoomed = [+svg().dataset.from, +svg().dataset.to];
	svg().dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
	var log = [].filter.call(f.querySelectorAll(".tools button"), function (b) { return b.textContent === "log"; })[0];
	if (log) { log.click(); r.log = svg().outerHTML.indexOf(">1e") >= 0 ? "decades" : "log"; log.click(); }
	var key = function (k) { document.dispatchEvent(new KeyboardEvent("keydown", { key: k })); };
	key("End"); r.end = $("state").textContent; r.hash = location.hash;
	key("Home"); r.home = $("state").textContent;
	var shot = function () { return $("picture").toDataURL(); }, before = shot();
	key("+"); r.closer = shot() !== before; key("0"); r.same = String(shot() === before);
	var p = $("picture"), box = p.getBoundingClientRect(), drag = function (type, x, y, shift) { p.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: box.left + x, clientY: box.top + y, shiftKey: !!shift, buttons: 1 })); };
	p.setPointerCapture = function () {};
	drag("pointerdown", 200, 100); drag("pointermove", 240, 100, true); drag("pointermove", 260, 100, true); drag("pointerup", 260, 100, true);
	r.panned = shot() !== before; key("0");
	r.first = $("chosen").value; key("]"); r.picked = $("chosen").value;
	$("explore").open = true; await pause();
	$("search").value = "no such column"; $("search").dispatchEvent(new Event("input")); r.found = $("found").textContent;
	$("search").value = ""; $("search").dispatchEvent(new Event("input"));
	document.querySelector("#columns input").click(); await pause();
	r.columns = document.querySelectorAll("#plot-columns g[clip-path] path").length;
	var row = [].filter.call(document.querySelectorAll("tr[data-want]"), function (e) { return /^position /.test(e.dataset.place); })[0];
	if (row) { row.click(); await pause(); r.expected = document.querySelectorAll("#plot-columns g[clip-path] rect").length; }
	var lead = document.querySelector("tr[data-leads]");
	if (lead) { lead.click(); r.lead = lead.dataset.leads + " " + quasistatic.time(); }
	return r;
})()`

// TestWorkbench works with pages of particles, bodies and half-spaces, with curves and maps: hover
// reads numbers, dragging zooms, the legend hides, keys and links go through time, what is picked
// is another, any column can be plotted, and Play is in the first screen, of a phone too.
func TestWorkbench(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for name, many := range map[string]bool{"grazing": false, "slider-crank": true, "cattaneo-mindlin-41": true, "corner": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab, page := browser(t), reported(t, name)
			w := watch(t, tab)
			if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+page)); err != nil {
				t.Fatal(err)
			}
			m := evaluate[worked](t, tab, work)
			end := summaryOf(t, strings.TrimSuffix(page, ".html")).Time
			if m.Plots < 3 || m.Play > 800 || !strings.HasPrefix(m.Tip, "t = ") || m.Whole < 1 {
				t.Errorf("%+v", m)
			}
			if m.Toggled > 0 && m.Toggled != m.Whole-1 {
				t.Errorf("with a curve hidden %d of %d are drawn", m.Toggled, m.Whole)
			}
			if a, b := m.Zoomed[0]/end, m.Zoomed[1]/end; math.Abs(a-0.25) > 0.02 || math.Abs(b-0.5) > 0.02 {
				t.Errorf("zoomed to %v of %g s", m.Zoomed, end)
			}
			if !strings.HasPrefix(m.Home, "t = 0 s") || m.Home == m.End || !strings.HasPrefix(m.Hash, "#t=") {
				t.Errorf("Home shows %q, End %q at %q", m.Home, m.End, m.Hash)
			}
			if !m.Closer || m.Same != "true" || !m.Panned {
				t.Errorf("the picture zooms: %v, is whole again: %s, moves: %v", m.Closer, m.Same, m.Panned)
			}
			if many && m.Picked == m.First {
				t.Errorf("what is picked stays %s", m.Picked)
			}
			if !strings.HasPrefix(m.Found, "0 of ") || m.Columns != 1 {
				t.Errorf("of columns %q are found, %d drawn", m.Found, m.Columns)
			}
			if name == "grazing" && m.Expected < 1 {
				t.Error("what is expected of a column is not in its plot")
			}
			if err := chromedp.Do(tab, chromedp.Navigate("about:blank"), chromedp.EmulateViewport(390, 844),
				chromedp.Navigate("file://"+page+"#t=0.25")); err != nil {
				t.Fatal(err)
			}
			phone := evaluate[[]float64](t, tab, `[document.getElementById("play").getBoundingClientRect().bottom, quasistatic.time()]`)
			if phone[0] > 844 || math.Abs(phone[1]-0.25) > 1e-9 {
				t.Errorf("on a phone Play ends at %g pixels, the link shows t = %g s", phone[0], phone[1])
			}
			w.Lock()
			defer w.Unlock()
			if len(w.errors) > 0 {
				t.Errorf("the page says %q", w.errors)
			}
		})
	}
}

// section clicks through the sections of the first map of a page: what the plots say, the curve of the
// second one, and whether a click on the map moves it.
const section = `(async function () {
	for (var i = 0; i < 400 && !document.querySelector("#figures svg.plot image"); i++) await new Promise(function (done) { setTimeout(done, 30); });
	var f = document.querySelector("#figures svg.plot image").closest("figure"), r = { titles: [] }, svg = function () { return f.querySelector(":scope > svg"); };
	var b = [].filter.call(f.querySelectorAll(".tools button"), function (x) { return x.textContent === "section"; })[0], told = function () { var t = f.querySelector(".section svg text"); r.titles.push(t ? t.textContent : ""); };
	b.click(); told(); r.lines = svg().querySelectorAll(".cut").length;
	var m = svg().querySelector("image"), box = svg().getBoundingClientRect(), k = box.width / svg().viewBox.baseVal.width;
	["pointerdown", "pointerup"].forEach(function (type) { svg().dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: box.left + k * (+m.getAttribute("x") + m.getAttribute("width") / 2), clientY: box.top + k * (+m.getAttribute("y") + m.getAttribute("height") / 4) })); });
	told(); r.most = f.querySelector(".section").plot.lines[0].p.reduce(function (s, v, i) { return i % 2 ? Math.max(s, v) : s; }, 0);
	b.click(); told(); b.click(); told();
	return r;
})()`

// TestSection: a map has a section along x or y, through its largest value or where it is clicked, whose
// values are those of the map. Pressed spheres have Hertz's pressure p(r) = p₀ (1 − r²/a²)^½: a quarter of
// the window of 41 elements of 5.85 mm from the middle, at r = .0585 m of a = .1 m, .811 p₀, with
// p₀ = .0637 Pa; elements of 6 % of a leave 1 %.
func TestSection(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	tab, page := browser(t), reported(t, "cattaneo-mindlin-41")
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+page)); err != nil {
		t.Fatal(err)
	}
	m := evaluate[struct {
		Titles []string
		Lines  int
		Most   float64
	}](t, tab, section)
	if m.Lines != 1 || m.Titles[0] != "Pressure, y = 0 m" || m.Titles[1] != "Pressure, y = 0.0585 m" || m.Titles[2] != "Pressure, x = 0 m" ||
		m.Titles[3] != "" {
		t.Errorf("%d lines across the map; the sections are %q", m.Lines, m.Titles)
	}
	if want := 0.811 * 0.0637; math.Abs(m.Most-want) > 0.01*want {
		t.Errorf("the largest pressure of the section is %g Pa, want %g", m.Most, want)
	}
}

// TestDepth: of two balls that overlap each is in front on its own side, also where the middle of the other
// one is nearer to the eye; a box within a plate sticks out on both sides. An arrow within a body is dashed,
// unless the bodies are clear.
func TestDepth(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	tab := browser(t)
	one := func(v ...float64) report.Channel { return report.NewExactChannel(v) }
	vector := func(x, y, z float64) [3]report.Channel { return [3]report.Channel{one(x, x), one(y, y), one(z, z)} }
	scene := &report.Scene{Times: []float64{0, 1}, Obstacles: []report.Obstacle{}, Box: &[2][3]float64{{-2, -2, -2}, {2, 2, 4}}, Force: 1,
		Bodies: []report.SceneBody{{Name: "left", Round: &[3]float64{1, 1, 1}}, {Name: "right", Round: &[3]float64{1, 1, 1}},
			{Name: "plate", Half: &[3]float64{1.5, 0.5, 0.1}}, {Name: "bar", Half: &[3]float64{0.2, 0.2, 1}}},
		Pushes: &report.Pushes{Count: []int{1, 1}, A: []int{0, 0}, B: []int{-1, -1}, Status: "AgI=",
			Normal: vector(0, 0, 1), Cross: vector(0, 0, 0), Share: [2]report.Channel{one(0, 0), one(0, 0)}, At: vector(-0.5, 0, 0)}}
	var pose [7][]float64
	for range 2 {
		for _, x := range [][7]float64{{-0.5, 0, 0, 1}, {0.5, 0.3, 0, 1}, {0, 0, 2.5, 1}, {0, 0, 2.5, 1}} {
			for c, v := range x {
				pose[c] = append(pose[c], v)
			}
		}
	}
	for c := range pose {
		scene.Pose = append(scene.Pose, report.NewExactChannel(pose[c]))
	}
	var text bytes.Buffer
	if err := (&report.Page{Title: "depth", Scene: scene}).Write(&text); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "depth.html")
	write(t, text.String(), filepath.Dir(page), "depth.html")
	w := watch(t, tab)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+page)); err != nil {
		t.Fatal(err)
	}
	m := evaluate[struct {
		Picked []string
		Dashed []bool
	}](t, tab, `(function () {
		var $ = function (id) { return document.getElementById(id); }, p = $("picture"), r = { picked: [], dashed: [] };
		$("view").value = "side"; $("view").onchange(); p.setPointerCapture = function () {};
		[[-0.3, 0], [0.3, 0], [-0.02, 0.7], [0.3, 0.7], [1, 2.5], [0, 2.5], [0, 1.8], [0, 3.2], [-1.9, 0]].forEach(function (x) {
			var box = p.getBoundingClientRect(), q = quasistatic.place(x[0], 0, x[1]), event = { pointerId: 1, bubbles: true, clientX: box.left + q[0], clientY: box.top + q[1] };
			p.dispatchEvent(new PointerEvent("pointerdown", event)); p.dispatchEvent(new PointerEvent("pointerup", event));
			r.picked.push($("chosen").options[$("chosen").selectedIndex].text);
		});
		$("chosen").value = "0";
		["1", "0.5"].forEach(function (clear) {
			var proto = CanvasRenderingContext2D.prototype, dash = proto.setLineDash, seen = false;
			proto.setLineDash = function (d) { seen = seen || this.canvas === p && d.length > 0; return dash.call(this, d); };
			$("clear").value = clear; quasistatic.show(0); proto.setLineDash = dash;
			r.dashed.push(seen);
		});
		return r;
	})()`)
	// Seen from −y: over x the balls of unit radius around (−½, 0) and (½, .3) are at y = −(1 − (x + ½)²)^½ and
	// y = .3 − (1 − (x − ½)²)^½, the same at x = .14; at z = .7 at x = .11.
	want := []string{"left", "right", "left", "right", "plate", "plate", "bar", "bar", "all bodies"}
	if !slices.Equal(m.Picked, want) || !slices.Equal(m.Dashed, []bool{true, false}) {
		t.Errorf("picked %q, want %q; dashed %v", m.Picked, want, m.Dashed)
	}
	w.Lock()
	defer w.Unlock()
	if len(w.errors) > 0 {
		t.Errorf("the page says %q", w.errors)
	}
}

// TestContactsOfABody: of a body that is picked the page says what presses on it, contact by contact: the
// lowest of ten boxes of 1 kg stands on four corners, each with m g/4 = 24.5 N.
func TestContactsOfABody(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	tab, page := browser(t), reported(t, "box-stack")
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+page)); err != nil {
		t.Fatal(err)
	}
	text := evaluate[string](t, tab, `(function () {
		quasistatic.show(quasistatic.frames() - 1);
		var list = document.getElementById("chosen");
		list.selectedIndex = 1; list.onchange();
		return document.getElementById("contact").textContent;
	})()`)
	if !strings.HasPrefix(text, "box1: 8 contacts, pressed by ") || strings.Count(text, "floor: pressed by 24.5 N, friction ") != 4 {
		t.Errorf("the page says %q", text)
	}
}

// TestReferenceIsDrawn: the closed form that a case gives a column is drawn dashed in its own plot, the
// first one, and beside the column wherever that is plotted.
func TestReferenceIsDrawn(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	tab, page := browser(t), reported(t, "play")
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+page)); err != nil {
		t.Fatal(err)
	}
	m := evaluate[[]string](t, tab, `(async function () {
		var $ = function (id) { return document.getElementById(id); }, dashed = function (e) { return String(e.querySelectorAll('g[clip-path] path[stroke-dasharray="6 4"]').length); };
		for (var i = 0; i < 400 && !document.querySelector("svg.plot"); i++) await new Promise(function (done) { setTimeout(done, 30); });
		var f = document.querySelector("#figures figure"), r = [f.id, dashed(f), f.querySelector("figcaption").textContent];
		$("explore").open = true; $("search").value = "p.x"; $("search").dispatchEvent(new Event("input"));
		document.querySelector("#columns input").click();
		return r.concat(dashed($("plot-columns")));
	})()`)
	if m[0] != "plot-reference-0" || m[1] != "1" || m[3] != "1" || !strings.HasPrefix(m[2], "Off by at most ") {
		t.Errorf("%q", m)
	}
}

// parts goes through the tabs of a page on a phone: its names, those of which what is shown is not
// only their own, where the keys lead, and whether less motion shows whole frames.
const parts = `(async function () {
	var r = { names: [], mixed: [], empty: [] }, pause = function (ms) { return new Promise(function (done) { setTimeout(done, ms); }); };
	for (var i = 0; i < 400 && !document.querySelector("svg.plot"); i++) await pause(30);
	var canvas = document.getElementById("picture"); window.onerror = function (e) { r.names.push(e); };
	canvas.style.display = "none"; window.dispatchEvent(new Event("resize")); canvas.style.display = "";
	var bar = document.getElementById("tabs"), shown = function (e) { return e.getClientRects().length > 0; };
	[].forEach.call(bar.children, function (b) {
		b.click();
		var own = [].filter.call(document.querySelectorAll("[data-in]"), shown);
		r.names.push(b.textContent);
		if (!own.every(function (e) { return e.dataset.in.split(" ").indexOf(b.dataset.name) >= 0; })) r.mixed.push(b.textContent);
		if (own.length === 0) r.empty.push(b.textContent);
	});
	var key = function (k) { document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true })); return document.body.dataset.tab; };
	bar.firstChild.focus(); r.keys = [key("End"), key("ArrowRight"), key("ArrowRight"), key("Home")].join(" ");
	r.wide = document.documentElement.scrollWidth;
	document.getElementById("play").click(); await pause(250); r.early = quasistatic.at();
	var seen = []; for (i = 0; i < 12; i++) { await pause(60); if (seen.indexOf(quasistatic.at()) < 0) seen.push(quasistatic.at()); }
	r.seen = seen.length; r.whole = seen.every(function (x) { return x === Math.floor(x); });
	return r;
})()`

// TestPhone: on a phone what is below the controls is in tabs, each with its own parts, which keys go
// through; a picture that has no size at a resize is no error; who asked for less motion sees still
// pictures, two a second; on a desk all is shown.
func TestPhone(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for name, want := range map[string]string{"grazing": "Pick Plots Numbers Trust",
		"cattaneo-mindlin-41": "Pick Plots Maps Numbers Trust"} {
		tab, page := browser(t), reported(t, name)
		_, err := chromedp.Call(tab, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(tab, chromedp.EmulateViewport(390, 844), chromedp.Navigate("file://"+page)); err != nil {
			t.Fatal(err)
		}
		m := evaluate[struct {
			Names, Mixed, Empty []string
			Keys                string
			Wide, Seen          int
			Early               float64
			Whole               bool
		}](t, tab, parts)
		first, second := strings.ToLower(strings.Fields(want)[0]), strings.ToLower(strings.Fields(want)[1])
		if strings.Join(m.Names, " ") != want || len(m.Mixed)+len(m.Empty) > 0 ||
			m.Keys != "trust "+first+" "+second+" "+first || m.Wide != 390 {
			t.Errorf("%s: %+v", name, m)
		}
		if m.Early != 0 || m.Seen > 3 || !m.Whole {
			t.Errorf("%s: with less motion after a quarter of a second at frame %g, then %d frames, whole ones: %v",
				name, m.Early, m.Seen, m.Whole)
		}
		if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800)); err != nil {
			t.Fatal(err)
		}
		if hidden := evaluate[int](t, tab, `[].filter.call(document.querySelectorAll("section[data-in]:not([hidden])"), function (e) { return e.getClientRects().length === 0; }).length + (getComputedStyle(document.getElementById("tabs")).display === "none" ? 0 : 1)`); hidden != 0 {
			t.Errorf("%s: on a desk %d parts are hidden", name, hidden)
		}
	}
}
