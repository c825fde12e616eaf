  // Plots. The page holds their numbers, packed; each is drawn again from them, to be looked into:
  // hover reads, dragging zooms, a click goes to its time, the legend hides, buttons export.
  var data = { plots: [], tables: [], left: [] }, states = {}, W = 520, H = 330;
  function numbers(t, text) { return t.full ? new Float64Array(bytes(text).buffer) : floats(text); }
  function floats(text) { return new Float32Array(bytes(text).buffer); }
  function unpack(text) {
    if (!text || !window.DecompressionStream) return Promise.resolve();
    return new Response(new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("gzip"))).json().then(function (d) {
      (d.plots || []).forEach(function (p) {
        ["lines", "areas", "marks", "samples"].forEach(function (k) { p[k] = p[k] || []; });
        p.lines.concat(p.marks).forEach(function (l) { l.p = l.points ? floats(l.points) : new Float32Array(0); });
        p.areas.forEach(function (a) { a.r = a.rings.map(floats); });
        if (p.map) p.map.v = floats(p.map.values);
      });
      data = { plots: d.plots || [], tables: d.tables || [], left: d.left || [] };
      if (d.runs) loadRuns(d.runs);
      $("explore").hidden = data.tables.length === 0;
      plots(); list(); tabs();
    });
  }
  function plots() {
    data.plots.forEach(function (p) { var f = $("plot-" + p.id); if (f) install(f, p); });
    if ($("explore").open) chosenColumns();
    if (runs) drawRuns();
  }
  // Draws a plot into a figure.
  function install(figure, p) {
    var st = states[p.id] = states[p.id] || { hidden: {}, zoom: null, log: false }, old = figure.querySelector(":scope > svg"), holder = document.createElement("div");
    holder.innerHTML = plotSVG(p, st, figure.clientWidth < 400);
    var svg = holder.firstChild;
    svg.setAttribute("aria-label", old ? old.getAttribute("aria-label") : p.title);
    if (old) figure.replaceChild(svg, old); else figure.insertBefore(svg, figure.firstChild);
    if (!figure.querySelector(":scope > .tools")) tools(figure, p, st);
    look(figure, svg, p, st);
    cut(figure, p, st);
    if (scene) now(timeNow());
  }
  // The section of a map along x or y, through a cell that is clicked or, by the button, through the
  // largest value, is a plot below it.
  function cut(figure, p, st) {
    var box = figure.querySelector(".section"), s = st.section, m = p.map, q = [];
    if (!s) { if (box) box.remove(); return; }
    if (!box) { box = document.createElement("div"); box.className = "section"; figure.appendChild(box); }
    var along = s.along === "x" ? m.x : m.y;
    along.forEach(function (v, k) { q.push(v, m.v[s.along === "x" ? k + s.j * m.x.length : s.i + k * m.x.length]); });
    var other = s.along === "x" ? "y = " + short(m.y[s.j]) : "x = " + short(m.x[s.i]);
    box.plot = { id: p.id + "-section", title: p.title.replace(/, up to .*/, "") + ", " + other + " m", x: s.along === "x" ? p.x : p.y, y: (/, up to \S+ (.*)/.exec(p.title) || ["", ""])[1].replace(/.+/, "[$&]"), zero: true, areas: [], marks: [], samples: [],
      lines: [{ name: "", color: "c1", width: 1.4, p: new Float32Array(q) }] };
    install(box, box.plot);
  }
  function turnSection(p, st) {
    var m = p.map, k = m.v.indexOf(Math.max.apply(null, m.v)), s = st.section;
    st.section = !s ? { along: "x", i: k % m.x.length, j: Math.floor(k / m.x.length) } : s.along === "x" ? { along: "y", i: s.i, j: s.j } : null;
  }
  function again(figure, p) { install(figure, p); }

  // Marks of an axis: multiples of 1, 2 or 5 times a power of ten, or powers of ten.
  function marksOf(lo, hi, log) {
    var list = [], step, v, e;
    if (log) {
      step = Math.max(1, Math.ceil((hi - lo) / 6));
      for (e = Math.ceil(lo); e <= hi && list.length < 12; e += step) list.push([e, "1e" + e]);
      if (list.length > 1) return list;
      for (list = [], e = Math.floor(lo); e <= hi; e++) [1, 2, 5].forEach(function (m) { v = e + Math.log10(m); if (v >= lo && v <= hi) list.push([v, short(Math.pow(10, v))]); });
      if (list.length > 2) return list;
      list = [];
    }
    step = Math.pow(10, Math.floor(Math.log10((hi - lo) / 5)));
    [1, 2, 5, 10].some(function (m) { if (5 * m * step >= hi - lo) { step *= m; return true; } });
    var digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), size = Math.max(Math.abs(lo), Math.abs(hi)), plain = size < 1e5 && size >= 1e-3 && digits < 9;
    for (e = Math.ceil(lo / step - 1e-9); e * step <= hi + 1e-9 * step && list.length < 12; e++) { v = e * step; list.push([v, log ? short(Math.pow(10, v)) : plain ? v.toFixed(digits) : v === 0 ? "0" : v.toPrecision(Math.min(12, Math.max(3, Math.ceil(Math.log10(size / step)) + 1))).replace(/\.?0+(e|$)/, "$1")]); }
    return list;
  }
  // The axes of a plot: ranges, and where a value is.
  function frame(p, st) {
    var log = st.log && !p.decades && !p.map, both = p.log, logx = both || p.logx, x = [Infinity, -Infinity], y = [Infinity, -Infinity];
    var fx = function (v) { return logx ? Math.log10(v) : v; }, fy = function (v) { return log || both ? (v > 0 ? Math.log10(v) : NaN) : v; };
    var take = function (q) {
      for (var i = 0; i + 1 < q.length; i += 2) {
        var a = fx(q[i]), b = fy(q[i + 1]);
        if (!isFinite(a) || !isFinite(b)) continue;
        x[0] = Math.min(x[0], a); x[1] = Math.max(x[1], a);
        if (st.zoom && (a < st.zoom[0] || a > st.zoom[1])) continue;
        y[0] = Math.min(y[0], b); y[1] = Math.max(y[1], b);
      }
    };
    p.lines.forEach(function (l, i) { if (!st.hidden[i]) take(l.p); });
    p.marks.forEach(function (l, i) { if (!st.hidden["m" + i]) take(l.p); });
    p.areas.forEach(function (a) { a.r.forEach(take); });
    if (p.map) { var ex = edgesOf(p.map.x), ey = edgesOf(p.map.y); take([ex[0], ey[0], ex[1], ey[1]]); }
    if (p.xRange) x = p.xRange.map(fx);
    if (p.yRange && !st.zoom && !log) y = p.yRange.slice();
    if (!(x[1] >= x[0])) x = [0, 1];
    if (!(y[1] >= y[0])) y = [0, 1];
    if (st.zoom) x = st.zoom.slice();
    if (p.zero && !log) y[0] = Math.min(0, y[0]);
    [x, y].forEach(function (r) { if (!(r[1] - r[0] > 1e-12 * Math.max(Math.abs(r[0]), Math.abs(r[1])))) { var d = Math.abs(r[0]) / 2 || 1; r[0] -= d; r[1] += d; } });
    if ((p.runs || p.log) && !st.zoom) { var e = 0.03 * (x[1] - x[0]); x = [x[0] - e, x[1] + e]; } // marks at the ends are whole
    if (!p.yRange && !p.map) { var d = 0.04 * (y[1] - y[0]); y = [p.zero && !log ? y[0] : y[0] - d, y[1] + d]; }
    return { x: x, y: y, fx: fx, fy: fy, log: log || both || p.decades, logx: logx };
  }
  function edgesOf(c) { var n = c.length, d = n > 1 ? (c[n - 1] - c[0]) / (n - 1) / 2 : 0.5; return [c[0] - d, c[n - 1] + d]; }
  function escape(text) { return String(text).replace(/[&<>"]/g, function (c) { return { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }[c]; }); }
  function ink(name) { return name[0] === "#" ? name : "var(--" + name + ")"; }
  function legendOf(p, st) {
    var list = [];
    p.areas.forEach(function (a) { if (a.name) list.push({ name: a.name, color: a.color, kind: "area" }); });
    p.lines.forEach(function (l, i) { if (l.name) list.push({ name: l.name, color: l.color, dash: l.dash, line: i, off: st.hidden[i] }); });
    p.samples.forEach(function (l) { list.push({ name: l.name, color: "ink", dash: l.dash }); });
    p.marks.forEach(function (m, i) { if (m.name) list.push({ name: m.name, color: m.color, kind: "mark", glyph: m.glyph, line: "m" + i, off: st.hidden["m" + i] }); });
    if (p.map) (p.map.kinds || []).forEach(function (k) { if (k.name) list.push({ name: k.name, color: k.color, kind: "area" }); });
    return list;
  }
  var dashes = ["", "6 4", "1.5 3.5"];
  function plotSVG(p, st, narrow) {
    var f = frame(p, st), w = narrow ? 400 : W, left = p.ticks ? Math.min(0.4 * w, p.ticks.reduce(function (m, t) { return Math.max(m, 14 + 6.3 * t.name.length); }, 66)) : 66, right = p.scale ? 90 : 14, top = 30, out = [], names = legendOf(p, st), x = left, y = top + 4;
    names.forEach(function (n) { // the legend, in rows
      var wide = 30 + 6.3 * n.name.length;
      if (x > left && x + wide > w - right) { x = left; y += 17; }
      n.x = x; n.y = y + 8; x += wide + 10;
    });
    if (names.length) y += 20;
    top = y;
    var h = Math.max(H, top + 230), bottom = 44, px = w - left - right, py = h - top - bottom;
    if (p.alike) { // one scale along both axes
      var s = Math.max((f.x[1] - f.x[0]) / px, (f.y[1] - f.y[0]) / py), mx = (f.x[0] + f.x[1]) / 2, my = (f.y[0] + f.y[1]) / 2;
      f.x = [mx - s * px / 2, mx + s * px / 2]; f.y = [my - s * py / 2, my + s * py / 2];
    }
    f.px = function (v) { return left + px * (v - f.x[0]) / (f.x[1] - f.x[0]); };
    f.py = function (v) { return top + py * (1 - (v - f.y[0]) / (f.y[1] - f.y[0])); };
    var at = function (a, b) { return f.px(f.fx(a)).toFixed(1) + "," + f.py(f.fy(b)).toFixed(1); }, id = "clip-" + p.id;
    out.push('<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 ' + w + " " + h + '" role="img" font-size="12" data-x0="' + left + '" data-x1="' + (left + px) + '" data-y0="' + top + '" data-y1="' + (top + py) + '" data-from="' + f.x[0] + '" data-to="' + f.x[1] + '"' + (p.time && !f.logx ? ' data-t0="' + f.x[0] + '" data-t1="' + f.x[1] + '"' : "") + ">");
    out.push('<text x="' + w / 2 + '" y="18" text-anchor="middle" font-size="15">' + escape(p.title) + "</text>");
    names.forEach(function (n) {
      var g = n.line === undefined ? "<g>" : '<g class="toggle" data-line="' + n.line + '" tabindex="0" role="button" aria-pressed="' + !n.off + '" opacity="' + (n.off ? 0.4 : 1) + '">';
      out.push(g + (n.kind === "mark" ? glyph(n.glyph, n.x + 11, n.y, 4.5, n.color) : n.kind ? '<rect x="' + (n.x + 6) + '" y="' + (n.y - 5) + '" width="10" height="10" fill="' + ink(n.color) + '"/>' : '<line x1="' + n.x + '" x2="' + (n.x + 22) + '" y1="' + n.y + '" y2="' + n.y + '" stroke="' + ink(n.color) + '" stroke-width="2.2" stroke-dasharray="' + dashes[n.dash || 0] + '"/>') + '<text x="' + (n.x + 27) + '" y="' + (n.y + 4) + '">' + escape(n.name) + "</text></g>");
    });
    out.push('<clipPath id="' + id + '"><rect x="' + left + '" y="' + top + '" width="' + px + '" height="' + py + '"/></clipPath>');
    var ticksX = marksOf(f.x[0], f.x[1], f.logx), ticksY = p.ticks ? p.ticks.map(function (t) { return [t.at, t.name]; }) : marksOf(f.y[0], f.y[1], f.log);
    ticksX.forEach(function (t) { var v = f.px(t[0]).toFixed(1); out.push('<line x1="' + v + '" x2="' + v + '" y1="' + top + '" y2="' + (top + py) + '" stroke="var(--grid)"/><text x="' + v + '" y="' + (top + py + 16) + '" text-anchor="middle">' + t[1] + "</text>"); });
    ticksY.forEach(function (t) { var v = f.py(t[0]); if (v < top - 1 || v > top + py + 1) return; v = v.toFixed(1); out.push('<line x1="' + left + '" x2="' + (left + px) + '" y1="' + v + '" y2="' + v + '" stroke="var(--grid)"/><text x="' + (left - 6) + '" y="' + (+v + 4) + '" text-anchor="end">' + escape(t[1]) + "</text>"); });
    out.push('<g clip-path="url(#' + id + ')">');
    if (p.map) out.push(mapImage(p.map, f));
    if (st.section) {
      var sx = f.px(p.map.x[st.section.i]), sy = f.py(p.map.y[st.section.j]);
      out.push('<path class="cut" d="' + (st.section.along === "x" ? "M" + left + " " + sy + "h" + px : "M" + sx + " " + top + "v" + py) + '" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="5 3"/>');
    }
    p.areas.forEach(function (a) { a.r.forEach(function (r) { var d = []; for (var i = 0; i < r.length; i += 2) d.push(at(r[i], r[i + 1])); out.push('<path d="M' + d.join("L") + 'Z" fill="' + ink(a.color) + '"/>'); }); });
    p.lines.forEach(function (l, k) {
      if (st.hidden[k]) return;
      var d = "", pen = "M", dots = [];
      for (var i = 0; i < l.p.length; i += 2) {
        var b = f.fy(l.p[i + 1]);
        if (!isFinite(b)) { pen = "M"; continue; }
        d += pen + at(l.p[i], l.p[i + 1]); pen = "L";
        if (l.dots) dots.push('<circle cx="' + f.px(f.fx(l.p[i])).toFixed(1) + '" cy="' + f.py(b).toFixed(1) + '" r="2.6" fill="' + ink(l.color) + '"/>');
      }
      out.push('<path d="' + d + '" fill="none" stroke="' + ink(l.color) + '" stroke-width="' + (1.25 * l.width || 1.5) + '" stroke-dasharray="' + dashes[l.dash || 0] + '" stroke-linejoin="round"/>' + dots.join(""));
    });
    (p.bars || []).forEach(function (b) { // tolerances
      var x = f.px(b[0]), lo = f.py(f.fy(b[1])), hi = f.py(f.fy(b[2]));
      if (isFinite(lo) && isFinite(hi)) out.push('<path d="M' + [x - 5, lo].join(" ") + "h10m-5 0V" + hi + 'm-5 0h10" fill="none" stroke="var(--c2)"/>');
    });
    p.marks.forEach(function (m, k) { if (!st.hidden["m" + k]) for (var i = 0; i < m.p.length; i += 2) out.push(glyph(m.glyph, f.px(f.fx(m.p[i])), f.py(f.fy(m.p[i + 1])), 1.3 * m.width || 3, m.color)); });
    st.frame = f;
    out.push('</g><path d="M' + left + " " + top + "V" + (top + py) + "H" + (left + px) + '" fill="none" stroke="var(--faint)"/>');
    out.push('<text x="' + (left + px / 2) + '" y="' + (h - 8) + '" text-anchor="middle">' + escape(p.x) + '</text><text transform="translate(14 ' + (top + py / 2) + ') rotate(-90)" text-anchor="middle">' + escape(p.y) + "</text>");
    if (p.map && !p.map.kinds || p.scale) out.push(ramp(p.scale || p.map, w, top, py));
    out.push('<rect class="brush" y="' + top + '" height="' + py + '" width="0" fill="var(--c1)" opacity=".15"/><line class="read" y1="' + top + '" y2="' + (top + py) + '" stroke="var(--faint)" stroke-dasharray="2 3" visibility="hidden"/>');
    if (p.time) out.push('<line class="now" x1="' + left + '" x2="' + left + '" y1="' + top + '" y2="' + (top + py) + '"/>');
    return out.join("") + "</svg>";
  }
  // A mark: circle, square, triangle, ring, cross, plus.
  function glyph(kind, a, b, r, color) {
    if (!isFinite(a) || !isFinite(b)) return "";
    var n = function (v) { return v.toFixed(1); }, path = function (d, more) { return '<path d="' + d + '" ' + more + "/>"; }, full = 'fill="' + ink(color) + '"', thin = 'fill="none" stroke="' + ink(color) + '" stroke-width="1.8"';
    switch (kind || 0) {
    case 1: return '<rect x="' + n(a - r) + '" y="' + n(b - r) + '" width="' + n(2 * r) + '" height="' + n(2 * r) + '" ' + full + "/>";
    case 2: return path("M" + [a - r, b + r, a + r, b + r, a, b - r].map(n).join(" ") + "Z", full);
    case 4: return path("M" + [a - r, b - r].map(n).join(" ") + "L" + [a + r, b + r].map(n).join(" ") + "M" + [a - r, b + r].map(n).join(" ") + "L" + [a + r, b - r].map(n).join(" "), thin);
    case 5: return path("M" + n(a - r) + " " + n(b) + "H" + n(a + r) + "M" + n(a) + " " + n(b - r) + "V" + n(b + r), thin);
    }
    return '<circle cx="' + n(a) + '" cy="' + n(b) + '" r="' + n(r) + '" ' + (kind === 3 ? thin : full) + "/>";
  }
  // The run whose mark is nearest to a place of a plot; −1: none is near.
  function runAt(p, st, q) {
    var best = -1, near = 14;
    p.marks.forEach(function (m, k) {
      if (m.rows && !st.hidden["m" + k]) m.rows.forEach(function (row, i) { var d = Math.hypot(st.frame.px(st.frame.fx(m.p[2 * i])) - q[0], st.frame.py(st.frame.fy(m.p[2 * i + 1])) - q[1]); if (d < near) { near = d; best = row; } });
    });
    return best;
  }
  // The cells of a map, a pixel each, from nothing to the largest value.
  function mapImage(m, f) {
    var c = document.createElement("canvas"), nx = m.x.length, ny = m.y.length, ex = edgesOf(m.x), ey = edgesOf(m.y);
    c.width = nx; c.height = ny;
    var g = c.getContext("2d"), image = g.createImageData(nx, ny), kinds = (m.kinds || []).map(function (k) { return rgb(k.color[0] === "#" ? k.color : colours[k.color]); }), lo = rgb(colours.band), hi = rgb(colours.stress);
    for (var j = 0; j < ny; j++) for (var i = 0; i < nx; i++) {
      var v = m.v[i + j * nx], s = Math.max(0, Math.min(1, v / (m.most || 1))), q = m.kinds ? kinds[v] || lo : lo.map(function (a, k) { return a + s * (hi[k] - a); }), k = 4 * (i + (ny - 1 - j) * nx);
      for (var b = 0; b < 3; b++) image.data[k + b] = q[b];
      image.data[k + 3] = 255;
    }
    g.putImageData(image, 0, 0);
    return '<image href="' + c.toDataURL() + '" x="' + f.px(ex[0]) + '" y="' + f.py(ey[1]) + '" width="' + (f.px(ex[1]) - f.px(ex[0])) + '" height="' + (f.py(ey[0]) - f.py(ey[1])) + '" preserveAspectRatio="none" style="image-rendering:pixelated"/>';
  }
  function ramp(m, w, top, py) {
    return '<defs><linearGradient id="ramp" x1="0" y1="1" x2="0" y2="0"><stop offset="0" stop-color="var(--band)"/><stop offset="1" stop-color="var(--stress)"/></linearGradient></defs><rect x="' + (w - 26) + '" y="' + top + '" width="12" height="' + py + '" fill="url(#ramp)" stroke="var(--line)"/><text x="' + (w - 30) + '" y="' + (top + 11) + '" text-anchor="end">' + short(m.most) + '</text><text x="' + (w - 30) + '" y="' + (top + py) + '" text-anchor="end">' + short(m.least || 0) + "</text>";
  }

  // The line of the present time.
  function now(t) {
    document.querySelectorAll("svg[data-t0]").forEach(function (g) {
      var d = g.dataset, share = (t - d.t0) / (d.t1 - d.t0 || 1), line = g.querySelector(".now");
      var x = +d.x0 + (d.x1 - d.x0) * Math.max(0, Math.min(1, share));
      line.setAttribute("x1", x); line.setAttribute("x2", x);
      line.setAttribute("visibility", share < -1e-6 || share > 1 + 1e-6 ? "hidden" : "visible");
    });
  }
  // What is under the pointer, zoom and clicks.
  function look(figure, svg, p, st) {
    var d = svg.dataset, from = null, moved = 0, tip = figure.querySelector(":scope > .tip");
    if (!tip) { tip = document.createElement("div"); tip.className = "tip"; tip.hidden = true; figure.appendChild(tip); }
    var place = function (e) { var box = svg.getBoundingClientRect(), k = svg.viewBox.baseVal.width / box.width; return [(e.clientX - box.left) * k, (e.clientY - box.top) * k]; };
    var value = function (x) { return +d.from + (x - d.x0) / (d.x1 - d.x0) * (d.to - d.from); };
    var brush = svg.querySelector(".brush"), read = svg.querySelector(".read");
    svg.onpointerdown = function (e) { if (e.target.closest(".toggle")) return; from = place(e)[0]; moved = 0; };
    svg.onpointermove = function (e) {
      var q = place(e), x = Math.max(+d.x0, Math.min(+d.x1, q[0]));
      if (from !== null) { moved = Math.abs(q[0] - from); if (moved > 5 && !p.map) { brush.setAttribute("x", Math.min(from, x)); brush.setAttribute("width", Math.abs(x - from)); } }
      if (q[0] < +d.x0 || q[0] > +d.x1 || q[1] < +d.y0 || q[1] > +d.y1) { tip.hidden = true; read.setAttribute("visibility", "hidden"); return; }
      var f = frame(p, st);
      var run = runAt(p, st, q);
      tip.innerHTML = p.map ? readMap(p, svg, q) : run >= 0 ? tellRun(run).map(escape).join("<br>") : p.runs ? "" : readLines(p, st, value(x), f);
      tip.hidden = tip.innerHTML === "";
      var box = svg.getBoundingClientRect(), rel = (e.clientX - box.left) / box.width;
      tip.style.top = "40px"; tip.style.left = rel < 0.5 ? "auto" : "60px"; tip.style.right = rel < 0.5 ? "12px" : "auto";
      read.setAttribute("x1", x); read.setAttribute("x2", x); read.setAttribute("visibility", p.map || p.runs ? "hidden" : "visible");
    };
    svg.onpointerleave = function () { tip.hidden = true; read.setAttribute("visibility", "hidden"); from = null; brush.setAttribute("width", 0); };
    svg.onpointerup = function (e) {
      var x = Math.max(+d.x0, Math.min(+d.x1, place(e)[0])), a = from;
      from = null;
      if (a === null) return;
      if (moved > 5 && !p.map) { st.zoom = [value(Math.min(a, x)), value(Math.max(a, x))]; again(figure, p); return; }
      var run = runAt(p, st, place(e)), cell = p.map && !p.map.kinds && cellAt(p, svg, place(e));
      if (cell) { st.section = { along: st.section ? st.section.along : "x", i: cell[0], j: cell[1] }; again(figure, p); return; }
      if (run >= 0) pickRun(run);
      if (p.time && scene) { play(false); goTo(value(x)); address(); }
    };
    svg.ondblclick = function () { st.zoom = null; again(figure, p); };
    var toggle = function (e) {
      var g = e.target.closest(".toggle"), i = g && g.dataset.line;
      if (!g || e.type === "keydown" && e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault(); e.stopPropagation();
      st.hidden[i] = !st.hidden[i];
      again(figure, p);
      var back = figure.querySelector('.toggle[data-line="' + i + '"]');
      if (e.type === "keydown" && back) back.focus();
    };
    svg.onclick = toggle; svg.onkeydown = toggle;
  }
  function readLines(p, st, x, f) {
    var at = f.logx ? Math.pow(10, x) : x, rows = [];
    p.lines.forEach(function (l, i) {
      if (st.hidden[i] || l.p.length === 0 || !l.name && p.lines.length > 1) return;
      var best = 0, lo, hi;
      for (var k = 0; k < l.p.length; k += 2) if (Math.abs(l.p[k] - at) <= Math.abs(l.p[best] - at)) best = k;
      lo = hi = l.p[best + 1];
      for (k = Math.max(0, best - 2); k <= best + 2 && k < l.p.length; k += 2) if (l.p[k] === l.p[best]) { lo = Math.min(lo, l.p[k + 1]); hi = Math.max(hi, l.p[k + 1]); }
      var show = function (v) { return p.decades ? short(Math.pow(10, v)) : String(+v.toPrecision(l.digits || 6)); };
      rows.push('<span style="color:' + ink(l.color) + '">■</span> ' + escape(l.name || p.y) + ": " + show(lo) + (hi !== lo ? " … " + show(hi) : ""));
    });
    return rows.length ? "<b>" + escape(p.x.replace(/ \[.*/, "")) + " = " + +at.toPrecision(6) + "</b><br>" + rows.join("<br>") : "";
  }
  // The column and row of a place of a map; null outside.
  function cellAt(p, svg, q) {
    var image = svg.querySelector("image"), m = p.map, u = (q[0] - image.getAttribute("x")) / image.getAttribute("width"), v = 1 - (q[1] - image.getAttribute("y")) / image.getAttribute("height"), i = Math.floor(u * m.x.length), j = Math.floor(v * m.y.length);
    return i < 0 || j < 0 || i >= m.x.length || j >= m.y.length ? null : [i, j];
  }
  function readMap(p, svg, q) {
    var m = p.map, cell = cellAt(p, svg, q), i = cell && cell[0], j = cell && cell[1];
    if (!cell) return "";
    var z = m.v[i + j * m.x.length];
    return "x = " + short(m.x[i]) + ", y = " + short(m.y[j]) + "<br><b>" + (m.kinds ? escape((m.kinds[z] || {}).name || "no contact") : +z.toPrecision(6)) + "</b>";
  }
  // Buttons under a plot.
  function tools(figure, p, st) {
    var bar = document.createElement("div");
    bar.className = "tools";
    var button = function (text, label, act) {
      var b = document.createElement("button");
      b.type = "button"; b.textContent = text; b.setAttribute("aria-label", label + ": " + p.title); b.title = label;
      b.onclick = function () { act(b); };
      bar.appendChild(b);
    };
    var whole = function () { var q = figure.plot || p; return q; };
    if (!p.map && !p.decades && !p.log) button("log", "logarithmic axis", function (b) { st.log = !st.log; b.setAttribute("aria-pressed", st.log); again(figure, whole()); });
    if (p.map && !p.map.kinds) button("section", "section along x, along y, none; a click on the map moves it", function () { turnSection(p, st); again(figure, p); });
    if (!p.map) button("all", "whole range, all curves", function () { st.zoom = null; st.hidden = {}; again(figure, whole()); });
    button("CSV", "save the numbers", function () { save(p.id + ".csv", new Blob([csv(whole())], { type: "text/csv" })); });
    button("SVG", "save as SVG", function () { save(p.id + ".svg", new Blob([standalone(figure.querySelector(":scope > svg"))], { type: "image/svg+xml" })); });
    button("PNG", "save as PNG", function () { png(figure.querySelector(":scope > svg"), p.id + ".png"); });
    figure.appendChild(bar);
  }
  function csv(p) {
    var rows = ["curve," + p.x + "," + p.y];
    if (p.map) { rows[0] = "x,y,value"; p.map.v.forEach(function (v, k) { rows.push([p.map.x[k % p.map.x.length], p.map.y[Math.floor(k / p.map.x.length)], v].join()); }); }
    p.lines.concat(p.marks).forEach(function (l) { for (var i = 0; i < l.p.length; i += 2) rows.push(['"' + l.name.replace(/"/g, '""') + '"', l.p[i], p.decades ? Math.pow(10, l.p[i + 1]) : l.p[i + 1]].join()); });
    return rows.join("\n") + "\n";
  }
  // A plot with the colours of the page in it.
  function standalone(svg) {
    var s = svg.cloneNode(true), style = getComputedStyle(document.documentElement), b = svg.viewBox.baseVal;
    [".now", ".read", ".brush"].forEach(function (q) { var e = s.querySelector(q); if (e) e.remove(); });
    s.setAttribute("width", b.width); s.setAttribute("height", b.height); s.setAttribute("font-family", "Arial, Helvetica, sans-serif");
    s.setAttribute("fill", "var(--ink)");
    return s.outerHTML.replace("<clipPath", '<rect width="100%" height="100%" fill="var(--paper)"/><clipPath').replace(/var\(--([a-z0-9]+)\)/g, function (m, n) { return style.getPropertyValue("--" + n).trim(); });
  }
  function png(svg, name) {
    var image = new Image(), b = svg.viewBox.baseVal;
    image.onload = function () {
      var c = document.createElement("canvas");
      c.width = 2 * b.width; c.height = 2 * b.height;
      c.getContext("2d").drawImage(image, 0, 0, c.width, c.height);
      c.toBlob(function (blob) { save(name, blob); });
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(standalone(svg));
  }
  function save(name, blob) {
    var a = document.createElement("a");
    a.href = URL.createObjectURL(blob); a.download = document.title.split(" ·")[0] + "-" + name;
    a.click();
    setTimeout(function () { URL.revokeObjectURL(a.href); }, 1000);
  }

  // What a row of the expectations wants: the names that its column may have, its time, the number
  // and the tolerance; null where no column has it.
  function expected(row) {
    var m = /^(position|normal force|dissipation|work|energy)(?: ([xyz]))?(?: of (.+?))? at (?:t=([-\d.e+]+)|the end)/.exec(row.dataset.place), v = row.dataset.want.split(" ").map(Number);
    if (!m || !scene) return null;
    var names = { position: [m[3] + "." + m[2]], "normal force": [m[3] + " normal force", m[3] + ".n"], dissipation: ["dissipated", "dissipation"], work: ["work"], energy: ["energy"] }[m[1]];
    return { names: names, t: m[4] === undefined ? scene.t[scene.t.length - 1] : +m[4], want: v[0], tolerance: v[1] };
  }
  // Plots the column of an expectation; false if there is none.
  function plotExpected(row) {
    var e = expected(row), found = null;
    data.tables.forEach(function (t, i) { t.columns.forEach(function (c, k) { if (e && !found && e.names.indexOf(c.name) >= 0) found = i + " " + k; }); });
    if (!found) return false;
    wanted = [found];
    $("explore").open = true;
    chooseTab("plots");
    list(); chosenColumns();
    $("explore").scrollIntoView({ block: "nearest" });
    return true;
  }
  // Any column, with what is expected of it: a tree of tables, what their columns are of, and the
  // columns, which a search narrows; those chosen are plotted together.
  var wanted = [];
  function list() {
    var words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean), count = 0, all = 0;
    $("columns").textContent = "";
    data.tables.forEach(function (t, i) {
      var subjects = {}, order = [], here = 0;
      t.columns.forEach(function (c, k) {
        var name = (t.table + ": " + c.name).toLowerCase(), m = /^(.+)[. ]([^. ]+)$/.exec(c.name.replace(/ \[.*\]$/, "")), of = m ? m[1] : "";
        all++;
        if (!words.every(function (w) { return name.indexOf(w) >= 0; })) return;
        if (!subjects[of]) { subjects[of] = []; order.push(of); }
        subjects[of].push(k); here++;
      });
      count += here;
      if (here === 0) return;
      branch($("columns"), t.table + " (" + here + ")", words.length > 0 || i === 0, function (ul) {
        order.forEach(function (of, n) {
          var leaves = function (to) { subjects[of].forEach(function (k) { leaf(to, t, i, k); }); };
          if (of === "" || subjects[of].length === 1 || order.length === 1) leaves(ul); else branch(ul, of, n === 0 || words.length > 0 && here <= 60, leaves);
        });
      });
    });
    $("found").textContent = count + " of " + all + " columns" + (data.left.length ? "; " + data.left.join(", ") + " has too many for a page: quasistatic compare draws them" : "");
  }
  // A branch of the tree, which is filled when it is opened first.
  function branch(to, name, open, fill) {
    var li = document.createElement("li"), d = document.createElement("details"), s = document.createElement("summary"), ul = document.createElement("ul"), grow = function () { if (fill) fill(ul); fill = null; };
    s.textContent = name;
    d.appendChild(s); d.appendChild(ul); li.appendChild(d); to.appendChild(li);
    if (open) { grow(); d.open = true; }
    d.ontoggle = function () { if (d.open) grow(); };
  }
  function leaf(to, t, i, k) {
    var li = document.createElement("li"), label = document.createElement("label"), box = document.createElement("input"), key = i + " " + k;
    box.type = "checkbox"; box.checked = wanted.indexOf(key) >= 0;
    box.onchange = function () { var at = wanted.indexOf(key); if (at >= 0) wanted.splice(at, 1); else wanted.push(key); chosenColumns(); };
    label.appendChild(box); label.appendChild(document.createTextNode(" " + titled(t.columns[k]))); li.appendChild(label); to.appendChild(li);
  }
  // A column with its unit; of pure numbers none.
  function titled(c) { return c.name + (c.unit && c.unit !== "1" ? " [" + c.unit + "]" : "") + (c.step ? ", of the step that ends there" : ""); }
  // Turns curves into their differences from the first one, at their own times, between whose rows it is
  // linear. Of rows that were joined to intervals no difference is known.
  function differences(p) {
    var a = p.lines[0].p, n = a.length / 2;
    p.title = "Difference from " + p.lines[0].name; p.bars = []; p.marks = [];
    p.lines.forEach(function (l) { l.name += l.joined || p.lines[0].joined ? ": not known, rows are joined to intervals" : ""; });
    p.lines = p.lines.slice(1).map(function (l) {
      var q = [], k = 0;
      for (var i = 0; i < l.p.length && !/: not known/.test(l.name); i += 2) {
        var t = l.p[i];
        while (k < n - 2 && a[2 * k + 2] <= t) k++;
        if (n < 2 || t < a[0] || t > a[2 * n - 2]) continue;
        var f = a[2 * k + 2] > a[2 * k] ? (t - a[2 * k]) / (a[2 * k + 2] - a[2 * k]) : 0;
        q.push(t, l.p[i + 1] - (a[2 * k + 1] + (f > 0 ? f * (a[2 * k + 3] - a[2 * k + 1]) : 0)));
      }
      l.p = new Float64Array(q);
      return l;
    });
  }
  function chosenColumns() {
    var p = { id: "columns", title: wanted.length ? "Columns" : "Choose columns", x: "t [s]", y: "", time: true, lines: [], areas: [], marks: [], samples: [], bars: [] };
    wanted.forEach(function (key, n) {
      var t = data.tables[+key.split(" ")[0]], c = t && t.columns[+key.split(" ")[1]];
      if (!c) return;
      var times = numbers(t, t.t), low = numbers(t, c.low), high = c.high ? numbers(t, c.high) : low, q = [], v = function (a, k) { return a.length === 1 ? a[0] : a[k]; };
      for (var k = 0; k < times.length / 2; k++) { q.push(times[2 * k], v(low, k)); if (v(high, k) !== v(low, k)) q.push(times[2 * k + 1], v(high, k)); }
      document.querySelectorAll("tr[data-want]").forEach(function (row) {
        var e = expected(row);
        if (!e || e.names.indexOf(c.name) < 0) return;
        p.bars.push([e.t, e.want - e.tolerance, e.want + e.tolerance]);
        p.marks[0] = p.marks[0] || { name: "expected", color: "c2", glyph: 1, width: 3, p: [] };
        p.marks[0].p.push(e.t, e.want);
      });
      p.lines.push({ name: titled(c), color: "c" + (n % 6 + 1), dash: Math.floor(n / 6) % 3, width: 1.4, joined: high !== low, digits: t.full ? 15 : 6, p: new Float64Array(q) });
      if (c.ref) {
        var should = numbers(t, c.ref), r = [];
        for (k = 0; k < times.length; k++) r.push(times[k], should[k]);
        p.lines.push({ name: c.name + ", reference", color: "ink", dash: 1, width: 1.4, digits: t.full ? 15 : 6, p: new Float64Array(r) });
      }
    });
    $("minus").parentNode.hidden = wanted.length < 2;
    if ($("minus").checked && p.lines.length > 1) differences(p);
    $("plot-columns").plot = p;
    install($("plot-columns"), p);
  }
