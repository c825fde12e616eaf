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

  function draw(time) {
    var s = size($("picture")), k = Math.min(Math.floor(time), scene.t.length - 1), f = k < scene.t.length - 1 ? time - k : 0;
    var box = frameBox(), pad = Math.min(56, 0.09 * s.w), du = box.hi[0] - box.lo[0], dv = box.hi[1] - box.lo[1], least = Math.max(du, dv, 1e-9) * 0.25;
    var scale = Math.min((s.w - 2 * pad) / Math.max(du, least), (s.h - 2 * pad) / Math.max(dv, least));
    var cu = (box.lo[0] + box.hi[0]) / 2, cv = (box.lo[1] + box.hi[1]) / 2;
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
  function obstacles(w) {
    var c = w.c, range = Math.max(scene.xRange[1] - scene.xRange[0], scene.yRange[1] - scene.yRange[0], scene.zRange[1] - scene.zRange[0]);
    scene.obstacles.forEach(function (o) {
      // What is seen edge on may leave the picture; an area stays in it.
      var pad = edgeOn(w, o) ? Math.max(0.12 * range, 60 / w.scale) : Math.min(0.12 * range + 20 / w.scale, 0.6 * w.pad / w.scale);
      var lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
      for (var i = 0; i < 8; i++) { // the part of the plane below the motion
        var p = ["x", "y", "z"].map(function (n, a) { return scene[n + "Range"][i >> a & 1] - o.p[a]; });
        [o.t, o.o].forEach(function (d, a) { var q = p[0] * d[0] + p[1] * d[1] + p[2] * d[2]; lo[a] = Math.min(lo[a], q - pad); hi[a] = Math.max(hi[a], q + pad); });
      }
      var point = function (a, b) { return w.screen([0, 1, 2].map(function (i) { return o.p[i] + a * o.t[i] + b * o.o[i]; })); };
      var corners = [point(lo[0], lo[1]), point(hi[0], lo[1]), point(hi[0], hi[1]), point(lo[0], hi[1])];
      c.beginPath();
      corners.forEach(function (p, i) { c[i ? "lineTo" : "moveTo"](p[0], p[1]); });
      c.closePath();
      c.fillStyle = colours.band; c.fill();
      c.strokeStyle = colours.faint; c.lineWidth = 1.5; c.stroke();
      hatch(w, o, corners);
    });
  }
  function edgeOn(w, o) { var n = project(o.n[0], o.n[1], o.n[2]); return Math.hypot(n[0], n[1]) >= 0.98; }
  // An obstacle seen edge on gets strokes on its far side.
  function hatch(w, o, q) {
    if (!edgeOn(w, o)) return;
    var n = project(o.n[0], o.n[1], o.n[2]), dx = -n[0], dy = n[1], a = q[0], b = q[0], c = w.c;
    q.forEach(function (p) { if (Math.hypot(p[0] - a[0], p[1] - a[1]) > Math.hypot(b[0] - a[0], b[1] - a[1])) b = p; });
    var length = Math.hypot(b[0] - a[0], b[1] - a[1]), ux = (b[0] - a[0]) / length, uy = (b[1] - a[1]) / length;
    c.lineWidth = 1; c.beginPath();
    for (var d = 4; d < length; d += 10) { c.moveTo(a[0] + d * ux, a[1] + d * uy); c.lineTo(a[0] + d * ux + 8 * dx - 6 * ux, a[1] + d * uy + 8 * dy - 6 * uy); }
    c.stroke();
  }
  function polygons(w) {
    var c = w.c, n = scene.polygons.length, order = [];
    c.lineWidth = n > 2000 ? 0.3 : n > 200 ? 0.5 : 1;
    for (var i = 0; i < n; i++) order.push(i);
    if (scene.touching) { // a mesh in space: what is far first
      var far = scene.polygons.map(function (g) {
        var sum = 0;
        g.forEach(function (i) { var p = position(i, w.k, w.f); sum += depth(p[0], p[1], p[2]); });
        return sum / g.length;
      });
      order.sort(function (a, b) { return far[b] - far[a]; });
    }
    order.forEach(function (m) {
      var g = scene.polygons[m];
      c.beginPath();
      g.forEach(function (i, n) { c[n ? "lineTo" : "moveTo"](w.points[i][0], w.points[i][1]); });
      c.closePath();
      c.fillStyle = scene.shade ? shade(scene.shade[w.k * n + m]) : colours.band; c.fill();
      c.strokeStyle = colours.faint; c.stroke();
    });
  }
  // A colour between paper and that of stress.
  function shade(v) {
    var a = rgb(colours.band), b = rgb(colours.stress), f = v / 255;
    return "rgb(" + a.map(function (x, i) { return Math.round(x + f * (b[i] - x)); }).join() + ")";
  }
  function rgb(text) { // of #rrggbb or #rgb
    var h = text.slice(1);
    if (h.length === 3) h = h.replace(/./g, "$&$&");
    return [0, 2, 4].map(function (i) { return parseInt(h.substr(i, 2), 16); });
  }
  function joints(w) {
    var c = w.c;
    scene.joints.forEach(function (j) {
      var p = w.points[j.p];
      c.strokeStyle = colours.ink; c.lineWidth = 1.6;
      if (j.kind === "ground") { // a bearing
        c.beginPath(); c.moveTo(p[0], p[1]); c.lineTo(p[0] - 8, p[1] + 13); c.lineTo(p[0] + 8, p[1] + 13); c.closePath();
        c.fillStyle = colours.paper; c.fill(); c.stroke();
        c.beginPath(); for (var d = -8; d <= 8; d += 4) { c.moveTo(p[0] + d, p[1] + 13); c.lineTo(p[0] + d - 4, p[1] + 18); } c.lineWidth = 1; c.stroke(); c.lineWidth = 1.6;
      }
      if (j.kind === "slider") { // rails on both sides
        var q = project(j.axis[0], j.axis[1], j.axis[2]), l = Math.hypot(q[0], q[1]) || 1, ux = q[0] / l, uy = -q[1] / l;
        c.beginPath();
        [-9, 9].forEach(function (d) { c.moveTo(p[0] - 26 * ux - d * uy, p[1] - 26 * uy + d * ux); c.lineTo(p[0] + 26 * ux - d * uy, p[1] + 26 * uy + d * ux); });
        c.stroke();
      }
      c.beginPath();
      if (j.kind === "anchor") { c.moveTo(p[0] - 5, p[1] - 5); c.lineTo(p[0] + 5, p[1] + 5); c.moveTo(p[0] - 5, p[1] + 5); c.lineTo(p[0] + 5, p[1] - 5); c.stroke(); return; }
      c.arc(p[0], p[1], 4, 0, 7); c.fillStyle = colours.paper; c.fill(); c.stroke();
    });
  }
  //BODIES
  function links(w) {
    var c = w.c, coils = scene.links.length <= 300;
    scene.links.forEach(function (l, m) { // an element of a bar: thick, with its stress
      if (l[2] !== 5) return;
      var a = w.points[l[0]], b = w.points[l[1]];
      c.strokeStyle = colours.faint; c.lineWidth = 20; c.beginPath(); c.moveTo(a[0], a[1]); c.lineTo(b[0], b[1]); c.stroke();
      c.strokeStyle = scene.shade ? shade(scene.shade[w.k * scene.links.length + m]) : colours.band; c.lineWidth = 18; c.beginPath(); c.moveTo(a[0], a[1]); c.lineTo(b[0], b[1]); c.stroke();
    });
    c.strokeStyle = colours.faint; c.lineWidth = 1.3;
    c.beginPath();
    scene.links.forEach(function (l) {
      if (l[2] === 5) return;
      var a = w.points[l[0]], b = w.points[l[1]], length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      c.moveTo(a[0], a[1]);
      if (coils && l[2] < 3 && length > 24) {
        var ux = (b[0] - a[0]) / length, uy = (b[1] - a[1]) / length, n = 12, lead = 0.14;
        for (var i = 0; i <= n; i++) {
          var d = length * (lead + (1 - 2 * lead) * i / n), h = i === 0 || i === n ? 0 : (i % 2 ? 5 : -5);
          c.lineTo(a[0] + d * ux - h * uy, a[1] + d * uy + h * ux);
        }
      }
      c.lineTo(b[0], b[1]);
    });
    c.stroke();
  }
  function trails(w) {
    if (scene.contacts > 20 || scene.touching) return;
    var c = w.c;
    c.strokeStyle = colours.c6; c.lineWidth = 1; c.globalAlpha = 0.7;
    for (var j = 0; j < scene.contacts; j++) {
      c.beginPath();
      for (var k = 0; k <= w.k; k++) { var p = w.screen(position(j, k, 0)); c[k ? "lineTo" : "moveTo"](p[0], p[1]); }
      c.stroke();
    }
    c.globalAlpha = 1;
  }
  function forces(w) {
    if (!(scene.force > 0)) return;
    var many = scene.contacts > 60, reach = (many ? 0.09 : 0.22) * Math.min(w.w, w.h) / scene.force;
    w.thin = many;
    push(w);
    for (var j = 0; j < scene.contacts; j++) {
      if (scene.on[j] < 0) continue;
      var o = scene.obstacles[scene.on[j]], i = w.k * scene.contacts + j, p = w.points[j];
      arrow(w, p, [0, 1, 2].map(function (a) { return scene.n[i] * o.n[a]; }), reach, colours.c3);
      arrow(w, p, [0, 1, 2].map(function (a) { return scene.t1[i] * o.t[a] + scene.t2[i] * o.o[a]; }), reach, colours.c4);
    }
  }
  function arrow(w, from, v, reach, colour) {
    var q = project(v[0], v[1], v[2]), dx = q[0] * reach, dy = -q[1] * reach, length = Math.hypot(dx, dy), c = w.c;
    if (length < 3) return;
    var ux = dx / length, uy = dy / length, head = Math.min(w.thin ? 5 : 9, length * 0.5), x = from[0] + dx, y = from[1] + dy;
    c.strokeStyle = c.fillStyle = colour; c.lineWidth = w.thin ? 1.2 : 2.2;
    c.beginPath(); c.moveTo(from[0], from[1]); c.lineTo(x - head * ux, y - head * uy); c.stroke();
    c.beginPath(); c.moveTo(x, y); c.lineTo(x - head * ux - 0.5 * head * uy, y - head * uy + 0.5 * head * ux); c.lineTo(x - head * ux + 0.5 * head * uy, y - head * uy - 0.5 * head * ux); c.closePath(); c.fill();
  }
  function push(w) {
    var p = scene.pushes;
    if (!p) return;
    var most = 0, i, a = p.from[w.k], b = p.from[w.k + 1], many = p.most > 40;
    for (i = a; i < b; i++) most = Math.max(most, Math.hypot(p.normal[0][i], p.normal[1][i], p.normal[2][i]));
    // Impacts are far above what is carried otherwise: arrows grow by the root.
    var reach = (many ? 0.1 : 0.24) * Math.min(w.w, w.h), scale = function (v) { var l = Math.hypot(v[0], v[1], v[2]); return l > 0 ? reach * Math.sqrt(l / p.force) / l : 0; };
    w.thin = many;
    for (i = a; i < b; i++) {
      var at = w.screen([p.at[0][i], p.at[1][i], p.at[2][i]]), n = [p.normal[0][i], p.normal[1][i], p.normal[2][i]], t = [p.cross[0][i], p.cross[1][i], p.cross[2][i]];
      arrow(w, at, n, scale(n), colours.c3);
      arrow(w, at, t, scale(t), colours.c4);
    }
  }
  // Contacts that come and go: a square sticks, a disc slips.
  function meetings(w) {
    var p = scene.pushes, c = w.c;
    if (!p) return;
    for (var i = p.from[w.k]; i < p.from[w.k + 1]; i++) {
      var at = w.screen([p.at[0][i], p.at[1][i], p.at[2][i]]), r = p.most > 40 ? 2.5 : 5;
      c.beginPath();
      if (p.status[i] === 2) c.rect(at[0] - r, at[1] - r, 2 * r, 2 * r); else c.arc(at[0], at[1], r, 0, 7);
      c.fillStyle = p.status[i] === 2 ? colours.c1 : colours.c2; c.fill();
    }
  }
  function particles(w) {
    var c = w.c, n = scene.contacts, r = n > 1000 ? 2.2 : n > 60 || scene.touching && n > 12 ? 4.5 : 7, chosen = +$("chosen").value;
    for (var i = 0; i < scene.points; i++) {
      var p = w.points[i];
      if (i >= scene.anchors) { // a cross
        c.strokeStyle = colours.ink; c.lineWidth = 2;
        c.beginPath(); c.moveTo(p[0] - 5, p[1] - 5); c.lineTo(p[0] + 5, p[1] + 5); c.moveTo(p[0] - 5, p[1] + 5); c.lineTo(p[0] + 5, p[1] - 5); c.stroke();
        continue;
      }
      if (i >= n) continue; // a corner of a body or mesh
      var state = scene.status[w.k * n + i], colour = [colours.faint, colours.c3, colours.c1, colours.c2][state];
      if (state === 0 && scene.touching && i !== chosen) continue;
      c.beginPath();
      if (state === 2) c.rect(p[0] - r, p[1] - r, 2 * r, 2 * r); else c.arc(p[0], p[1], r, 0, 7);
      c.fillStyle = state < 2 ? colours.paper : colour; c.fill();
      c.strokeStyle = colour; c.lineWidth = state < 2 ? 2 : 1;
      if (state === 0) c.setLineDash([2, 2]);
      c.stroke(); c.setLineDash([]);
      if (i === chosen && n > 1) { c.strokeStyle = colours.ink; c.lineWidth = 1.5; c.beginPath(); c.arc(p[0], p[1], r + 5, 0, 7); c.stroke(); }
    }
  }

  // The name of a state: what has no friction neither sticks nor slips.
  function named(state) {
    if (document.body.classList.contains("smooth") && state > 1) return "in contact";
    return state === 0 && scene.touching ? "open" : names[state];
  }
  // A number in three digits.
  function short(v) { return Math.abs(v) >= 1e-3 && Math.abs(v) < 1e5 || v === 0 ? String(+v.toPrecision(3)) : v.toExponential(2); }

  // The section of a friction cone around (x, y): a disc of radius r, a polygon around it,
  // in the plane a strip, on a canvas of that side, or the ellipse Sᵀ·disc.
  function section(c, x, y, r, side, shape) {
    var m = scene.facets, i, a, l;
    c.fillStyle = colours.band; c.beginPath();
    if (m === 2) {
      c.fillRect(x - r, y - side / 2, 2 * r, side);
      [x - r, x + r].forEach(function (u) { c.moveTo(u, y - side / 2); c.lineTo(u, y + side / 2); });
    } else if (m > 2) for (i = 0; i < m; i++) { a = (2 * i + 1) * Math.PI / m; l = r / Math.cos(Math.PI / m); c[i ? "lineTo" : "moveTo"](x + l * Math.cos(a), y - l * Math.sin(a)); }
    else if (shape) for (i = 0; i < 72; i++) { a = i * Math.PI / 36; c[i ? "lineTo" : "moveTo"](x + r * (shape[0] * Math.cos(a) + shape[2] * Math.sin(a)), y - r * (shape[1] * Math.cos(a) + shape[3] * Math.sin(a))); }
    else c.arc(x, y, Math.max(0, r), 0, 7);
    if (m !== 2) { c.closePath(); c.fill(); }
    c.strokeStyle = colours.faint; c.setLineDash([4, 3]); c.stroke(); c.setLineDash([]);
  }
  function axes(c, x, y, side) {
    c.strokeStyle = colours.grid; c.lineWidth = 1;
    c.beginPath(); c.moveTo(x - side / 2, y); c.lineTo(x + side / 2, y); c.moveTo(x, y - side / 2); c.lineTo(x, y + side / 2); c.stroke();
  }
  // The distance of the boundary of Sᵀ·disc in the direction (a, b); on the mean without one.
  function reach(s, a, b) {
    var det = Math.abs(s[0] * s[3] - s[1] * s[2]), l = Math.hypot(a, b);
    return l > 0 && det > 0 ? det * l / Math.hypot(s[3] * a - s[2] * b, s[0] * b - s[1] * a) : Math.sqrt(det);
  }
  // The largest bound that a contact has, times what its section is wider than there.
  function widest(j) {
    scene.widest = scene.widest || {};
    if (scene.widest[j] === undefined) {
      var most = 0, s = scene.shapes && scene.shapes[j];
      for (var i = j; i < scene.bound.length; i += scene.contacts) most = Math.max(most, scene.bound[i] * (s ? Math.hypot(s[0], s[1], s[2], s[3]) / reach(s, scene.t1[i], scene.t2[i]) : 1));
      scene.widest[j] = most;
    }
    return scene.widest[j];
  }
  // The friction cone of one contact, seen along its normal.
  function cone(k) {
    if (scene.pushes) return shares(k);
    if (scene.contacts === 0) return;
    var s = size($("cone")), c = s.c, j = +$("chosen").value, i = k * scene.contacts + j, most = widest(j), side = Math.min(s.w, s.h);
    var r = 0.42 * side / (most > 0 ? most : 1), x = s.w / 2, y = s.h / 2, b = scene.bound[i], t1 = scene.t1[i], t2 = scene.t2[i], size2 = Math.hypot(t1, t2);
    var state = scene.status[i], colour = [colours.faint, colours.c3, colours.c1, colours.c2][state], shape = scene.shapes && scene.shapes[j];
    axes(c, x, y, side);
    section(c, x, y, shape ? r * b / (reach(shape, t1, t2) || 1) : r * b, side, shape);
    if (size2 * r > 1) arrow({ c: c }, [x, y], unproject(t1, t2), r, colours.c4);
    c.beginPath(); c.arc(x, y, 4, 0, 7); c.fillStyle = colour; c.fill();
    $("contact").textContent = named(state) + (b > 0 ? ": friction " + (100 * Math.min(size2 / b, 9.99)).toFixed(0) + " % of " + short(b) + " N" : "") + (state > 0 ? ", pressed by " + short(scene.n[i]) + " N" : "");
  }
  // All contacts in one unit cone, seen along their normals.
  function shares(k) {
    var s = size($("cone")), c = s.c, p = scene.pushes, side = Math.min(s.w, s.h), r = (scene.facets > 2 ? 0.42 * Math.cos(Math.PI / scene.facets) : 0.42) * side, x = s.w / 2, y = s.h / 2, most = 0;
    axes(c, x, y, side);
    section(c, x, y, r, side);
    for (var i = p.from[k]; i < p.from[k + 1]; i++) {
      var a = p.share[0][i], b = p.share[1][i], l = filled(a, b), slip = p.status[i] === 3, px = x + a * r, py = y - b * r;
      most = Math.max(most, l);
      c.fillStyle = slip ? colours.c2 : colours.c1;
      c.beginPath(); if (slip) c.arc(px, py, 4, 0, 7); else c.rect(px - 3.5, py - 3.5, 7, 7); c.fill();
    }
    var n = p.from[k + 1] - p.from[k];
    $("contact").textContent = n === 0 ? "no contact carries a force" : n + (n > 1 ? " contacts; friction up to " : " contact; friction ") + (100 * Math.min(most, 9.99)).toFixed(0) + " % of what " + (n > 1 ? "one bears" : "it bears");
  }
  // How far (a, b) fills the section: its gauge.
  function filled(a, b) {
    var m = scene.facets, most = 0;
    if (m === 0) return Math.hypot(a, b);
    for (var i = 0; i < m; i++) most = Math.max(most, a * Math.cos(2 * Math.PI * i / m) + b * Math.sin(2 * Math.PI * i / m));
    return most;
  }
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
      if (!scene || e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|BUTTON|SUMMARY)$/.test(e.target.tagName)) return;
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
    var began = performance.now(), next = function () { setTimeout(follow, Math.max(1000, 5 * (performance.now() - began)), tag); };
    fetch(document.body.dataset.live + "?since=" + encodeURIComponent(tag)).then(function (r) {
      if (r.status === 200) return r.json().then(function (d) { tag = d.tag; update(d); });
      if (r.status !== 204) return r.text().then(function (text) { say("waiting: " + text.trim()); tag = ""; });
    }).then(next).catch(function () { say("no longer served"); });
  }
  function say(text) { if ($("live").textContent !== text) $("live").textContent = text; }
  var run = 0, shown = {};
  function update(d) {
    if (run > 0 && d.run !== run) { location.reload(); return; }
    run = d.run;
    ["verdict", "figures", "tables"].forEach(function (n) {
      if (shown[n] === d.parts[n]) return;
      var open = [].map.call($(n).querySelectorAll("details"), function (e) { return e.open; });
      $(n).innerHTML = shown[n] = d.parts[n];
      $(n).querySelectorAll("details").forEach(function (e, i) { e.open = !!open[i]; });
    });
    load(d.scene);
    say(d.done ? "ended" : "live");
  }

  listen(); paint();
  load(JSON.parse($("scene").textContent));
  if (document.body.dataset.live) follow("");
  window.quasistatic = { show: show, goTo: goTo, at: function () { return at; }, frames: function () { return scene ? scene.t.length : 0; } };
})();
