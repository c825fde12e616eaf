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

  // Bodies and the contacts between them, what is far first: a contact hides what is behind it
  // and is hidden by what is before it.
  function bodies(w) {
    var list = scene.bodies.map(function (b, i) { var p = pose(i, w.k, w.f); return { b: b, i: i, p: p, d: depth(p.c[0], p.c[1], p.c[2]) }; }), c = w.c, q = scene.pushes, picked = pickedBody();
    if (q && $("marks").checked) for (var i = q.from[w.k]; i < q.from[w.k + 1]; i++) { var at = spot(i); list.push({ contact: i, d: depth(at[0], at[1], at[2]) }); }
    list.sort(function (a, b) { return b.d - a.d; });
    c.lineJoin = "round";
    list.forEach(function (x) {
      c.globalAlpha = picked >= 0 && scene.bodies.length > 12 && !(x.i === picked || x.contact >= 0 && (q.a[x.contact] === picked || q.b[x.contact] === picked)) ? 0.25 : 1;
      if (!x.b) { meeting(w, x.contact); return; }
      c.fillStyle = x.i === picked ? colours.open : colours.body; c.strokeStyle = x.i === picked ? colours.ink : colours.faint; c.lineWidth = list.length > 60 ? 0.8 : 1.4;
      if (x.b.outline) outline(w, x.b.outline, x.p);
      else if (x.b.half) box(w, x.b.half, x.p);
      else if (x.b.parts) parts(w, x.b.parts, x.p);
      else if (x.b.round) ellipsoid(w, x.b.round, x.p);
      else if (x.b.length) capsule(w, x.b, x.p);
      else { var at = w.screen(x.p.c); c.beginPath(); c.arc(at[0], at[1], 6, 0, 7); c.fill(); c.stroke(); }
    });
    c.globalAlpha = 1;
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
  // A convex part: its outline, the hull of its points on the screen (Andrew's monotone chain), and
  // its edges that are seen.
  function convex(w, part, p) {
    var c = w.c, ring = [], at = part.at.map(function (v) { return w.screen(placed(p, v)); }), q = at.slice().sort(function (a, b) { return a[0] - b[0] || a[1] - b[1]; });
    for (var side = 0; side < 2; side++, q.reverse(), ring.pop()) for (var first = ring.length, i = 0; i < q.length; i++) {
      while (ring.length >= first + 2 && turn(ring[ring.length - 2], ring[ring.length - 1], q[i]) <= 0) ring.pop();
      ring.push(q[i]);
    }
    path(w, ring); c.closePath(); c.fill(); c.stroke();
    c.save(); c.globalAlpha *= 0.7; c.lineWidth = 0.9; c.beginPath();
    (part.edges = part.edges || sharpEdges(part)).forEach(function (e) {
      if (e.normals.every(function (n) { var m = turned(p, n); return depth(m[0], m[1], m[2]) > -1e-3; })) return;
      c.moveTo(at[e.a][0], at[e.a][1]); c.lineTo(at[e.b][0], at[e.b][1]);
    });
    c.stroke(); c.restore();
  }
  // The edges of a part that are drawn: sharp ones, and along rings of points three lines from end to
  // end that show how it turns, a quarter of the way around apart, one of which is always seen.
  function sharpEdges(part) {
    var known = {}, marked = {}, first = {}, n = part.around || 0, key = function (a, b) { return Math.min(a, b) + " " + Math.max(a, b); };
    var number = part.at.map(function (x, i) { var k = x.join(); if (first[k] === undefined) first[k] = i; return first[k]; }), faces = part.faces || [];
    for (var i = 0; n && i + n < part.at.length; i++) {
      var next = i % n === n - 1 ? i + 1 - n : i + 1;
      faces.push([i, i + n, next + n, next]);
      if (4 * (i % n) % n === 0 && 4 * (i % n) < 3 * n) marked[key(number[i], number[i + n])] = true;
    }
    faces.forEach(function (face) {
      var sum = [0, 0, 0], size = 0;
      face.forEach(function (i, k) { var a = part.at[i], x = cross(a, part.at[face[(k + 1) % face.length]]); size += dot(a, a); sum = sum.map(function (v, c) { return v + x[c]; }); });
      var l = Math.hypot(sum[0], sum[1], sum[2]);
      if (l <= 1e-6 * size) return;
      sum = sum.map(function (v) { return v / l; });
      face.forEach(function (i, k) {
        var a = number[i], b = number[face[(k + 1) % face.length]], id = key(a, b);
        if (a === b) return;
        if (known[id]) known[id].normals[1] = sum; else known[id] = { a: a, b: b, id: id, normals: [sum, sum] };
      });
    });
    return Object.keys(known).map(function (id) { return known[id]; }).filter(function (e) { return marked[e.id] || dot(e.normals[0], e.normals[1]) < 0.866; });
  }
  // The parts of a body, what is far first.
  function parts(w, list, p) {
    if (list.length === 1) { convex(w, list[0], p); return; }
    list.map(function (part) {
      part.middle = part.middle || [0, 1, 2].map(function (i) { return part.at.reduce(function (s, v) { return s + v[i] / part.at.length; }, 0); });
      var x = placed(p, part.middle);
      return { part: part, d: depth(x[0], x[1], x[2]) };
    }).sort(function (a, b) { return b.d - a.d; }).forEach(function (h) { convex(w, h.part, p); });
  }
  function turn(a, b, c) { return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]); }
  // The faces that look to the eye, shaded by how much they do.
  function box(w, h, p) {
    var eye = [Math.sin(yaw) * Math.cos(tilt), -Math.cos(yaw) * Math.cos(tilt), Math.sin(tilt)], c = w.c;
    [0, 1, 2].forEach(function (a) {
      [-1, 1].forEach(function (s) {
        var n = [0, 0, 0], u = (a + 1) % 3, v = (a + 2) % 3;
        n[a] = s;
        var m = turned(p, n), facing = m[0] * eye[0] + m[1] * eye[1] + m[2] * eye[2];
        if (facing <= 1e-9) return;
        var q = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(function (e) { var x = [0, 0, 0]; x[a] = s * h[a]; x[u] = e[0] * h[u]; x[v] = e[1] * h[v]; return w.screen(placed(p, x)); });
        path(w, q); c.closePath();
        c.fillStyle = mix(colours.body, colours.faint, 0.35 * (1 - facing)); c.fill(); c.stroke();
      });
    });
  }
  function mix(a, b, f) {
    a = rgb(a); b = rgb(b);
    return "rgb(" + a.map(function (x, i) { return Math.round(x + f * (b[i] - x)); }).join() + ")";
  }
  // The silhouette of an ellipsoid is the ellipse of A Aᵀ, A the projected half axes;
  // the near halves of two of its great ellipses show how it turns.
  function ellipsoid(w, axes, p) {
    var zero = w.screen([0, 0, 0]), c = w.c, centre = w.screen(p.c), A = [0, 1, 2].map(function (i) {
      var e = [0, 0, 0]; e[i] = axes[i]; var t = turned(p, e), q = w.screen(t);
      return [q[0] - zero[0], q[1] - zero[1], depth(t[0], t[1], t[2])];
    });
    var a = 0, b = 0, d = 0;
    A.forEach(function (v) { a += v[0] * v[0]; b += v[0] * v[1]; d += v[1] * v[1]; });
    var angle = 0.5 * Math.atan2(2 * b, a - d), mean = (a + d) / 2, diff = Math.hypot((a - d) / 2, b);
    c.beginPath(); c.ellipse(centre[0], centre[1], Math.sqrt(mean + diff), Math.sqrt(Math.max(mean - diff, 0)), angle, 0, 2 * Math.PI); c.fill(); c.stroke();
    if (Math.sqrt(mean) < 7) return;
    var n = mean < 900 ? 16 : 48; // of a small one a polygon of 16 sides is round
    c.save(); c.globalAlpha *= 0.6; c.lineWidth = 0.8;
    [[0, 1], [1, 2]].forEach(function (e) {
      c.beginPath();
      for (var i = 0, on = false; i <= n; i++) {
        var s = Math.sin(2 * i * Math.PI / n), k = Math.cos(2 * i * Math.PI / n), u = A[e[0]], v = A[e[1]], near = k * u[2] + s * v[2] <= 0;
        if (near) c[on ? "lineTo" : "moveTo"](centre[0] + k * u[0] + s * v[0], centre[1] + k * u[1] + s * v[1]);
        on = near;
      }
      c.stroke();
    });
    c.restore();
  }
  function capsule(w, b, p) {
    var u = w.screen(placed(p, [-b.length / 2, 0, 0])), v = w.screen(placed(p, [b.length / 2, 0, 0])), c = w.c, r = b.radius * w.scale, angle = Math.atan2(v[1] - u[1], v[0] - u[0]);
    c.beginPath(); c.arc(u[0], u[1], r, angle + Math.PI / 2, angle - Math.PI / 2); c.arc(v[0], v[1], r, angle - Math.PI / 2, angle + Math.PI / 2); c.closePath(); c.fill(); c.stroke();
    if (r < 4) return;
    c.save(); c.globalAlpha *= 0.7; c.lineWidth = 0.9;
    [[1, 0], [0, 1], [-1, 0]].forEach(function (n) { // lines along it that show how it turns, one of which is always seen
      var m = turned(p, [0, n[0], n[1]]);
      if (depth(m[0], m[1], m[2]) > -1e-3) return;
      path(w, [-1, 1].map(function (s) { return w.screen(placed(p, [s * b.length / 2, b.radius * n[0], b.radius * n[1]])); })); c.stroke();
    });
    c.restore();
  }

