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
    if (scene.bodies.length) $("contact").textContent = "";
    if (scene.pushes) shares(k);
    if (scene.acts.length) $("contact").textContent = [$("contact").textContent].concat(actWords(k)).filter(Boolean).join("; ");
    if (scene.pushes || scene.contacts === 0) return;
    var s = size($("cone")), c = s.c, j = pickedContact(), i = k * scene.contacts + j, most = widest(j), side = Math.min(s.w, s.h);
    var r = 0.42 * side / (most > 0 ? most : 1), x = s.w / 2, y = s.h / 2, b = scene.bound[i], t1 = scene.t1[i], t2 = scene.t2[i], size2 = Math.hypot(t1, t2);
    var state = scene.status[i], colour = stateColour(state), shape = scene.shapes && scene.shapes[j];
    axes(c, x, y, side);
    section(c, x, y, shape ? r * b / (reach(shape, t1, t2) || 1) : r * b, side, shape);
    if (size2 * r > 1) arrow({ c: c }, [x, y], unproject(t1, t2), r, colours.c4);
    c.beginPath(); c.arc(x, y, 4, 0, 7); c.fillStyle = colour; c.fill();
    $("contact").textContent = named(state) + (b > 0 ? ": friction " + percent(size2 / b) + " % of " + short(b) + " N" : "") + (state > 0 ? ", pressed by " + short(scene.n[i]) + " N" : "");
  }
  // What acts on the picked body, or on all, in words: the first few.
  function actWords(k) {
    var body = pickedBody(), size = function (list) { return Math.hypot(list[0][k], list[1][k], list[2][k]); }, words = [];
    scene.acts.forEach(function (a) {
      var parts = [];
      if (body >= 0 && a.b !== body) return;
      if (a.f && size(a.f) > 0) parts.push(short(size(a.f)) + " N");
      if (a.m && size(a.m) > 0) parts.push(short(size(a.m)) + " N m");
      if (parts.length) words.push(a.name + ": " + parts.join(", "));
    });
    return words.length > 4 ? words.slice(0, 4).concat((words.length - 4) + " more") : words;
  }
  // A share in percent; what is below all of it never rounds to all.
  function percent(x) { var p = 100 * x; return p < 100 - 1e-4 && p >= 99.5 ? (Math.floor(p * 10) / 10).toFixed(1) : p.toFixed(p < 10 ? 1 : 0); }
  // All contacts, or those of the picked body, in one unit cone, seen along their normals.
  function shares(k) {
    var list = [], body = pickedBody(), n = 0, normal = 0, s = size($("cone")), c = s.c, p = scene.pushes, side = Math.min(s.w, s.h), r = (scene.facets > 2 ? 0.42 * Math.cos(Math.PI / scene.facets) : 0.42) * side, x = s.w / 2, y = s.h / 2, most = 0;
    axes(c, x, y, side);
    section(c, x, y, r, side);
    for (var i = p.from[k]; i < p.from[k + 1]; i++) {
      if (body >= 0 && p.a[i] !== body && p.b[i] !== body) continue;
      var press = Math.hypot(p.normal[0][i], p.normal[1][i], p.normal[2][i]), other = p.a[i] === body ? p.b[i] : p.a[i], rubs = p.status[i] !== 4;
      n++; normal += press;
      list.push((other < 0 ? (scene.obstacles[-1 - other] || {}).name || "an obstacle" : scene.bodies[other].name) + ": pressed by " + short(press) + " N" + (rubs ? ", friction " + percent(filled(p.share[0][i], p.share[1][i])) + " % of its bound, " + named(p.status[i]) : ""));
      if (!rubs) continue;
      var a = p.share[0][i], b = p.share[1][i], l = filled(a, b), slip = p.status[i] === 3, px = x + a * r, py = y - b * r;
      most = Math.max(most, l);
      c.fillStyle = slip ? colours.c2 : colours.c1;
      c.beginPath(); if (slip) c.arc(px, py, 4, 0, 7); else c.rect(px - 3.5, py - 3.5, 7, 7); c.fill();
    }
    var who = body >= 0 ? scene.bodies[body].name + ": " : "";
    $("contact").textContent = n === 0 ? who + "no contact carries a force" : who + n + (n > 1 ? " contacts, pressed by " : " contact, pressed by ") + short(normal) + " N" + (n > 1 ? " together" : "") + "; friction " + (n > 1 ? "up to " : "") + percent(most) + " % of " + (n > 1 ? "its bound in one" : "its bound");
    if (body >= 0 && n > 0) $("contact").textContent = who + (n > 1 ? n + " contacts, pressed by " + short(normal) + " N together. " : "") + list.slice(0, mostContacts).join("; ") + (n > mostContacts ? "; and " + (n - mostContacts) + " more" : "");
  }
  var mostContacts = 8; // of a body that are told one by one
  // How far (a, b) fills the section: its gauge.
  function filled(a, b) {
    var m = scene.facets, most = 0;
    if (m === 0) return Math.hypot(a, b);
    for (var i = 0; i < m; i++) most = Math.max(most, a * Math.cos(2 * Math.PI * i / m) + b * Math.sin(2 * Math.PI * i / m));
    return most;
  }
