  // Solids are drawn pixel by pixel into a buffer of colours and depths: what is nearer hides what is
  // farther, also where bodies overlap. A place of the picture is [x, y, d] in pixels, d away from the eye.
  var buffers = {}, levels = 64; // shades between two colours
  // An empty buffer, or one whose depths are those of another, behind which nothing is drawn. A picture that a
  // browser has not laid out has no size, an image of no size is an error: it has one pixel.
  function bufferOf(w, name, under) {
    var q = Math.min(2, window.devicePixelRatio || 1), W = Math.max(1, Math.round(w.w * q)), H = Math.max(1, Math.round(w.h * q)), r = buffers[name];
    if (!r || r.W !== W || r.H !== H) {
      r = buffers[name] = { W: W, H: H, q: q, canvas: document.createElement("canvas"), depth: new Float32Array(W * H) };
      r.canvas.width = W; r.canvas.height = H;
      r.c = r.canvas.getContext("2d");
      r.image = r.c.createImageData(W, H);
      r.pixels = new Uint32Array(r.image.data.buffer);
    }
    r.pixels.fill(0); r.edges = [];
    if (under) r.depth.set(under.depth); else r.depth.fill(Infinity);
    return r;
  }
  // Puts a buffer into the picture, its edges drawn last.
  function pour(w, r, alpha) {
    r.edges.forEach(function (e) { segment(r, e[0], e[1], e[2], e[3], e[4] || ahead); });
    r.c.putImageData(r.image, 0, 0);
    w.c.globalAlpha = alpha;
    w.c.drawImage(r.canvas, 0, 0, w.w, w.h);
    w.c.globalAlpha = 1;
  }
  // Colours as numbers, and all of them from one to another, by how much a face looks to the eye.
  function pack(c) { return (0xff000000 | Math.round(c[2]) << 16 | Math.round(c[1]) << 8 | Math.round(c[0])) >>> 0; }
  var shadesOf = {};
  function shadesFrom(from, to) {
    var key = from + to, a = rgb(from), b = rgb(to);
    if (!shadesOf[key]) shadesOf[key] = Uint32Array.from({ length: levels }, function (x, i) { return pack(a.map(function (v, c) { return v + i / (levels - 1) * (b[c] - v); })); });
    return shadesOf[key];
  }
  // One array for each of the shades.
  function singles(shades) { return shades.each = shades.each || Array.from(shades, function (x, i) { return shades.subarray(i, i + 1); }); }
  function blend(r, k, colour, f) {
    var p = r.pixels[k], a = p >>> 24, to = a + f * (255 - a), part = to > 0 ? Math.min(256, 65280 * f / to | 0) : 0;
    var rb = (p & 0xff00ff) * (256 - part) + (colour & 0xff00ff) * part, g = (p & 0xff00) * (256 - part) + (colour & 0xff00) * part;
    r.pixels[k] = (rb >>> 8 & 0xff00ff | g >>> 8 & 0xff00 | to + 0.5 << 24) >>> 0;
  }
  // A flat convex polygon of places, in one of the shades by how much it looks to the eye; whether it
  // does, counter-clockwise. It has two sides, or is seen from one: from where it goes clockwise if that is −1.
  function polygon(r, at, face, shades, sides) {
    var n = face.length, a = at[face[n - 1]], b, i, nx = 0, ny = 0, nz = 0, low = Infinity, high = -Infinity;
    for (i = 0; i < n; i++, a = b) { // the normal, as long as twice the area
      b = at[face[i]];
      nx += a[1] * b[2] - a[2] * b[1]; ny += a[2] * b[0] - a[0] * b[2]; nz += a[0] * b[1] - a[1] * b[0];
      low = Math.min(low, b[1]); high = Math.max(high, b[1]);
    }
    var length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (sides === 2 ? !(Math.abs(nz) > 1e-6 * length) : sides * nz > -1e-6 * length) return sides * nz < 0;
    var colour = shades[Math.round((shades.length - 1) * Math.min(1, Math.abs(nz) / length))], gx = -nx / nz, gy = -ny / nz;
    for (var y = Math.max(0, Math.ceil(low - 0.5)), last = Math.min(r.H - 1, Math.ceil(high - 0.5) - 1); y <= last; y++) {
      var left = Infinity, right = -Infinity, v = y + 0.5;
      for (i = 0, a = at[face[n - 1]]; i < n; i++, a = b) {
        b = at[face[i]];
        if (a[1] <= v === b[1] <= v) continue;
        var x = a[0] + (v - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        if (x < left) left = x;
        if (x > right) right = x;
      }
      var from = Math.max(0, Math.ceil(left - 0.5)), to = Math.min(r.W - 1, Math.ceil(right - 0.5) - 1);
      for (var k = y * r.W + from, end = y * r.W + to, d = a[2] + gx * (from + 0.5 - a[0]) + gy * (v - a[1]); k <= end; k++, d += gx) {
        if (d < r.depth[k]) { r.depth[k] = d; r.pixels[k] = colour; }
      }
    }
    return sides === -1 ? nz > 0 : nz < 0;
  }
  // By so many pixels a line is before the surface that it lies on, an outline before the one that ends there.
  var ahead = 2, brink = 8;
  function sunk(r, x, y, d) { return x >= 0 && y >= 0 && x < r.W && y < r.H && d > r.depth[Math.floor(y) * r.W + Math.floor(x)]; }
  function segment(r, a, b, width, colour, ahead) {
    var dx = b[0] - a[0], dy = b[1] - a[1], near = ahead * r.q;
    if (dx * dx + dy * dy < 900 && sunk(r, a[0], a[1], a[2] - near) && sunk(r, b[0], b[1], b[2] - near) && sunk(r, a[0] + dx / 2, a[1] + dy / 2, (a[2] + b[2]) / 2 - near)) return; // most of a mesh
    var steep = Math.abs(dy) > Math.abs(dx), u = steep ? 1 : 0, v = 1 - u, half = width / 2 * Math.sqrt(dx * dx + dy * dy) / (Math.abs(steep ? dy : dx) || 1);
    if (a[u] > b[u]) { var c = a; a = b; b = c; }
    var slope = (b[v] - a[v]) / (b[u] - a[u] || 1), deep = (b[2] - a[2]) / (b[u] - a[u] || 1), most = steep ? r.H : r.W, side = steep ? r.W : r.H;
    for (var i = Math.max(0, Math.floor(a[u])), last = Math.min(most - 1, Math.floor(b[u])); i <= last; i++) {
      var s = Math.max(a[u], Math.min(b[u], i + 0.5)) - a[u], middle = a[v] + s * slope, d = a[2] + s * deep - near;
      for (var j = Math.max(0, Math.floor(middle - half - 0.5)), stop = Math.min(side - 1, Math.floor(middle + half + 0.5)); j <= stop; j++) {
        var k = steep ? i * r.W + j : j * r.W + i, cover = Math.min(1, half + 0.5 - Math.abs(j + 0.5 - middle), width);
        if (cover > 0 && d <= r.depth[k]) blend(r, k, colour, cover);
      }
    }
  }
  // An ellipsoid, its half axes the columns of A = [x, y, d]: with M = A Aᵀ its outline is pᵀ M₂⁻¹ p = 1, and
  // over p its surface is at m·M₂⁻¹ p ∓ s (1 − pᵀ M₂⁻¹ p)^½, m the mixed part of M and s² = M₃₃ − m·M₂⁻¹ m. Halves
  // of two of its great ellipses show how it turns.
  function ellipsoid(r, at, A, shades, width, ink) {
    var mixed = function (i, j) { return A[0][i] * A[0][j] + A[1][i] * A[1][j] + A[2][i] * A[2][j]; };
    var xx = mixed(0, 0), xy = mixed(0, 1), yy = mixed(1, 1), det = xx * yy - xy * xy, exx = yy / det, exy = -xy / det, eyy = xx / det;
    if (!(det > 0)) return;
    var mx = mixed(0, 2), my = mixed(1, 2), sx = exx * mx + exy * my, sy = exy * mx + eyy * my, s = Math.sqrt(Math.max(0, mixed(2, 2) - mx * sx - my * sy));
    var wide = Math.sqrt(xx) + 1, high = Math.sqrt(yy) + 1, rim = 2 * (width + 1) * Math.sqrt((exx + eyy) / 2 + Math.hypot((exx - eyy) / 2, exy)), marked = wide > 8 * r.q, thin = width * 0.4 + 0.5;
    var a = A[0], c = A[2], al = Math.hypot(a[0], a[1], a[2]), cl = Math.hypot(c[0], c[1], c[2]), ax = a[0] / al, ay = a[1] / al, az = a[2] / al, cx = c[0] / cl, cy = c[1] / cl, cz = c[2] / cl;
    var depths = r.depth, pixels = r.pixels, last = levels - 1, nearest = at[2] - Math.sqrt(mixed(2, 2));
    for (var y = Math.max(0, Math.floor(at[1] - high)), bottom = Math.min(r.H - 1, at[1] + high); y <= bottom; y++) {
      var v = y + 0.5 - at[1], half = Math.sqrt(Math.max(0, exx - v * v / det)) / exx + 1, from = at[0] - exy / exx * v - half;
      for (var x = Math.max(0, Math.floor(from)), k = y * r.W + x, right = Math.min(r.W - 1, from + 2 * half); x <= right; x++, k++) {
        if (nearest > depths[k]) continue;
        var u = x + 0.5 - at[0], gx = exx * u + exy * v, gy = exy * u + eyy * v, within = 1 - u * gx - v * gy;
        if (within < -rim) continue;
        var facing = within > 0 ? Math.sqrt(within) : 0, z = sx * u + sy * v - s * facing, edge = 0, off;
        if (!(at[2] + z < depths[k])) continue;
        if (within < rim) { // pixels from the outline, inwards
          var t = within / (2 * Math.sqrt(gx * gx + gy * gy) || 1);
          edge = width + 0.5 - t;
          if (t < 0.5) { if (width > 0 && t > -0.5) blend(r, k, ink, t + 0.5); continue; }
        }
        var before = pixels[k]; // of what is nearer a part of this pixel, if it is not opaque
        depths[k] = at[2] + z; pixels[k] = shades[facing * last | 0];
        if (edge > 0) blend(r, k, ink, edge < 1 ? edge : 1);
        if (marked) {
          off = thin - Math.abs(ax * u + ay * v + az * z);
          if (off > 0) blend(r, k, ink, off < 1 ? 0.6 * off : 0.6);
          off = thin - Math.abs(cx * u + cy * v + cz * z);
          if (off > 0) blend(r, k, ink, off < 1 ? 0.6 * off : 0.6);
        }
        if (before >>> 24 && before < 0xff000000) blend(r, k, before, (before >>> 24) / 255);
      }
    }
  }
  // Whether a place of the picture is behind a solid, by more than so many pixels.
  function hidden(w, p, by) {
    var r = w.solid, x = r && Math.floor(p[0] * r.q), y = r && Math.floor(p[1] * r.q);
    return !!r && x >= 0 && y >= 0 && x < r.W && y < r.H && (p[2] - by) * r.q > r.depth[y * r.W + x];
  }
  // A line of the picture from a to b; what is behind solids is pale and dashed.
  function through(w, a, b) {
    var c = w.c, dx = b[0] - a[0], dy = b[1] - a[1], deep = b[2] - a[2], n = w.solid ? Math.max(1, Math.ceil(Math.sqrt(dx * dx + dy * dy) / 3)) : 1, begin = 0, now = false;
    for (var i = 0; i <= n; i++) {
      var s = (i + 0.5) / n, behind = i < n && w.solid ? sunk(w.solid, (a[0] + s * dx) * w.solid.q, (a[1] + s * dy) * w.solid.q, (a[2] + s * deep - ahead) * w.solid.q) : i < n ? false : !now;
      if (i === 0) now = behind;
      if (behind === now) continue;
      if (now) { c.globalAlpha = 0.45; c.setLineDash([3, 3]); }
      c.beginPath(); c.moveTo(a[0] + begin / n * dx, a[1] + begin / n * dy); c.lineTo(a[0] + i / n * dx, a[1] + i / n * dy); c.stroke();
      if (now) { c.globalAlpha = 1; c.setLineDash([]); }
      begin = i; now = behind;
    }
  }

  // A surface of faces, polygons counter-clockwise from outside, with its edges: from, to, the faces on
  // both sides, −1 for none, and whether it is drawn where one of them is seen: those of 30° or more,
  // those that are marked, all, of a mesh that changes. Others are drawn as outline. A closed surface meets
  // itself at corners of one place.
  function surfaceOf(at, faces, marked, all) {
    var known = {}, first = {}, number = at.map(function (x, i) { var k = all ? i : x.join(); if (first[k] === undefined) first[k] = i; return first[k]; }), key = function (a, b) { return Math.min(a, b) + " " + Math.max(a, b); };
    (marked || []).forEach(function (e) { first[key(number[e[0]], number[e[1]])] = true; });
    var normals = faces.map(function (face) { return all ? [0, 0, 1] : normalOf(at, face); });
    faces.forEach(function (face, m) {
      face.forEach(function (i, k) {
        var a = number[i], b = number[face[(k + 1) % face.length]], id = key(a, b);
        if (a === b || !normals[m]) return;
        if (known[id]) { known[id][5] = known[id][3] >= 0 || known[id][0] === a; known[id][3] = m; known[id][4] = known[id][4] || dot(normals[known[id][2]], normals[m]) < 0.866; } else known[id] = [a, b, m, -1, all || first[id] === true];
      });
    });
    var edges = Object.keys(known).map(function (k) { return known[k]; }), s = { at: at, faces: faces, all: all, edges: edges, seen: new Uint8Array(faces.length), out: all ? outward(at, faces, edges) : 0 };
    if (all) s.ends = Int32Array.from([].concat.apply([], edges.map(function (e) { return [e[0], e[1], e[2], e[3] < 0 ? e[2] : e[3]]; })));
    return s;
  }
  // Whether the faces go counter-clockwise around all bodies that they enclose, seen from outside: 1 or −1;
  // 0 where an edge is not that of two faces in opposite directions, or bodies differ. Of a mesh that is
  // closed only what looks to the eye need be drawn.
  function outward(at, faces, edges) {
    var body = faces.map(function (f, m) { return m; }), volumes = {}, root = function (m) { while (body[m] !== m) m = body[m] = body[body[m]]; return m; };
    if (edges.some(function (e) { return e[3] < 0 || e[5]; })) return 0;
    edges.forEach(function (e) { body[root(e[2])] = root(e[3]); });
    faces.forEach(function (f, m) { for (var i = 2; i < f.length; i++) volumes[root(m)] = (volumes[root(m)] || 0) + dot(at[f[0]], cross(at[f[i - 1]], at[f[i]])); });
    var signs = Object.keys(volumes).map(function (m) { return Math.sign(volumes[m]); });
    return signs.every(function (v) { return v === signs[0]; }) ? signs[0] : 0;
  }
  // The normal of a face, by Newell's sum; null of one without area, to the rounding of float32.
  function normalOf(at, face) {
    var sum = [0, 0, 0], size = 0;
    face.forEach(function (i, k) { var a = at[i], x = cross(a, at[face[(k + 1) % face.length]]); size += dot(a, a); sum = sum.map(function (v, c) { return v + x[c]; }); });
    var l = Math.hypot(sum[0], sum[1], sum[2]);
    return l > 1e-6 * size ? sum.map(function (v) { return v / l; }) : null;
  }
  function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
  // Draws a surface whose corners are at places; shades are those of a face. Depths hide what is behind,
  // whichever way the faces of two sides go; those of one side are seen from there only.
  function surface(r, s, at, shades, sides, width, ink) {
    var seen = s.seen, ends = s.ends;
    for (var m = 0; m < seen.length; m++) seen[m] = polygon(r, at, s.faces[m], shades(m), sides) ? 1 : 0;
    if (s.all) {
      for (var i = 0; i < ends.length; i += 4) if (sides === 2 || seen[ends[i + 2]] || seen[ends[i + 3]]) segment(r, at[ends[i]], at[ends[i + 1]], width, ink, ahead);
    } else s.edges.forEach(function (e) {
      var rim = !seen[e[2]] !== !seen[e[3]];
      if (rim || e[4] && (sides === 2 || seen[e[2]])) r.edges.push([at[e[0]], at[e[1]], width, ink, rim && !e[4] ? brink : ahead]);
    });
  }
  // The surfaces of a body, made once: a box, convex parts, the tube of a capsule. Rings of points, from
  // end to end, have three lines that show how they turn, a quarter of the way around apart, one of which
  // is always seen.
  function surfacesOf(b) {
    if (b.half) {
      var at = [0, 1, 2, 3, 4, 5, 6, 7].map(function (i) { return b.half.map(function (h, c) { return i >> c & 1 ? h : -h; }); });
      return [surfaceOf(at, [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])];
    }
    var parts = b.parts || [], n = 24, ring = [];
    if (b.length) { // counter-clockwise from outside
      for (var i = 0; i < 2 * n; i++) { var a = 2 * Math.PI * (i % n) / n; ring.push([(i < n ? -1 : 1) * b.length / 2, -b.radius * Math.sin(a), b.radius * Math.cos(a)]); }
      parts = [{ at: ring, around: n }];
    }
    return parts.map(function (p) {
      var faces = p.faces || [], marked = [], n = p.around;
      for (var i = 0; n && i + n < p.at.length; i++) {
        var next = i % n === n - 1 ? i + 1 - n : i + 1;
        faces.push([i, i + n, next + n], [i, next + n, next]); // four points are in no plane
        if (4 * (i % n) % n === 0 && 4 * (i % n) < 3 * n) marked.push([i, i + n]);
      }
      return surfaceOf(p.at, faces, marked);
    });
  }
