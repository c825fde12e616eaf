  // What a frame draws, from behind to the front; w is its canvas with scale and projection.
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
