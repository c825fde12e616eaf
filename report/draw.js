  // What a frame draws, from behind to the front; w is its canvas with scale and projection.
  function obstacles(w) {
    scene.obstacles.forEach(function (o, i) {
      var p = o.pose ? poseOf(o.pose, 0, 1, w.k, w.f) : null, turn = function (v) { return p ? turned(p, v) : v; }, place = function (v) { return p ? placed(p, v) : v; };
      if (o.n[0] || o.n[1] || o.n[2]) plane(w, place(o.p), turn(o.t), turn(o.o), turn(o.n), over(i)); else if (!scene.solid) outlined(w, o, place);
    });
  }
  // Where the contacts of plane i are at all times, as ranges along its tangents: beside them it
  // acts on nothing, as a stop for one end of a beam. null: no contact is told apart, or they are
  // the middles of tiles of the surface.
  function over(i) {
    if (scene.polygons.length && !scene.polygons.some(function (g) { return g.some(function (p) { return p < scene.particles; }); })) return null;
    var m = $("magnify").value, o = scene.obstacles[i];
    if (o.over && o.over.m === m) return o.over.range;
    var lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
    for (var j = 0; j < scene.contacts; j++) for (var k = 0; scene.on[j] === i && k < scene.t.length; k++) {
      var p = o.pose ? poseOf(o.pose, 0, 1, k, 0) : null, x = position(scene.of(j), k, 0), y = p ? turnedBack(p, x.map(function (v, c) { return v - p.c[c]; })) : x;
      y = y.map(function (v, c) { return v - o.p[c]; });
      [o.t, o.o].forEach(function (d, a) { var q = dot(y, d); lo[a] = Math.min(lo[a], q); hi[a] = Math.max(hi[a], q); });
    }
    o.over = { m: m, range: hi[0] >= lo[0] ? [lo, hi] : null };
    return o.over.range;
  }
  // The part of a plane that is over, or that is below the motion.
  function plane(w, at, t, o, n, over) {
    var c = w.c, range = Math.max(scene.xRange[1] - scene.xRange[0], scene.yRange[1] - scene.yRange[0], scene.zRange[1] - scene.zRange[0]), edge = edgeOn(n);
    // What is seen edge on may leave the picture; an area stays in it.
    var pad = edge ? Math.max(0.12 * range, 60 / w.scale) : Math.min(0.12 * range + 20 / w.scale, 0.6 * w.pad / w.scale);
    var lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
    for (var i = 0; i < 8 && !over; i++) {
      var p = ["x", "y", "z"].map(function (name, a) { return scene[name + "Range"][i >> a & 1] - at[a]; });
      [t, o].forEach(function (d, a) { var q = dot(p, d); lo[a] = Math.min(lo[a], q); hi[a] = Math.max(hi[a], q); });
    }
    if (over) { lo = over[0]; hi = over[1]; }
    lo = lo.map(function (v) { return v - pad; }); hi = hi.map(function (v) { return v + pad; });
    var point = function (a, b) { return w.screen([0, 1, 2].map(function (i) { return at[i] + a * t[i] + b * o[i]; })); };
    var corners = [point(lo[0], lo[1]), point(hi[0], lo[1]), point(hi[0], hi[1]), point(lo[0], hi[1])];
    c.beginPath();
    corners.forEach(function (p, i) { c[i ? "lineTo" : "moveTo"](p[0], p[1]); });
    c.closePath();
    c.fillStyle = colours.band; c.fill();
    c.strokeStyle = colours.faint; c.lineWidth = 1.5; c.stroke();
    if (edge) hatch(w, n, corners, w.screen(at));
  }
  // A surface in the plane of the picture, whose lines are seen from everywhere.
  function outlined(w, o, place) {
    var c = w.c, at = o.at.map(function (x) { return w.screen(place(x)); });
    c.lineWidth = 1.4; c.fillStyle = colours.band; c.strokeStyle = colours.faint;
    o.faces.forEach(function (f) { path(w, f.map(function (i) { return at[i]; })); c.closePath(); c.fill(); });
    (o.pose ? o.lines.concat(o.marks) : o.lines).forEach(function (l) { path(w, l.map(function (i) { return at[i]; })); c.stroke(); });
  }
  function edgeOn(normal) { var n = project(normal[0], normal[1], normal[2]); return Math.hypot(n[0], n[1]) >= 0.98; }
  // A plane seen edge on gets strokes on its far side, which go with the point a of it.
  function hatch(w, normal, q, at) {
    var n = project(normal[0], normal[1], normal[2]), dx = -n[0], dy = n[1], a = q[0], b = q[0], c = w.c;
    q.forEach(function (p) { if (Math.hypot(p[0] - a[0], p[1] - a[1]) > Math.hypot(b[0] - a[0], b[1] - a[1])) b = p; });
    var length = Math.hypot(b[0] - a[0], b[1] - a[1]), ux = (b[0] - a[0]) / length, uy = (b[1] - a[1]) / length, first = ((at[0] - a[0]) * ux + (at[1] - a[1]) * uy) % 10;
    c.lineWidth = 1; c.beginPath();
    for (var d = first < 0 ? first + 10 : first; d < length; d += 10) { c.moveTo(a[0] + d * ux, a[1] + d * uy); c.lineTo(a[0] + d * ux + 8 * dx - 6 * ux, a[1] + d * uy + 8 * dy - 6 * uy); }
    c.stroke();
  }
  // Meshes of the plane.
  function polygons(w) {
    var c = w.c, n = scene.polygons.length;
    c.lineWidth = fine(n); c.strokeStyle = colours.faint; c.fillStyle = colours.band;
    scene.polygons.forEach(function (g, m) {
      path(w, g.map(function (i) { return w.points[i]; })); c.closePath();
      if (scene.shade) c.fillStyle = shade(scene.shade[w.k * n + m]);
      c.fill(); c.stroke();
    });
  }
  function fine(n) { return n > 2000 ? 0.3 : n > 200 ? 0.5 : 1; }
  // A colour between paper and that of stress, of 256.
  var ramps = { key: "" };
  function shade(v) {
    if (ramps.key !== colours.band + colours.stress) ramps = { key: colours.band + colours.stress };
    return ramps[v] = ramps[v] || mix(colours.band, colours.stress, v / 255);
  }
  function rgb(text) { // of #rrggbb or #rgb
    var h = text.slice(1);
    if (h.length === 3) h = h.replace(/./g, "$&$&");
    return [0, 2, 4].map(function (i) { return parseInt(h.substr(i, 2), 16); });
  }
  function joints(w) {
    var c = w.c, many = scene.joints.length > 60;
    scene.joints.forEach(function (j) {
      var p = w.points[j.p];
      c.strokeStyle = colours.ink; c.lineWidth = 1.6;
      if (j.kind === "ground") { // a bearing
        c.beginPath(); c.moveTo(p[0], p[1]); c.lineTo(p[0] - 8, p[1] + 13); c.lineTo(p[0] + 8, p[1] + 13); c.closePath();
        c.fillStyle = colours.paper; c.fill(); c.stroke();
        c.beginPath(); for (var d = -8; d <= 8; d += 4) { c.moveTo(p[0] + d, p[1] + 13); c.lineTo(p[0] + d - 4, p[1] + 18); } c.lineWidth = 1; c.stroke(); c.lineWidth = 1.6;
      }
      if (j.rail) { // the guide, which stands still, on both sides
        var e = j.rail.map(w.screen), l = Math.hypot(e[1][0] - e[0][0], e[1][1] - e[0][1]) || 1, ux = (e[1][0] - e[0][0]) / l, uy = (e[1][1] - e[0][1]) / l;
        c.beginPath();
        [-9, 9].forEach(function (d) { c.moveTo(e[0][0] - d * uy, e[0][1] + d * ux); c.lineTo(e[1][0] - d * uy, e[1][1] + d * ux); });
        c.stroke();
      }
      c.beginPath();
      if (j.kind === "held") { // of many a dot of a mesh each
        var r = many ? 1.2 : 3;
        if (hidden(w, p, 3)) return;
        c.lineWidth = many ? 0.8 : 1.6;
        c.moveTo(p[0] - r, p[1] - r); c.lineTo(p[0] + r, p[1] + r); c.moveTo(p[0] - r, p[1] + r); c.lineTo(p[0] + r, p[1] - r); c.stroke();
        return;
      }
      if (j.kind === "anchor") { c.moveTo(p[0] - 5, p[1] - 5); c.lineTo(p[0] + 5, p[1] + 5); c.moveTo(p[0] - 5, p[1] + 5); c.lineTo(p[0] + 5, p[1] - 5); c.stroke(); return; }
      c.arc(p[0], p[1], 4, 0, 7); c.fillStyle = colours.paper; c.fill(); c.stroke();
    });
  }
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
      if (w.solid) through(w, a, b); else c.lineTo(b[0], b[1]);
    });
    if (!w.solid) c.stroke();
  }
  function trails(w) {
    if (scene.particles > 20 || scene.touching) return;
    var c = w.c;
    c.strokeStyle = colours.c6; c.lineWidth = 1; c.globalAlpha = 0.7;
    for (var j = 0; j < scene.particles; j++) {
      c.beginPath();
      for (var k = 0; k <= w.k; k++) { var p = w.screen(position(j, k, 0)); c[k && !hidden(w, p, 4) ? "lineTo" : "moveTo"](p[0], p[1]); }
      c.stroke();
    }
    c.globalAlpha = 1;
  }
  // Normal, first and second tangent of contact j at frame k.
  function axesOf(j, k) {
    if (!scene.axes.length) { var o = scene.obstacles[scene.on[j]]; return { n: o.n, t: o.t, o: o.o }; }
    var i = k * scene.contacts + j, a = scene.axes.map(function (c) { return c[i]; }), n = a.slice(0, 3), t = a.slice(3);
    return { n: n, t: t, o: cross(n, t) };
  }
  function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  // The length of the arrow of the force that has the full one [pixels].
  function fullArrow(w) { return (Math.max(scene.pushes ? scene.pushes.most : 0, scene.contacts) > 60 ? 0.1 : 0.22) * Math.min(w.w, w.h) * +$("reach").value; }
  function forces(w) {
    if (!(scene.force > 0) && !(scene.moment > 0)) return;
    var full = fullArrow(w), body = pickedBody();
    w.thin = Math.max(scene.pushes ? scene.pushes.most : 0, scene.contacts) > 60;
    for (var j = 0; j < scene.contacts; j++) {
      if (scene.on[j] < 0 && !scene.axes.length) continue;
      var a = axesOf(j, w.k), i = w.k * scene.contacts + j, p = w.points[scene.of(j)];
      force(w, p, [0, 1, 2].map(function (c) { return scene.n[i] * a.n[c]; }), full, colours.c3);
      force(w, p, [0, 1, 2].map(function (c) { return scene.t1[i] * a.t[c] + scene.t2[i] * a.o[c]; }), full, colours.c4);
    }
    var q = scene.pushes;
    for (i = q ? q.from[w.k] : 0; q && i < q.from[w.k + 1]; i++) {
      var sign = body < 0 || q.a[i] === body ? 1 : q.b[i] === body ? -1 : 0, at = w.screen(spot(i));
      force(w, at, [0, 1, 2].map(function (c) { return sign * q.normal[c][i]; }), full, colours.c3);
      force(w, at, [0, 1, 2].map(function (c) { return sign * q.cross[c][i]; }), full, colours.c4);
    }
    acts(w);
    key(w, full);
  }
  // Loads, and what joints rub, drive or stop with: forces as other arrows, moments as arrows around
  // their axis, whose angle is as large as the moment.
  function acts(w) {
    var full = fullArrow(w), body = pickedBody();
    scene.acts.forEach(function (a) {
      if (body >= 0 && a.b !== body) return;
      var at = w.points[a.p], colour = a.joint ? colours.c1 : colours.c6, now = function (list) { return list.map(function (v) { return v[w.k]; }); };
      if (a.f) force(w, at, now(a.f), full, colour);
      if (a.m) moment(w, at, now(a.m), colour);
    });
  }
  var fullTurn = 5; // the angle of the largest moment [rad]
  function moment(w, at, m, colour) {
    var l = Math.hypot(m[0], m[1], m[2]), c = w.c, n = m.map(function (v) { return v / l; }), r = 24;
    if (!(l > 0.02 * scene.moment)) return;
    var t = cross(n, Math.abs(n[2]) < 0.8 ? [0, 0, 1] : [0, 1, 0]), size = Math.hypot(t[0], t[1], t[2]), o;
    t = t.map(function (v) { return v / size; }); o = cross(n, t);
    var angle = fullTurn * Math.min(1, l / scene.moment), point = function (a) { var q = project.apply(null, t.map(function (v, i) { return r * (Math.cos(a) * v + Math.sin(a) * o[i]); })); return [at[0] + q[0], at[1] - q[1]]; };
    c.strokeStyle = colour; c.lineWidth = 2.2; c.beginPath();
    for (var i = 0; i <= 40; i++) { var p = point(angle * i / 40 - 0.5 * fullTurn); c[i ? "lineTo" : "moveTo"](p[0], p[1]); }
    c.stroke();
    var end = point(angle - 0.5 * fullTurn), before = point(angle - 0.5 * fullTurn - 0.4);
    var d = [end[0] - before[0], end[1] - before[1]];
    line(w, before, [d[0] * 1.5, d[1] * 1.5], colour);
  }
  // Where contact i that comes and goes is.
  function spot(i) { var p = scene.pushes; return [p.at[0][i], p.at[1][i], p.at[2][i]]; }
  // The key of the arrows: they are as long as their force.
  function key(w, full) {
    var c = w.c, y = w.h - 14, times = 1;
    while (times * full > 0.4 * w.w) times /= 2;
    c.font = "13px system-ui, sans-serif"; c.textAlign = "left"; c.textBaseline = "middle"; c.fillStyle = colours.ink;
    var write = function (text, x, y) { c.fillStyle = colours.ink; c.strokeStyle = colours.card; c.lineWidth = 3; c.strokeText(text, x, y); c.fillText(text, x, y); };
    if (scene.force > 0) {
      var text = short(times * scene.force) + " N" + (scene.cut ? "; longer ones are cut" : "");
      if (20 + times * full + c.measureText(text).width > 0.7 * w.w) y -= 26; // above the ruler, which takes up to a quarter
      line(w, [14, y], [times * full, 0], scene.contacts || scene.pushes ? colours.c3 : colours.c6);
      write(text, 20 + times * full, y);
    }
    if (scene.moment > 0) write("↻ by " + Math.round(fullTurn * 180 / Math.PI) + "°: " + short(scene.moment) + " N m", 14, scene.force > 0 ? y - 20 : y);
    c.textBaseline = "alphabetic";
  }
  // An arrow as long as its force; beyond the full length it is cut, with a bar across.
  function force(w, from, v, full, colour) {
    var l = Math.hypot(v[0], v[1], v[2]), cut = l > (1 + 1e-6) * scene.force, f = full / (cut ? l : scene.force), q = project(v[0], v[1], v[2]), d = [q[0] * f, -q[1] * f], size = Math.hypot(d[0], d[1]);
    line(w, from, [d[0], d[1], depth(v[0], v[1], v[2]) * f], colour);
    if (!cut || size < 12) return;
    var x = from[0] + 0.6 * d[0], y = from[1] + 0.6 * d[1], u = 5 * d[1] / size, h = -5 * d[0] / size;
    w.c.beginPath(); w.c.moveTo(x + u, y + h); w.c.lineTo(x - u, y - h); w.c.stroke();
  }
  function arrow(w, from, v, reach, colour) {
    var q = project(v[0], v[1], v[2]);
    line(w, from, [q[0] * reach, -q[1] * reach], colour);
  }
  // An arrow of the picture.
  function line(w, from, d, colour) {
    var length = Math.hypot(d[0], d[1]), c = w.c;
    if (length < 3) return;
    var ux = d[0] / length, uy = d[1] / length, head = Math.min(w.thin ? 5 : 9, length * 0.5), x = from[0] + d[0], y = from[1] + d[1];
    c.strokeStyle = c.fillStyle = colour; c.lineWidth = w.thin ? 1.2 : 2.2;
    through(w, from, [x - head * ux, y - head * uy, from[2] + (d[2] || 0) * (1 - head / length)]);
    if (hidden(w, [x, y, from[2] + (d[2] || 0)], ahead)) c.globalAlpha = 0.45;
    c.beginPath(); c.moveTo(x, y); c.lineTo(x - head * ux - 0.5 * head * uy, y - head * uy + 0.5 * head * ux); c.lineTo(x - head * ux + 0.5 * head * uy, y - head * uy - 0.5 * head * ux); c.closePath(); c.fill();
    c.globalAlpha = 1;
  }
  // Contacts that come and go, those that are seen.
  function meetings(w) {
    var q = scene.pushes, r = q && q.most > 40 ? 2.5 : 5;
    for (var i = q && $("marks").checked ? q.from[w.k] : Infinity; q && i < q.from[w.k + 1]; i++) { var at = w.screen(spot(i)); if (!hidden(w, at, r)) symbol(w.c, at, r, q.status[i]); }
  }
  // Chains of force: what bodies press each other with, the sum over their contacts, as lines between
  // their centres, or to their contacts with obstacles; as wide as the force.
  function chains(w) {
    var q = scene.pushes, sums = {}, c = w.c;
    if (!q || !(scene.force > 0)) return;
    for (var i = q.from[w.k]; i < q.from[w.k + 1]; i++) {
      var id = q.b[i] < 0 ? "contact " + i : Math.min(q.a[i], q.b[i]) + " " + Math.max(q.a[i], q.b[i]), s = sums[id] = sums[id] || { f: [0, 0, 0], sign: q.a[i], a: w.poses[q.a[i]].c, b: q.b[i] < 0 ? spot(i) : w.poses[q.b[i]].c };
      for (var k = 0; k < 3; k++) s.f[k] += (q.a[i] === s.sign ? 1 : -1) * (q.normal[k][i] + q.cross[k][i]);
    }
    c.strokeStyle = colours.c3; c.lineCap = "round";
    Object.keys(sums).forEach(function (id) {
      var s = sums[id], wide = widest12 * Math.min(1, Math.hypot(s.f[0], s.f[1], s.f[2]) / scene.force), a = w.screen(s.a), b = w.screen(s.b);
      if (wide < 0.1) return;
      c.lineWidth = wide; c.beginPath(); c.moveTo(a[0], a[1]); c.lineTo(b[0], b[1]); c.stroke();
    });
    c.lineCap = "butt";
  }
  var widest12 = 12; // of the line of the force whose arrow has the full length [pixels]
  // The symbol of a state: a square sticks, a disc slips, one of the colour of normal forces has
  // no friction, a ring grazes, a dashed one is free.
  function symbol(c, p, r, state) {
    var colour = stateColour(state);
    c.beginPath();
    if (state === 2) c.rect(p[0] - r, p[1] - r, 2 * r, 2 * r); else c.arc(p[0], p[1], r, 0, 7);
    c.fillStyle = state < 2 ? colours.paper : colour; c.fill();
    c.strokeStyle = colour; c.lineWidth = state < 2 ? 2 : 1;
    if (state === 0) c.setLineDash([2, 2]);
    c.stroke(); c.setLineDash([]);
  }
  function stateColour(state) { return [colours.faint, colours.c3, colours.c1, colours.c2, colours.c3][state]; }
  // The state of a particle: of several contacts the last one in the order of the states.
  function stateOf(i, k) { return (scene.at[i] || []).reduce(function (s, j) { return Math.max(s, scene.status[k * scene.contacts + j]); }, 0); }
  function particles(w) {
    var c = w.c, n = scene.particles, r = n > 1000 ? 2.2 : n > 60 || scene.touching && n > 12 ? 4.5 : 7, chosen = scene.contacts ? scene.of(pickedContact()) : -1;
    for (var i = 0; i < scene.points; i++) {
      var p = w.points[i];
      if (i >= scene.anchors) { // a cross
        c.strokeStyle = colours.ink; c.lineWidth = 2;
        c.beginPath(); c.moveTo(p[0] - 5, p[1] - 5); c.lineTo(p[0] + 5, p[1] + 5); c.moveTo(p[0] - 5, p[1] + 5); c.lineTo(p[0] + 5, p[1] - 5); c.stroke();
        continue;
      }
      if (i >= n) continue; // a corner of a body or mesh
      var s = stateOf(i, w.k);
      if ((s === 0 && scene.touching || !$("marks").checked) && i !== chosen) continue;
      c.globalAlpha = hidden(w, p, r) ? 0.35 : 1;
      symbol(c, p, r, s);
      c.globalAlpha = 1;
      if (i === chosen && n > 1) ring(c, p, r + 5);
    }
  }
  function ring(c, p, r) { c.strokeStyle = colours.ink; c.lineWidth = 1.5; c.beginPath(); c.arc(p[0], p[1], r, 0, 7); c.stroke(); }
