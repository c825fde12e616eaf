"use strict";
(function () {
  var $ = function (id) { return document.getElementById(id); };
  var names = ["free", "grazing", "stick", "slip"];
  var scene = null, at = 0, playing = false, last = 0, yaw = 0, tilt = 0;
  var ctx = $("picture").getContext("2d"), colours = {};

  // Decoding: 16 bits a value between lo and hi.
  function bytes(text) {
    var raw = atob(text), b = new Uint8Array(raw.length);
    for (var i = 0; i < raw.length; i++) b[i] = raw.charCodeAt(i);
    return b;
  }
  function channel(c) {
    var b = bytes(c.data), v = new Float32Array(b.length / 2), s = (c.hi - c.lo) / 65535;
    for (var i = 0; i < v.length; i++) v[i] = c.lo + s * (b[2 * i] + 256 * b[2 * i + 1]);
    return v;
  }
  function load(raw) {
    if (!raw || !raw.t || raw.t.length === 0) return;
    var s = { t: raw.t, ids: raw.ids, points: raw.points, anchors: raw.anchors, contacts: raw.contacts, links: raw.links || [],
      polygons: raw.polygons || [], obstacles: raw.obstacles || [], on: raw.on || [], sample: raw.sample, chosen: raw.chosen || 0,
      bodies: raw.bodies || [], joints: raw.joints || [], touching: raw.touching, shadeLabel: raw.shadeLabel || "", magnify: raw.magnify || 1,
      facets: raw.facets || 0, shapes: raw.shapes || null };
    ["x", "y", "z", "n", "t1", "t2", "bound"].forEach(function (k) { s[k] = channel(raw[k]); s[k + "Range"] = [raw[k].lo, raw[k].hi]; });
    s.status = bytes(raw.status);
    s.shade = raw.shade ? bytes(raw.shade) : null;
    s.pose = (raw.pose || []).map(channel);
    s.pushes = raw.pushes ? pushes(raw.pushes) : null;
    if (raw.box) ["x", "y", "z"].forEach(function (k, c) { s[k + "Range"] = [raw.box[0][c], raw.box[1][c]]; });
    s.force = Math.max(Math.abs(raw.n.lo), Math.abs(raw.n.hi), Math.abs(raw.t1.lo), Math.abs(raw.t1.hi), Math.abs(raw.t2.lo), Math.abs(raw.t2.hi), s.pushes ? s.pushes.force : 0);
    var first = scene === null, atEnd = scene !== null && at >= scene.t.length - 1;
    scene = s;
    $("motion").hidden = false;
    document.body.classList.toggle("plain", s.contacts === 0 && !s.pushes);
    document.body.classList.toggle("bodies", s.pushes !== null);
    document.body.classList.toggle("smooth", !s.pushes && !(s.boundRange[1] > 0));
    document.body.classList.toggle("mesh", !!s.touching);
    document.body.classList.toggle("stressed", s.shade !== null);
    document.body.classList.toggle("anchored", s.anchors < s.points);
    $("stress").textContent = s.shadeLabel;
    $("held").textContent = document.body.classList.contains("smooth") ? "in contact" : "stick";
    $("scrub").max = s.t.length - 1;
    if (first) { choices(); magnifications(); setView("auto"); }
    note();
    if (document.body.dataset.live && (first || atEnd) && !playing) at = s.t.length - 1;
    show(Math.min(at, s.t.length - 1), true);
  }
  // Contacts that come and go: those of frame k are numbers from[k] to from[k+1].
  function pushes(raw) {
    var p = { from: [0], at: raw.at.map(channel), normal: raw.normal.map(channel), cross: raw.cross.map(channel), share: raw.share.map(channel), status: bytes(raw.status), force: raw.force, most: 1 };
    raw.count.forEach(function (n) { p.from.push(p.from[p.from.length - 1] + n); p.most = Math.max(p.most, n); });
    return p;
  }
  function magnifications() {
    var list = $("magnify"), has = [].some.call(list.options, function (o) { return +o.value === scene.magnify; });
    $("magnified").hidden = scene.bodies.length > 0;
    if (!has) { var o = document.createElement("option"); o.value = scene.magnify; o.textContent = "× " + scene.magnify; list.appendChild(o); }
    list.value = scene.magnify;
  }
  // How many contacts of frame k are free, grazing, stick, slip; in all.
  function tally(k) {
    var counts = [0, 0, 0, 0], p = scene.pushes;
    if (p) for (var i = p.from[k]; i < p.from[k + 1]; i++) counts[p.status[i]]++;
    for (var j = 0; j < scene.contacts; j++) counts[scene.status[k * scene.contacts + j]]++;
    return counts;
  }
  function choices() {
    var list = $("chosen");
    for (var j = 0; j < scene.contacts; j++) {
      var o = document.createElement("option");
      o.value = j; o.textContent = scene.ids[j];
      list.appendChild(o);
    }
    list.value = scene.chosen;
  }
  function note() {
    var text = scene.sample ? scene.contacts + " of " + scene.sample + " particles are shown. " : "";
    if (!document.body.dataset.live && scene.t.length > 1 && !(travel() >= 1e-4)) text += "Nothing moves by as much as a pixel: see the plots. ";
    $("note").textContent = text;
  }
  // The largest change of a coordinate, as a part of what the picture holds.
  function travel() {
    var extent = 0, most = 0;
    ["x", "y", "z"].forEach(function (k) { extent = Math.max(extent, scene[k + "Range"][1] - scene[k + "Range"][0]); });
    var look = function (v, n, scale) { for (var i = n; i < v.length; i++) most = Math.max(most, Math.abs(v[i] - v[i % n]) / scale); };
    ["x", "y", "z"].forEach(function (k) { if (scene.points) look(scene[k], scene.points, extent); });
    scene.pose.forEach(function (v, i) { look(v, scene.bodies.length, i < 3 ? extent : 1); });
    return most;
  }

  // View: an orthographic camera with yaw about the vertical and tilt above the horizon.
  function setView(kind) {
    var r = function (k) { return scene[k + "Range"][1] - scene[k + "Range"][0]; };
    if (kind === "auto") {
      var flat = 1e-6 * Math.max(r("x"), r("y"), r("z"));
      kind = r("y") <= flat ? "side" : r("x") <= flat ? "end" : "oblique";
    }
    var v = { side: [0, 0], end: [90, 0], top: [0, 90], oblique: [-28, 32] }[kind];
    yaw = v[0] * Math.PI / 180; tilt = v[1] * Math.PI / 180;
  }
  function project(x, y, z) {
    var cy = Math.cos(yaw), sy = Math.sin(yaw), ct = Math.cos(tilt), st = Math.sin(tilt);
    var u = x * cy + y * sy, d = -x * sy + y * cy;
    return [u, z * ct + d * st];
  }
  // The distance from the eye, to draw what is far first.
  function depth(x, y, z) { return (-x * Math.sin(yaw) + y * Math.cos(yaw)) * Math.cos(tilt) - z * Math.sin(tilt); }
  function position(i, k, f) {
    var m = +$("magnify").value, a = k * scene.points + i, b = f > 0 ? a + scene.points : a;
    return ["x", "y", "z"].map(function (c) {
      var v = scene[c], now = v[a] + f * (v[b] - v[a]);
      return m === 1 || i >= scene.anchors ? now : v[i] + m * (now - v[i]);
    });
  }

  // The window of the world that the canvas shows; it holds all of the motion.
  function frameBox() {
    var m = +$("magnify").value, range = m === 1 ? function (k) { return scene[k + "Range"]; } : grown(m);
    var x = range("x"), y = range("y"), z = range("z"), lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
    for (var i = 0; i < 8; i++) {
      var p = project(x[i & 1], y[i >> 1 & 1], z[i >> 2 & 1]);
      for (var c = 0; c < 2; c++) { lo[c] = Math.min(lo[c], p[c]); hi[c] = Math.max(hi[c], p[c]); }
    }
    return { lo: lo, hi: hi };
  }
  // The ranges of coordinates with displacements m times as large.
  function grown(m) {
    if (!scene.grown || scene.grown.m !== m) {
      scene.grown = { m: m };
      ["x", "y", "z"].forEach(function (k) {
        var v = scene[k], lo = Infinity, hi = -Infinity;
        for (var a = 0; a < v.length; a++) {
          var i = a % scene.points, at = i >= scene.anchors ? v[a] : v[i] + m * (v[a] - v[i]);
          lo = Math.min(lo, at); hi = Math.max(hi, at);
        }
        scene.grown[k] = [lo, hi];
      });
    }
    return function (k) { return scene.grown[k]; };
  }
  function size(canvas) {
    var ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
    var c = canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    return { w: w, h: h, c: c };
  }

  // By how much the picture is moved down, to show arrows above its highest points, where
  // that much is free above and below it.
  function headroom(s, free) {
    if (!(scene.force > 0) || scene.contacts > 60 || scene.pushes) return 0;
    var up = Math.max.apply(null, scene.obstacles.map(function (o) { return project(o.n[0], o.n[1], o.n[2])[1]; }));
    return Math.max(0, Math.min(0.22 * Math.min(s.w, s.h) * up + 8 - free, free - 24));
  }
  function draw(time) {
    var s = size($("picture")), k = Math.min(Math.floor(time), scene.t.length - 1), f = k < scene.t.length - 1 ? time - k : 0;
    var box = frameBox(), pad = Math.min(56, 0.09 * s.w), du = box.hi[0] - box.lo[0], dv = box.hi[1] - box.lo[1], least = Math.max(du, dv, 1e-9) * 0.25;
    var scale = Math.min((s.w - 2 * pad) / Math.max(du, least), (s.h - 2 * pad) / Math.max(dv, least));
    var cu = (box.lo[0] + box.hi[0]) / 2, cv = (box.lo[1] + box.hi[1]) / 2 + headroom(s, (s.h - dv * scale) / 2) / scale;
    var screen = function (p) { var q = project(p[0], p[1], p[2]); return [s.w / 2 + (q[0] - cu) * scale, s.h / 2 - (q[1] - cv) * scale]; };
    var world = { c: s.c, w: s.w, h: s.h, k: k, f: f, scale: scale, pad: pad, screen: screen, taken: [] };
    var points = [];
    for (var i = 0; i < scene.points; i++) points.push(screen(position(i, k, f)));
    world.points = points;
    obstacles(world);
    polygons(world);
    if (scene.bodies.length) bodies(world);
    links(world);
    joints(world);
    trails(world);
    if ($("arrows").checked) forces(world);
    particles(world);
    meetings(world);
    labels(world);
  }
  // A name near a point, where it covers no other one; none if there is no room.
  function label(w, text, at, places) {
    var c = w.c, half = c.measureText(text).width / 2 + 2, x = Math.max(half + 2, Math.min(w.w - half - 2, at[0]));
    var y = places.map(function (d) { return at[1] + d; }).filter(function (y) {
      return y > 8 && y < w.h - 8 && !w.taken.some(function (t) { return Math.abs(t[0] - x) < t[2] + half && Math.abs(t[1] - y) < 15; });
    })[0];
    if (y === undefined) return;
    w.taken.push([x, y, half]);
    c.strokeText(text, x, y); c.fillText(text, x, y);
  }
  function labels(w) {
    var c = w.c, i;
    c.font = "13px system-ui, sans-serif"; c.textAlign = "center"; c.textBaseline = "middle";
    c.lineJoin = "round"; c.lineWidth = 3; c.strokeStyle = colours.card; c.fillStyle = colours.ink;
    if (scene.bodies.length && scene.bodies.length <= 12) scene.bodies.forEach(function (b, i) { label(w, b.name, w.screen(pose(i, w.k, w.f).c), [-12, 14, -28, 30]); });
    if (scene.contacts <= 12 && !scene.touching) for (i = 0; i < scene.contacts; i++) label(w, scene.ids[i], w.points[i], [19, 34, 49]);
    c.textBaseline = "alphabetic";
  }
  //DRAW
  //BODIES
  // The name of a state: what has no friction neither sticks nor slips.
  function named(state) {
    if (document.body.classList.contains("smooth") && state > 1) return "in contact";
    return state === 0 && scene.touching ? "open" : names[state];
  }
  // A number in three digits.
  function short(v) { return Math.abs(v) >= 1e-3 && Math.abs(v) < 1e5 || v === 0 ? String(+v.toPrecision(3)) : v.toExponential(2); }

  //CONE
  // A vector that project maps to (a, b).
  function unproject(a, b) {
    var cy = Math.cos(yaw), sy = Math.sin(yaw), ct = Math.cos(tilt), st = Math.sin(tilt), d = b * st;
    return [a * cy - d * sy, a * sy + d * cy, b * ct];
  }

  // The shares of the contact states over time.
  function strip() {
    var n = scene.pushes ? scene.pushes.most : scene.contacts;
    if (n === 0) return;
    var s = size($("strip")), c = s.c, t0 = scene.t[0], span = scene.t[scene.t.length - 1] - t0 || 1, k = 0, last = -1, counts;
    for (var x = 0; x < s.w; x++) {
      var t = t0 + span * x / s.w;
      while (k < scene.t.length - 1 && scene.t[k + 1] <= t) k++;
      if (k !== last) { counts = tally(k); last = k; }
      var y = s.h;
      [2, 3, 1, 0].forEach(function (state) {
        var h = s.h * counts[state] / n;
        c.fillStyle = [colours.band, colours.c3, colours.c1, colours.c2][state];
        c.fillRect(x, y - h, 1.5, h); y -= h;
      });
    }
  }

  function show(time, full) {
    at = Math.max(0, Math.min(time, scene.t.length - 1));
    var k = Math.min(Math.floor(at), scene.t.length - 1), f = k < scene.t.length - 1 ? at - k : 0, t = scene.t[k] + (f > 0 ? f * (scene.t[k + 1] - scene.t[k]) : 0);
    draw(at); cone(k);
    if (full) strip();
    $("scrub").value = k;
    var counts = tally(k);
    var text = "t = " + (+t.toPrecision(6)) + " s";
    $("scrub").setAttribute("aria-valuetext", text);
    for (var i = scene.touching ? 1 : 0; i < 4; i++) if (counts[i] > 0) text += (i === 0 || text.indexOf(":") < 0 ? ": " : ", ") + counts[i] + " " + named(i);
    $("state").setAttribute("aria-live", playing ? "off" : "polite");
    $("state").textContent = text;
    document.querySelectorAll("svg[data-t0]").forEach(function (g) {
      var d = g.dataset, share = (t - d.t0) / (d.t1 - d.t0 || 1), x = +d.x0 + (d.x1 - d.x0) * Math.max(0, Math.min(1, share)), line = g.querySelector(".now");
      line.setAttribute("x1", x); line.setAttribute("x2", x);
    });
  }
  function goTo(t) {
    var k = 0;
    while (k < scene.t.length - 1 && scene.t[k + 1] <= t) k++;
    show(k);
  }

  // Playing: the whole run in ten seconds of the clock at speed 1.
  function tick(now) {
    if (!playing) return;
    var whole = scene.t[scene.t.length - 1] - scene.t[0], k = Math.floor(at), dt = whole * Math.min(now - last, 100) / 10000 * +$("speed").value;
    last = now;
    var next = Math.min(k + 1, scene.t.length - 1), gap = scene.t[next] - scene.t[k], t = scene.t[k] + (at - k) * gap + dt;
    while (k < scene.t.length - 1 && scene.t[k + 1] <= t) k++;
    if (k >= scene.t.length - 1) { show(scene.t.length - 1); play(false); return; }
    show(k + (t - scene.t[k]) / (scene.t[k + 1] - scene.t[k]));
    requestAnimationFrame(tick);
  }
  function play(on) {
    playing = on && scene.t.length > 1;
    $("play").textContent = playing ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", String(playing));
    if (playing) { if (at >= scene.t.length - 1) at = 0; last = performance.now(); requestAnimationFrame(tick); } else if (scene) show(at);
  }

  function paint() {
    var style = getComputedStyle(document.documentElement);
    ["paper", "ink", "faint", "grid", "band", "c1", "c2", "c3", "c4", "c5", "c6", "stress", "body", "card"].forEach(function (n) { colours[n] = style.getPropertyValue("--" + n).trim(); });
    if (scene) show(at, true);
  }
  function listen() {
    $("play").onclick = function () { play(!playing); };
    $("back").onclick = function () { play(false); show(Math.ceil(at) - 1); };
    $("forth").onclick = function () { play(false); show(Math.floor(at) + 1); };
    $("scrub").oninput = function () { playing = false; $("play").textContent = "Play"; $("play").setAttribute("aria-pressed", "false"); show(+$("scrub").value); };
    $("view").onchange = function () { setView($("view").value); show(at); };
    ["chosen", "magnify", "arrows"].forEach(function (n) { $(n).onchange = function () { show(at); }; });
    document.addEventListener("keydown", function (e) {
      if (!scene || e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|BUTTON|SUMMARY)$/.test(e.target.tagName) || e.target.type === "checkbox") return;
      if (e.key === " ") { e.preventDefault(); play(!playing); }
      if (e.target === $("scrub")) return; // it has its own arrow keys
      if (e.key === "ArrowLeft") $("back").onclick();
      if (e.key === "ArrowRight") $("forth").onclick();
    });
    var drag = null, picture = $("picture");
    picture.onpointerdown = function (e) { drag = [e.clientX, e.clientY]; picture.setPointerCapture(e.pointerId); };
    picture.onpointermove = function (e) {
      if (!drag) return;
      yaw -= (e.clientX - drag[0]) * 0.008; tilt = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, tilt + (e.clientY - drag[1]) * 0.008));
      drag = [e.clientX, e.clientY]; show(at);
    };
    picture.onpointerup = picture.onpointercancel = function () { drag = null; };
    $("figures").addEventListener("click", function (e) {
      var g = e.target.closest("svg[data-t0]");
      if (!g || !scene) return;
      var box = g.getBoundingClientRect(), x = (e.clientX - box.left) / box.width * g.viewBox.baseVal.width, d = g.dataset;
      play(false); goTo(+d.t0 + (x - d.x0) / (d.x1 - d.x0) * (d.t1 - d.t0));
    });
    window.addEventListener("resize", function () { if (scene) show(at, true); });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  }

  // Live: fetch what changed since the tag. The pause leaves the machine to the run.
  function follow(tag) {
    var began = performance.now(), next = function () { setTimeout(follow, Math.max(1000, Math.min(4000, 3 * (performance.now() - began))), tag); };
    fetch(document.body.dataset.live + "?since=" + encodeURIComponent(tag)).then(function (r) {
      if (r.status === 200) return r.json().then(function (d) {
        tag = d.tag || "";
        if (d.wait) say("waiting: " + d.wait); else update(d);
      });
    }).then(next).catch(function () { say("no longer served"); });
  }
  function say(text) { if ($("live").textContent !== text) $("live").textContent = text; }
  var run = null, shown = {}; // of the run that is shown: its number and parts
  function update(d) {
    if (run !== null && d.run !== run) { location.reload(); return; }
    run = d.run;
    ["verdict", "figures", "tables"].forEach(function (n) {
      if (shown[n] === d.parts[n]) return;
      var open = [].map.call($(n).querySelectorAll("details"), function (e) { return e.open; });
      $(n).innerHTML = shown[n] = d.parts[n];
      $(n).querySelectorAll("details").forEach(function (e, i) { e.open = !!open[i]; });
    });
    load(d.scene);
    say(d.state || (d.done ? "ended" : "live"));
  }

  listen(); paint();
  load(JSON.parse($("scene").textContent));
  if (document.body.dataset.live) follow("");
  window.quasistatic = { show: show, goTo: goTo, at: function () { return at; }, frames: function () { return scene ? scene.t.length : 0; } };
})();
