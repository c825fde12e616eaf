  // Rigid bodies, by orthographic projection; what is far is drawn first.
  function pose(b, k, f) { return poseOf(scene.pose, b, scene.bodies.length, k, f); }
  // The i-th of n poses of seven channels at frame k, and f on the way to the next one.
  function poseOf(channels, i, n, k, f) {
    var a = k * n + i, v = channels.map(function (c) { return c[a] + f * (f > 0 ? c[a + n] - c[a] : 0); });
    var l = Math.hypot(v[3], v[4], v[5], v[6]) || 1, w = v[3] / l, x = v[4] / l, y = v[5] / l, z = v[6] / l;
    return { c: [v[0], v[1], v[2]], r: [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)] };
  }
  function turned(p, v) { return [0, 3, 6].map(function (i) { return p.r[i] * v[0] + p.r[i + 1] * v[1] + p.r[i + 2] * v[2]; }); }
  function turnedBack(p, v) { return [0, 1, 2].map(function (i) { return p.r[i] * v[0] + p.r[3 + i] * v[1] + p.r[6 + i] * v[2]; }); }
  function placed(p, v) { return turned(p, v).map(function (x, i) { return p.c[i] + x; }); }

  // Bodies of the plane, and the contacts between them.
  function outlines(w) {
    var c = w.c, q = scene.pushes, picked = pickedBody(), many = scene.bodies.length > 60;
    c.lineJoin = "round";
    scene.bodies.forEach(function (b, i) {
      c.globalAlpha = faded(i) ? clear() : 1;
      c.fillStyle = i === picked ? colours.open : colours.body; c.strokeStyle = i === picked ? colours.ink : colours.faint; c.lineWidth = many ? 0.8 : 1.4;
      if (b.outline) outline(w, b.outline, w.poses[i]);
      else { var at = w.screen(w.poses[i].c); c.beginPath(); c.arc(at[0], at[1], 6, 0, 7); c.fill(); c.stroke(); }
    });
    c.globalAlpha = 1;
  }
  function body(w, r, i, shades, width, ink) {
    var b = scene.bodies[i], p = w.poses[i], q = r.q, at = function (x) { x = w.screen(x); return [q * x[0], q * x[1], q * x[2]]; };
    (b.surfaces = b.surfaces || surfacesOf(b)).forEach(function (s) { surface(r, s, s.at.map(function (x) { return at(placed(p, x)); }), function () { return shades; }, 2, width, ink); });
    balls(b).forEach(function (e) {
      var zero = at([0, 0, 0]);
      ellipsoid(r, at(placed(p, e.at)), [0, 1, 2].map(function (k) { var v = [0, 0, 0]; v[k] = e.axes[k]; return at(turned(p, v)).map(function (x, m) { return x - zero[m]; }); }), shades, width, ink);
    });
  }
  // How much of what is behind a body is seen through it; whether body i is one of those.
  function clear() { var v = +$("clear").value; return v < 1 ? v : 0.25; }
  function faded(i) { var picked = pickedBody(); return i !== picked && (+$("clear").value < 1 || picked >= 0 && scene.bodies.length > 12); }
  // Solids: obstacles, meshes and bodies, then those that are seen through: of these the nearest.
  function solids(w) {
    var r = w.solid = bufferOf(w, "solid"), q = r.q, veiled = [], at = function (p) { p = w.screen(p); return [q * p[0], q * p[1], q * p[2]]; };
    var thick = q * (scene.bodies.length > 60 ? 0.8 : 1.4), ink = pack(rgb(colours.faint)), shades = shadesFrom(mix(colours.body, colours.faint, 0.35), colours.body);
    scene.obstacles.forEach(function (o) {
      if (!o.surface) return;
      var p = o.pose ? poseOf(o.pose, 0, 1, w.k, w.f) : null, places = o.at.map(function (x) { return at(p ? placed(p, x) : x); }), lights = shadesFrom(colours.line, colours.band);
      surface(r, o.surface, places, function () { return lights; }, 1, 1.4 * q, ink);
      (p ? o.lines.concat(o.marks) : o.lines).forEach(function (l) { for (var i = 1; i < l.length; i++) r.edges.push([places[l[i - 1]], places[l[i]], 1.4 * q, ink]); });
    });
    if (scene.mesh) {
      var n = scene.polygons.length, stress = shadesFrom(colours.band, colours.stress), band = shadesFrom(colours.band, colours.band), points = q === 1 ? w.points : w.points.map(function (p) { return [q * p[0], q * p[1], q * p[2]]; }), each = singles(stress), first = scene.shade ? w.k * n : 0;
      surface(r, scene.mesh, points, function (m) { return scene.shade ? each[scene.shade[first + m] * (levels - 1) / 255 | 0] : band; }, scene.mesh.out || 2, q * fine(n), ink);
    }
    var draw = function (r, i) {
      if (i === pickedBody()) body(w, r, i, shadesFrom(mix(colours.open, colours.faint, 0.35), colours.open), thick, pack(rgb(colours.ink))); else body(w, r, i, shades, thick, ink);
    };
    scene.bodies.map(function (b, i) { return [w.screen(w.poses[i].c)[2], i]; }).sort(function (a, b) { return a[0] - b[0]; }).forEach(function (x) { if (faded(x[1])) veiled.push(x[1]); else draw(r, x[1]); });
    pour(w, r, 1);
    if (veiled.length === 0) return;
    var veil = bufferOf(w, "veil", r);
    veiled.forEach(function (i) { draw(veil, i); });
    pour(w, veil, clear());
  }
  // The body at a place of the picture, or within a few pixels of it; −1: none. All are drawn, each in a
  // colour of its own, which nobody sees.
  function bodyAt(x, y) {
    var w = seen, r = scene.solid && bufferOf(w, "picked"), ratio = window.devicePixelRatio || 1, near = [[0, 0], [6, 0], [-6, 0], [0, 6], [0, -6]];
    var paths = r ? [] : scene.bodies.map(function (b, i) { var p = new Path2D(); (b.outline || []).forEach(function (v) { var q = w.screen(placed(w.poses[i], [v[0], 0, v[1]])); p.lineTo(q[0], q[1]); }); return p; });
    if (r) scene.bodies.forEach(function (b, i) { body(w, r, i, new Uint32Array(levels).fill(0xff000001 + i), 0, 0xff000001 + i); });
    for (var n = 0, found = -1; n < near.length && found < 0; n++) {
      var u = x + near[n][0], v = y + near[n][1];
      if (!r) paths.forEach(function (p, i) { if (w.c.isPointInPath(p, u * ratio, v * ratio)) found = i; });
      else found = ((r.pixels[Math.floor(v * r.q) * r.W + Math.floor(u * r.q)] || 0) & 0xffffff) - 1;
    }
    return found;
  }
  // The ellipsoids of a body: itself, or the ends of a capsule; of one without a shape a point.
  function balls(b) {
    if (b.round) return [{ at: [0, 0, 0], axes: b.round }];
    if (b.length) return [-1, 1].map(function (s) { return { at: [s * b.length / 2, 0, 0], axes: [b.radius, b.radius, b.radius] }; });
    var r = 6 / seen.scale;
    return b.half || b.parts ? [] : [{ at: [0, 0, 0], axes: [r, r, r] }];
  }
  function path(w, points) {
    w.c.beginPath();
    points.forEach(function (q, i) { w.c[i ? "lineTo" : "moveTo"](q[0], q[1]); });
  }
  // A body of the plane, with a line from its centre that shows how it turns.
  function outline(w, points, p) {
    var c = w.c, q = points.map(function (v) { return w.screen(placed(p, [v[0], 0, v[1]])); });
    path(w, q); c.closePath(); c.fill(); c.stroke();
    if (points.length > 20) { path(w, [w.screen(p.c), w.screen(placed(p, [points[0][0], 0, points[0][1]]))]); c.stroke(); }
  }
  function mix(a, b, f) {
    a = rgb(a); b = rgb(b);
    return "#" + a.map(function (x, i) { return ("0" + Math.round(x + f * (b[i] - x)).toString(16)).slice(-2); }).join("");
  }
