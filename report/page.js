"use strict";
(function () {
  var $ = function (id) { return document.getElementById(id); };
  var names = ["free", "grazing", "stick", "slip", "contact without friction"];
  var scene = null, at = 0, playing = false, last = 0, yaw = 0, tilt = 0, zoom = 1, pan = [0, 0], seen = null;
  var ctx = $("picture").getContext("2d"), colours = {};

  // Decoding: float32, or 16 bits a value between lo and hi.
  function bytes(text) {
    var raw = atob(text), b = new Uint8Array(raw.length);
    for (var i = 0; i < raw.length; i++) b[i] = raw.charCodeAt(i);
    return b;
  }
  function channel(c) {
    var b = bytes(c.data);
    if (c.exact) return new Float32Array(b.buffer);
    var v = new Float32Array(b.length / 2), s = (c.hi - c.lo) / 65535;
    for (var i = 0; i < v.length; i++) v[i] = c.lo + s * (b[2 * i] + 256 * b[2 * i + 1]);
    return v;
  }
  function load(raw) {
    if (!raw || !raw.t || raw.t.length === 0) return;
    var s = { t: raw.t, ids: raw.ids || [], points: raw.points, anchors: raw.anchors, particles: raw.particles, contacts: raw.contacts, links: raw.links || [],
      polygons: raw.polygons || [], obstacles: raw.obstacles || [], on: raw.on || [], sample: raw.sample, chosen: raw.chosen || 0,
      bodies: raw.bodies || [], joints: raw.joints || [], touching: raw.touching, shadeLabel: raw.shadeLabel || "", magnify: raw.magnify || 1,
      facets: raw.facets || 0, moment: raw.moment || 0, note: raw.note || "", shapes: raw.shapes || null, force: raw.force, at: [] };
    ["x", "y", "z", "n", "t1", "t2", "bound"].forEach(function (k) { s[k] = channel(raw[k]); s[k + "Range"] = [raw[k].lo, raw[k].hi]; });
    s.of = function (j) { return raw.of ? raw.of[j] : j; };
    for (var j = 0; j < s.contacts; j++) (s.at[s.of(j)] = s.at[s.of(j)] || []).push(j);
    s.names = raw.names || s.ids;
    s.axes = (raw.axes || []).map(channel);
    // What the automatic view looks across: the motion and the normals, or all of the bodies.
    s.spread = ["x", "y", "z"].map(function (k, c) { return raw.bodies && raw.bodies.length ? raw.box[1][c] - raw.box[0][c] : raw[k].hi - raw[k].lo; });
    s.lean = [0, 1, 2].map(function (c) { return s.axes.length ? s.axes[c].reduce(function (m, v) { return Math.max(m, Math.abs(v)); }, 0) : s.on.reduce(function (m, o) { return o < 0 ? m : Math.max(m, Math.abs(s.obstacles[o].n[c])); }, 0); });
    s.obstacles.forEach(function (o) { o.pose = o.pose ? o.pose.map(channel) : null; o.at = o.at || []; o.faces = o.faces || []; o.lines = o.lines || []; o.marks = o.marks || []; });
    s.acts = (raw.acts || []).map(function (a) { return { name: a.name, joint: a.joint, p: a.p, b: a.b, f: a.f && a.f.map(channel), m: a.m && a.m.map(channel) }; });
    s.status = bytes(raw.status);
    s.shade = raw.shade ? bytes(raw.shade) : null;
    s.pose = (raw.pose || []).map(channel);
    s.pushes = raw.pushes ? pushes(raw.pushes) : null;
    // What is no plane figure is drawn with depth.
    var round = s.obstacles.map(function (o) { return o.faces.length > 0 && o.at.some(function (x) { return x[1] !== o.at[0][1]; }); }), wide = s.polygons.length > 0 && raw.y.hi > raw.y.lo;
    s.solid = wide || round.some(Boolean) || s.bodies.some(function (b) { return b.half || b.parts || b.round || b.length; });
    s.obstacles.forEach(function (o) { o.surface = s.solid && !(o.n[0] || o.n[1] || o.n[2]) ? surfaceOf(o.at, o.faces) : null; });
    s.mesh = wide ? surfaceOf(Array.from({ length: s.points }, function (x, i) { return [s.x[i], s.y[i], s.z[i]]; }), s.polygons, null, true) : null;
    if (raw.box) ["x", "y", "z"].forEach(function (k, c) { s[k + "Range"] = [raw.box[0][c], raw.box[1][c]]; });
    s.cut = [s.n, s.t1, s.t2].concat(s.pushes ? s.pushes.normal.concat(s.pushes.cross) : []).some(function (v) { return v.some(function (x) { return Math.abs(x) > (1 + 1e-6) * s.force; }); });
    var first = scene === null, atEnd = scene !== null && at >= scene.t.length - 1;
    scene = s;
    $("motion").hidden = false;
    document.body.classList.toggle("plain", s.contacts === 0 && !s.pushes);
    document.body.classList.toggle("idle", s.contacts === 0 && !s.pushes && s.acts.length === 0);
    document.body.classList.toggle("loaded", s.acts.some(function (a) { return !a.joint; }));
    document.body.classList.toggle("jointed", s.acts.some(function (a) { return a.joint; }));
    document.body.classList.toggle("bodies", s.pushes !== null);
    document.body.classList.toggle("smooth", s.pushes ? s.pushes.status.every(function (x) { return x === 4; }) : !(s.boundRange[1] > 0));
    document.body.classList.toggle("slippery", [].some.call(s.pushes ? s.pushes.status : s.status, function (x) { return x === 4; }));
    document.body.classList.toggle("solid", s.solid && s.bodies.length > 0);
    document.body.classList.toggle("mesh", !!s.touching);
    document.body.classList.toggle("flat", s.facets === 2);
    document.body.classList.toggle("stressed", s.shade !== null);
    document.body.classList.toggle("anchored", s.anchors < s.points);
    document.body.classList.toggle("held", s.joints.some(function (j) { return j.kind === "held"; }));
    $("stress").textContent = s.shadeLabel;
    $("scrub").max = s.t.length - 1;
    if (first) { $("marks").checked = !(s.shade && s.particles > 200); choices(); magnifications(); setView("auto"); }
    note();
    if (document.body.dataset.live && (first || atEnd) && !playing) at = s.t.length - 1;
    show(Math.min(at, s.t.length - 1), true);
  }
  // Contacts that come and go: those of frame k are numbers from[k] to from[k+1].
  function pushes(raw) {
    var p = { from: [0], at: raw.at.map(channel), normal: raw.normal.map(channel), cross: raw.cross.map(channel), share: raw.share.map(channel), status: bytes(raw.status), a: raw.a, b: raw.b, most: 1 };
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
    var counts = [0, 0, 0, 0, 0], p = scene.pushes;
    if (p) for (var i = p.from[k]; i < p.from[k + 1]; i++) counts[p.status[i]]++;
    for (var j = 0; j < scene.contacts; j++) counts[scene.status[k * scene.contacts + j]]++;
    return counts;
  }
  // What can be picked: a body or all of them, or a contact.
  function choices() {
    var list = $("chosen"), names = scene.bodies.length ? ["all bodies"].concat(scene.bodies.map(function (b) { return b.name; })) : scene.names.slice(0, scene.contacts);
    $("what").textContent = scene.bodies.length ? "Forces on" : "Contact";
    names.forEach(function (name, i) {
      var o = document.createElement("option");
      o.value = i; o.textContent = name;
      list.appendChild(o);
    });
    list.parentNode.hidden = names.length === 0;
    list.value = scene.bodies.length ? 0 : scene.chosen;
  }
  function pickedContact() { return scene.bodies.length ? -1 : +$("chosen").value; }
  function pickedBody() { return scene.bodies.length ? +$("chosen").value - 1 : -1; }
  function choose(i) { $("chosen").value = i; show(at); address(); }
  // Picks what is under a place of the picture: a body, or the contact of a particle.
  function pick(x, y) {
    var best = -1, near = 30, i, d, w = seen;
    if (scene.bodies.length) {
      best = bodyAt(x, y);
      choose(best + 1);
      return;
    }
    for (i = 0; i < scene.contacts; i++) { var q = w.points[scene.of(i)]; d = Math.hypot(q[0] - x, q[1] - y); if (d < near) { near = d; best = i; } }
    if (best >= 0) choose(best);
  }
  function note() {
    var text = scene.sample ? scene.particles + " of " + scene.sample + " particles are shown. " : "";
    if (scene.note) text += scene.note + " ";
    if (!document.body.dataset.live && scene.t.length > 1 && !(travel() >= 1e-4)) text += "Nothing moves by as much as a pixel: see the plots. ";
    $("note").textContent = text;
  }
  // The largest change of a coordinate, as it is drawn, as a part of what the picture holds.
  function travel() {
    var extent = 0, most = 0;
    ["x", "y", "z"].forEach(function (k) { extent = Math.max(extent, scene[k + "Range"][1] - scene[k + "Range"][0]); });
    var look = function (v, n, scale) { for (var i = n; i < v.length; i++) most = Math.max(most, Math.abs(v[i] - v[i % n]) / scale); };
    ["x", "y", "z"].forEach(function (k) { if (scene.points) look(scene[k], scene.points, extent / $("magnify").value); });
    scene.pose.forEach(function (v, i) { look(v, scene.bodies.length, i < 3 ? extent : 1); });
    return most;
  }

  // View: an orthographic camera with yaw about the vertical and tilt above the horizon.
  function setView(kind) {
    if (kind === "auto") {
      var flat = 1e-6 * Math.max.apply(null, scene.spread), still = function (c) { return scene.spread[c] <= flat && scene.lean[c] < 1e-3; };
      kind = still(1) ? "side" : still(0) ? "end" : "oblique";
    }
    zoom = 1; pan = [0, 0];
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
  // The size of a canvas, kept while its element keeps it: to ask the browser makes it lay out the page.
  var sizes = new Map(), resized = new ResizeObserver(function (list) {
    var stale = list.filter(function (e) { var s = sizes.get(e.target); return s && (s[0] !== e.target.clientWidth || s[1] !== e.target.clientHeight); });
    stale.forEach(function (e) { sizes.delete(e.target); });
    if (stale.length && scene) show(at, true);
  });
  function size(canvas) {
    var ratio = window.devicePixelRatio || 1, kept = sizes.get(canvas), w = kept ? kept[0] : canvas.clientWidth, h = kept ? kept[1] : canvas.clientHeight;
    if (!kept && w > 0) { sizes.set(canvas, [w, h]); resized.observe(canvas); }
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
    var c = canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    return { w: w, h: h, c: c };
  }

  // How far arrows of full length reach above the picture at its present scale [pixels], of few
  // contacts: by the highest places and the steepest normals at any time.
  function headroom(s, hi, scale) {
    if (!(scene.force > 0) || scene.contacts === 0 || scene.contacts > 60) return 0;
    var key = [yaw, tilt, $("magnify").value].join();
    if (!scene.top || scene.top.key !== key) {
      scene.top = { key: key, at: -Infinity, up: 0 };
      for (var k = 0; k < scene.t.length; k++) for (var j = 0; j < scene.contacts; j++) {
        if (scene.on[j] < 0 && !scene.axes.length || !(scene.n[k * scene.contacts + j] > 0)) continue;
        var x = position(scene.of(j), k, 0), n = axesOf(j, k).n;
        scene.top.at = Math.max(scene.top.at, project(x[0], x[1], x[2])[1]);
        scene.top.up = Math.max(scene.top.up, project(n[0], n[1], n[2])[1]);
      }
    }
    return Math.max(0, 0.22 * Math.min(s.w, s.h) * Math.min(1, +$("reach").value) * scene.top.up - (hi - scene.top.at) * scale);
  }
  function draw(time) {
    var s = size($("picture")), k = Math.min(Math.floor(time), scene.t.length - 1), f = k < scene.t.length - 1 ? time - k : 0;
    var box = frameBox(), pad = Math.min(56, 0.09 * s.w), du = box.hi[0] - box.lo[0], dv = box.hi[1] - box.lo[1], least = Math.max(du, dv, 1e-9) * 0.25;
    var scale = Math.min((s.w - 2 * pad) / Math.max(du, least), (s.h - 2 * pad) / Math.max(dv, least));
    var above = Math.max(0, headroom(s, box.hi[1], scale) + 10 - pad); // beyond the rim
    if (2 * pad + dv * scale + above > s.h) scale *= Math.max(0.3, (s.h - 2 * pad - above) / (dv * scale));
    var free = (s.h - dv * scale) / 2 - pad, cu = (box.lo[0] + box.hi[0]) / 2, cv = (box.lo[1] + box.hi[1]) / 2 + Math.max(0, Math.min(free, above - free)) / scale;
    scale *= zoom;
    var screen = function (p) { var q = project(p[0], p[1], p[2]); return [s.w / 2 + (q[0] - cu) * scale + pan[0], s.h / 2 - (q[1] - cv) * scale + pan[1], depth(p[0], p[1], p[2]) * scale]; };
    var world = seen = { c: s.c, w: s.w, h: s.h, k: k, f: f, scale: scale, pad: pad, screen: screen, taken: [] };
    if ($("follow").checked) {
      var who = followed(k, f), now = who && screen(who);
      if (now) { pan[0] += s.w / 2 - now[0]; pan[1] += s.h / 2 - now[1]; }
    }
    place(world, cu, cv);
    world.poses = scene.bodies.map(function (b, i) { return pose(i, k, f); });
    obstacles(world);
    if (scene.solid) solids(world); else { polygons(world); outlines(world); }
    meetings(world);
    links(world);
    joints(world);
    trails(world);
    if ($("chains").checked) chains(world);
    if ($("arrows").checked) forces(world);
    particles(world);
    labels(world);
    ruler(world);
  }
  // Where the points are in the picture.
  function place(w, cu, cv) {
    var n = scene.points, m = +$("magnify").value, cy = Math.cos(yaw), sy = Math.sin(yaw), ct = Math.cos(tilt), st = Math.sin(tilt), a = w.k * n, b = w.f > 0 ? a + n : a;
    w.points = new Array(n);
    for (var i = 0; i < n; i++) {
      var x = scene.x[a + i], y = scene.y[a + i], z = scene.z[a + i];
      if (w.f > 0) { x += w.f * (scene.x[b + i] - x); y += w.f * (scene.y[b + i] - y); z += w.f * (scene.z[b + i] - z); }
      if (m !== 1 && i < scene.anchors) { x = scene.x[i] + m * (x - scene.x[i]); y = scene.y[i] + m * (y - scene.y[i]); z = scene.z[i] + m * (z - scene.z[i]); }
      var d = y * cy - x * sy;
      w.points[i] = [w.w / 2 + (x * cy + y * sy - cu) * w.scale + pan[0], w.h / 2 - (z * ct + d * st - cv) * w.scale + pan[1], (d * ct - z * st) * w.scale];
    }
  }
  // Where what is picked is.
  function followed(k, f) {
    if (pickedBody() >= 0) return pose(pickedBody(), k, f).c;
    return scene.contacts ? position(scene.of(pickedContact()), k, f) : null;
  }
  // A length to compare with, and the directions of the axes.
  function ruler(w) {
    var c = w.c, l = Math.pow(10, Math.floor(Math.log10(0.25 * w.w / w.scale))), n = [5, 2, 1].filter(function (m) { return m * l * w.scale <= 0.25 * w.w; })[0] || 1, px = n * l * w.scale, x = w.w - 16 - px, y = w.h - 14;
    c.strokeStyle = c.fillStyle = colours.faint; c.lineWidth = 1.5;
    c.font = "12px system-ui, sans-serif"; c.textAlign = "right";
    if (["x", "y", "z"].some(function (k) { return scene[k + "Range"][1] > scene[k + "Range"][0]; })) { // a point at rest has no size
      c.beginPath(); c.moveTo(x, y - 4); c.lineTo(x, y); c.lineTo(x + px, y); c.lineTo(x + px, y - 4); c.stroke();
      c.fillText(short(n * l) + " m", x + px, y - 7);
    }
    c.textAlign = "center";
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach(function (a, i) {
      var q = project(a[0], a[1], a[2]), e = [w.w - 40 + 24 * q[0], 40 - 24 * q[1]];
      if (Math.hypot(q[0], q[1]) < 0.1) return;
      c.beginPath(); c.moveTo(w.w - 40, 40); c.lineTo(e[0], e[1]); c.stroke();
      c.fillText(document.body.classList.contains("flat") ? ["x", "", "y"][i] : "xyz"[i], w.w - 40 + 33 * q[0], 44 - 33 * q[1]);
    });
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
    var c = w.c, i, guided = scene.joints.some(function (j) { return j.rail; }); // names stand beside guides
    c.font = "13px system-ui, sans-serif"; c.textAlign = "center"; c.textBaseline = "middle";
    c.lineJoin = "round"; c.lineWidth = 3; c.strokeStyle = colours.card; c.fillStyle = colours.ink;
    if (scene.bodies.length && scene.bodies.length <= 12) scene.bodies.forEach(function (b, i) { label(w, b.name, w.screen(w.poses[i].c), guided ? [-24, 26, -40, 42] : [-12, 14, -28, 30]); });
    if (scene.particles <= 12 && !scene.touching) for (i = 0; i < scene.particles; i++) label(w, scene.ids[i], w.points[i], [19, 34, 49]);
    c.textBaseline = "alphabetic";
  }
  //DRAW
  //SOLID
  //BODIES
  function named(state) { return state === 0 && scene.touching ? "open" : names[state]; }
  // A number in three digits.
  function short(v) { return Math.abs(v) >= 1e-3 && Math.abs(v) < 1e5 || v === 0 ? String(+v.toPrecision(3)) : v.toExponential(2); }

  //CONE
  //PLOTS
  //RUNS
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
      [2, 3, 4, 1, 0].forEach(function (state) {
        var h = s.h * counts[state] / n;
        c.fillStyle = [colours.band, colours.grid, colours.c1, colours.c2, colours.c3][state];
        c.fillRect(x, y - h, 1.5, h); y -= h;
      });
    }
  }

  function timeNow() { var k = Math.floor(at), f = at - k; return scene.t[k] + (f > 0 ? f * (scene.t[k + 1] - scene.t[k]) : 0); }
  function show(time, full) {
    at = Math.max(0, Math.min(time, scene.t.length - 1));
    var k = Math.floor(at), t = timeNow();
    draw(at); cone(k);
    if (full) strip();
    $("scrub").value = k;
    var counts = tally(k);
    var text = "t = " + (+t.toPrecision(6)) + " s";
    $("scrub").setAttribute("aria-valuetext", text);
    for (var i = scene.touching ? 1 : 0; i < 5; i++) if (counts[i] > 0) text += (i === 0 || text.indexOf(":") < 0 ? ": " : ", ") + counts[i] + " " + named(i);
    $("state").setAttribute("aria-live", playing ? "off" : "polite");
    $("state").textContent = text;
    now(t);
  }
  function goTo(t) {
    var k = 0;
    while (k < scene.t.length - 1 && scene.t[k + 1] <= t) k++;
    var gap = k < scene.t.length - 1 ? scene.t[k + 1] - scene.t[k] : 0;
    show(k + (gap > 0 ? Math.max(0, Math.min(1, (t - scene.t[k]) / gap)) : 0));
  }

  // Playing: so many seconds of the run in one of the clock, or the whole run in ten.
  function rate() { var v = $("speed").value; return v === "fit" ? (scene.t[scene.t.length - 1] - scene.t[0]) / 10 : +v; }
  // Who asked for less motion sees still pictures in turn, two a second.
  var stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
  function tick(now) {
    if (!playing) return;
    if (stillness.matches) {
      if (now - last < 500) { requestAnimationFrame(tick); return; }
      var seconds = (now - last) / 1000;
      last = now;
      goTo(timeNow() + seconds * rate());
      at = Math.round(at);
      show(at);
      if (at >= scene.t.length - 1) play(false); else requestAnimationFrame(tick);
      return;
    }
    var k = Math.floor(at), dt = Math.min(now - last, 100) / 1000 * rate();
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
    if (playing) { if (at >= scene.t.length - 1) at = 0; last = performance.now(); requestAnimationFrame(tick); } else if (scene) { show(at); address(); }
  }
  // The address of what is shown: #t=0.4&pick=name.
  function address() {
    if (!scene || playing) return;
    var list = $("chosen"), text = "#t=" + +timeNow().toPrecision(9) + (list.selectedIndex > 0 ? "&pick=" + encodeURIComponent(list.options[list.selectedIndex].text) : "");
    try { history.replaceState(null, "", text); } catch (e) { /* a page without an address */ }
  }
  function goToAddress() {
    var given = new URLSearchParams(location.hash.slice(1)), name = given.get("pick");
    if (!scene) return;
    [].forEach.call($("chosen").options, function (o) { if (name && o.text === name) $("chosen").value = o.value; });
    if (given.has("t")) goTo(+given.get("t")); else show(at);
  }

  function paint() {
    var style = getComputedStyle(document.documentElement);
    ["paper", "ink", "faint", "grid", "band", "c1", "c2", "c3", "c4", "c5", "c6", "stress", "body", "card", "line", "open"].forEach(function (n) { colours[n] = style.getPropertyValue("--" + n).trim(); });
    if (scene) show(at, true);
    plots();
  }
  // Tabs, on a phone: of what is below the controls one part is shown.
  var tabNames = ["pick", "plots", "maps", "numbers", "trust"], wantedTab = "";
  function chooseTab(name) {
    document.body.dataset.tab = name;
    [].forEach.call($("tabs").children, function (b) { var on = b.dataset.name === name; b.setAttribute("aria-selected", String(on)); b.tabIndex = on ? 0 : -1; });
  }
  function tabs() {
    var bar = $("tabs"), has = tabNames.filter(function (n) { return [].some.call(document.querySelectorAll("[data-in~=" + n + "]"), function (e) { return e.dataset.in.split(" ").length === 1 && !e.closest("[hidden]") && e.textContent.trim() !== ""; }); });
    if (has.join() !== [].map.call(bar.children, function (b) { return b.dataset.name; }).join()) {
      bar.textContent = "";
      has.forEach(function (n) {
        var b = document.createElement("button");
        b.type = "button"; b.setAttribute("role", "tab"); b.dataset.name = n; b.textContent = n[0].toUpperCase() + n.slice(1);
        b.onclick = function () { wantedTab = n; chooseTab(n); };
        bar.appendChild(b);
      });
    }
    bar.hidden = has.length < 2;
    chooseTab(has.indexOf(wantedTab) >= 0 ? wantedTab : has[0] || "");
  }
  function tabKeys(e) {
    var list = $("tabs").children, n = list.length, at = [].indexOf.call(list, e.target), to = { ArrowLeft: (at + n - 1) % n, ArrowRight: (at + 1) % n, Home: 0, End: n - 1 }[e.key];
    if (at < 0 || to === undefined) return;
    e.preventDefault();
    list[to].click(); list[to].focus();
  }
  function listen() {
    $("tabs").onkeydown = tabKeys;
    $("play").onclick = function () { play(!playing); };
    $("back").onclick = function () { play(false); show(Math.ceil(at) - 1); address(); };
    $("forth").onclick = function () { play(false); show(Math.floor(at) + 1); address(); };
    $("scrub").oninput = function () { var k = +$("scrub").value; play(false); show(k); address(); };
    $("view").onchange = function () { setView($("view").value); show(at); };
    ["chosen", "magnify", "arrows", "chains", "clear", "reach", "marks", "follow"].forEach(function (n) { $(n).onchange = function () { show(at); note(); address(); }; });
    document.addEventListener("keydown", keys);
    gestures($("picture"));
    $("strip").onclick = function (e) { var box = $("strip").getBoundingClientRect(); play(false); goTo(scene.t[0] + (e.clientX - box.left) / box.width * (scene.t[scene.t.length - 1] - scene.t[0])); address(); };
    $("search").oninput = list;
    $("minus").onchange = chosenColumns;
    $("explore").ontoggle = function () { if ($("explore").open) chosenColumns(); };
    window.addEventListener("hashchange", goToAddress);
    window.addEventListener("resize", function () { sizes.clear(); if (scene) show(at, true); plots(); });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  }

  // What a fact says of its place leads there: to its time, and to the body, particle or contact
  // that it names.
  function leads() {
    document.querySelectorAll("#verdict p, tr[data-place]").forEach(function (e) {
      var text = e.dataset.place || e.textContent, t = /\bt ?= ?(-?[\d.]+(?:e[-+]?\d+)?)/.exec(text) || / at the end\b/.test(text) && scene && ["", scene.t[scene.t.length - 1]];
      if (!t || !scene || e.dataset.leads) return;
      e.dataset.leads = t[1];
      e.tabIndex = 0;
      e.title = "shows t = " + t[1] + " s";
      var go = function () {
        var best = null;
        if (e.tagName === "P") e.classList.add("whole"); // on a phone its end is cut off before
        [].forEach.call($("chosen").options, function (o) { if (!(scene.bodies.length && o.value === "0") && (text.indexOf('"' + o.text + '"') >= 0 || text.indexOf("particle " + o.text) >= 0 || (text + " ").indexOf(" of " + o.text + " ") >= 0) && (!best || o.text.length > best.text.length)) best = o; });
        if (best) $("chosen").value = best.value;
        play(false); goTo(+t[1]); address();
        if (e.dataset.want && plotExpected(e)) return;
        $("picture").scrollIntoView({ block: "nearest" });
      };
      e.onclick = go;
      e.onkeydown = function (k) { if (k.key === "Enter") go(); };
    });
  }
  function keys(e) {
    if (scene && e.shiftKey && /^Arrow/.test(e.key) && e.target === $("picture")) { // turns the view
      e.preventDefault();
      yaw += { ArrowLeft: 0.1, ArrowRight: -0.1 }[e.key] || 0;
      tilt = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, tilt + ({ ArrowUp: -0.1, ArrowDown: 0.1 }[e.key] || 0)));
      show(at);
      return;
    }
    if (!scene && !runs || e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|BUTTON|SUMMARY|TEXTAREA)$/.test(e.target.tagName) || /^(checkbox|search|text)$/.test(e.target.type)) return;
    if (runs) {
      if (!/^(ArrowLeft|ArrowRight|Home|End)$/.test(e.key) || e.target.type === "range") return;
      e.preventDefault();
      stepRun(e.key);
      return;
    }
    var list = $("chosen"), end = scene.t.length - 1, does = {
      " ": function () { play(!playing); },
      ArrowLeft: $("back").onclick, ArrowRight: $("forth").onclick,
      Home: function () { play(false); show(0); address(); }, End: function () { play(false); show(end); address(); },
      PageUp: function () { play(false); show(at - end / 20); address(); }, PageDown: function () { play(false); show(at + end / 20); address(); },
      "+": function () { zoomAt(1.25); }, "-": function () { zoomAt(0.8); }, "0": function () { setView($("view").value); show(at); },
      "[": function () { choose((list.selectedIndex + list.length - 1) % list.length); }, "]": function () { choose((list.selectedIndex + 1) % list.length); },
    }[e.key];
    if (!does || e.target === $("scrub") && /^(Arrow|Page)/.test(e.key)) return; // it has its own
    e.preventDefault();
    does();
  }
  // Zooms about a place of the picture, the middle if none is given.
  function zoomAt(factor, x, y) {
    var c = $("picture"), u = (x === undefined ? c.clientWidth / 2 : x) - c.clientWidth / 2, v = (y === undefined ? c.clientHeight / 2 : y) - c.clientHeight / 2, f = Math.max(0.2, Math.min(500, zoom * factor)) / zoom;
    zoom *= f;
    pan = [u + (pan[0] - u) * f, v + (pan[1] - v) * f];
    show(at);
  }
  // Dragging turns the view, with shift or two fingers it moves; two fingers zoom, and the wheel
  // does over a picture that has been clicked; a click picks, a double click shows all again.
  function gestures(picture) {
    var down = {}, moved = 0, place = function (e) { var r = picture.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    picture.onpointerdown = function (e) { down[e.pointerId] = place(e); moved = 0; picture.setPointerCapture(e.pointerId); };
    picture.onpointermove = function (e) {
      var was = down[e.pointerId];
      if (!was) return;
      var p = place(e), dx = p[0] - was[0], dy = p[1] - was[1], ids = Object.keys(down);
      moved += Math.hypot(dx, dy);
      if (ids.length > 1) {
        var other = down[ids.filter(function (i) { return +i !== e.pointerId; })[0]], f = Math.hypot(p[0] - other[0], p[1] - other[1]) / (Math.hypot(was[0] - other[0], was[1] - other[1]) || 1);
        pan = [pan[0] + dx / 2, pan[1] + dy / 2];
        down[e.pointerId] = p;
        zoomAt(f, (p[0] + other[0]) / 2, (p[1] + other[1]) / 2);
        return;
      }
      if (moved < 4) return;
      if (e.shiftKey || e.buttons > 1) pan = [pan[0] + dx, pan[1] + dy];
      else { yaw -= dx * 0.008; tilt = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, tilt + dy * 0.008)); }
      down[e.pointerId] = p; show(at);
    };
    picture.onpointerup = function (e) { if (down[e.pointerId] && moved < 4) { var p = place(e); pick(p[0], p[1]); } delete down[e.pointerId]; };
    picture.onpointercancel = function (e) { delete down[e.pointerId]; };
    picture.oncontextmenu = function (e) { e.preventDefault(); };
    picture.ondblclick = function () { setView($("view").value); show(at); };
    picture.addEventListener("wheel", function (e) {
      if (document.activeElement !== picture && !e.ctrlKey) return;
      e.preventDefault();
      var p = place(e);
      zoomAt(Math.exp(-0.0015 * e.deltaY), p[0], p[1]);
    }, { passive: false });
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
  function say(text) { if ($("live") && $("live").textContent !== text) $("live").textContent = text; }
  var run = null, shown = {}; // of the run that is shown: its number and parts
  // What a scene is of; that of another is another page.
  function things(s) { return s && s.t ? JSON.stringify([s.contacts, s.points, s.names || s.ids, (s.bodies || []).map(function (b) { return b.name; }), !!s.shade]) : ""; }
  function update(d) {
    if (run !== null && d.run !== run) { location.reload(); return; }
    run = d.run;
    ["verdict", "words", "figures", "tables"].forEach(function (n) {
      if (shown[n] === d.parts[n]) return;
      var open = [].map.call($(n).querySelectorAll("details"), function (e) { return e.open; });
      $(n).innerHTML = shown[n] = d.parts[n];
      $(n).querySelectorAll("details").forEach(function (e, i) { e.open = !!open[i]; });
    });
    var time = scene && timeNow();
    load(d.scene);
    if (time !== null && !document.body.dataset.live && !playing) goTo(time); // its frames may be others
    tabs();
    leads();
    unpack(d.data);
    say(d.state || (d.done ? "ended" : "live"));
  }

  listen(); paint();
  load(JSON.parse($("scene").textContent));
  tabs();
  leads();
  unpack(JSON.parse($("data").textContent));
  if (location.hash) goToAddress();
  if (document.body.dataset.live) follow("");
  window.quasistatic = { update: update, things: things, show: show, goTo: goTo, time: timeNow, place: function (x, y, z) { return seen.screen([x, y, z]); }, at: function () { return at; }, frames: function () { return scene ? scene.t.length : 0; } };
})();
