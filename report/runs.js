  // Runs of a study: plots of any slice of them. One or two of what varies are along the axes of
  // the plots, the others are sliders; a mark is a run, coloured by its verdict, and a click picks
  // it. Address: #over=x&and=y&run=7&name=value.
  var runs = null, slice = { x: -1, y: -1, at: [], run: -1 };
  var mostCurves = 6; // that a plot tells apart
  function loadRuns(r) {
    runs = r;
    runs.grid = r.inputs.map(function (v, k) { return v.points && !v.free ? k : -1; }).filter(function (k) { return k >= 0; });
    var wide = r.inputs.map(function (v, k) { return k; }).filter(function (k) { return r.inputs[k].values ? r.inputs[k].values.length > 1 : !r.inputs[k].points; });
    wide.sort(function (a, b) { return size(b) - size(a); });
    function size(k) { return r.inputs[k].own || 0; }
    runs.wide = wide;
    slice = { x: wide.length ? wide[0] : -1, y: wide.length > 1 && r.inputs[wide[1]].points ? wide[1] : -1, at: r.inputs.map(function () { return 0; }), run: -1 };
    var given = new URLSearchParams(location.hash.slice(1)), named = function (name) { return r.inputs.map(function (v) { return v.name; }).indexOf(name); };
    if (wide.indexOf(named(given.get("over"))) >= 0) slice.x = named(given.get("over"));
    if (given.has("and")) slice.y = wide.indexOf(named(given.get("and"))) >= 0 ? named(given.get("and")) : -1;
    r.inputs.forEach(function (v, k) { var i = v.points && given.has(v.name) ? v.points.indexOf(given.get(v.name)) : -1; if (i >= 0) slice.at[k] = i; });
    if (given.has("run")) slice.run = r.number.map(function (n, row) { return runName(row); }).indexOf(given.get("run"));
    $("runs").hidden = false;
    controls();
    drawRuns();
  }
  // What is along the axes, and a slider for each of the others.
  function controls() {
    var box = $("slices");
    box.textContent = "";
    if (slice.x < 0) return;
    var choose = function (text, list, now, act) {
      var label = document.createElement("label"), s = document.createElement("select");
      label.textContent = text + " ";
      list.forEach(function (k) { var o = document.createElement("option"); o.value = k; o.textContent = k < 0 ? "nothing" : runs.inputs[k].name; s.appendChild(o); });
      s.value = now;
      s.onchange = function () { act(+s.value); controls(); drawRuns(); remember(); };
      label.appendChild(s); box.appendChild(label);
    };
    if (runs.wide.length > 1) {
      choose("over", runs.wide, slice.x, function (k) { if (slice.y === k) slice.y = runs.inputs[slice.x].points ? slice.x : -1; slice.x = k; });
      choose("and", [-1].concat(runs.wide.filter(function (k) { return k !== slice.x && runs.inputs[k].points; })), slice.y, function (k) { slice.y = k; });
    }
    runs.grid.forEach(function (k) {
      var v = runs.inputs[k];
      if (k === slice.x || k === slice.y || v.own < 2) return;
      var label = document.createElement("label"), s = document.createElement("input"), out = document.createElement("output");
      label.textContent = v.name + " ";
      s.type = "range"; s.min = 0; s.max = v.own - 1; s.value = slice.at[k];
      var tell = function () { out.textContent = v.points[slice.at[k]]; s.setAttribute("aria-valuetext", v.points[slice.at[k]]); };
      s.oninput = function () { slice.at[k] = +s.value; tell(); drawRuns(); remember(); };
      tell();
      label.appendChild(s); label.appendChild(out); box.appendChild(label);
    });
  }
  function remember() {
    var given = new URLSearchParams();
    if (slice.x >= 0) { given.set("over", runs.inputs[slice.x].name); given.set("and", slice.y < 0 ? "" : runs.inputs[slice.y].name); }
    runs.grid.forEach(function (k) { if (slice.at[k] > 0) given.set(runs.inputs[k].name, runs.inputs[k].points[slice.at[k]]); });
    if (slice.run >= 0) given.set("run", runName(slice.run));
    try { history.replaceState(null, "", "#" + given); } catch (e) { /* a page without an address */ }
  }
  // The coordinate of a run along what varies.
  function along(k, row) { var v = runs.inputs[k]; return v.points ? v.values[v.at[row]] : v.at[row]; }
  // The runs of the slice, all along the axes that are given.
  function sliced(free) {
    var list = [];
    runs.word.forEach(function (w, row) {
      if (runs.grid.every(function (k) { return free.indexOf(k) >= 0 || runs.inputs[k].at[row] === slice.at[k]; })) list.push(row);
    });
    return list;
  }
  function drawRuns() {
    if (slice.x >= 0) {
      runs.outputs.forEach(function (q, k) { put("lines-" + k, q.name, curves(k)); });
      if (runs.outputs.length === 0 && slice.y < 0) put("words", "verdicts", verdicts());
      var shown = slice.y < 0 ? [] : [["map", "verdicts over two parameters", map()]].concat(runs.outputs.map(function (q, k) { return ["map-" + k, q.name + ", over two parameters", shades(k)]; }));
      ["map"].concat(runs.outputs.map(function (q, k) { return "map-" + k; })).forEach(function (id) {
        var m = shown.filter(function (s) { return s[0] === id && s[2]; })[0];
        if (m) put(id, m[1], m[2]); else if ($("plot-" + id)) $("plot-" + id).remove();
      });
    }
    tellPicked();
  }
  // Puts a plot of runs into its figure, which is made where there is none.
  function put(id, title, p) {
    var f = $("plot-" + id);
    if (!f) { f = document.createElement("figure"); f.id = "plot-" + id; f.dataset.in = "plots"; $("figures").insertBefore(f, $("figures").querySelector("figure:not([data-runs])")); f.dataset.runs = ""; }
    p.id = id; p.title = title; p.x = runs.inputs[slice.x].name; p.areas = p.areas || []; p.samples = []; p.runs = true;
    p.logx = geometric(runs.inputs[slice.x]);
    p.marks.slice().forEach(function (m) { var i = m.rows.indexOf(slice.run); if (i >= 0) p.marks.push({ name: "", color: "ink", glyph: 3, width: 6, p: [m.p[2 * i], m.p[2 * i + 1]] }); });
    f.plot = p;
    install(f, p);
  }
  // Whether the points of an axis are far apart and evenly spaced by ratios.
  function geometric(v) {
    var x = v.values;
    if (!x || x.length < 3 || !x.every(function (a) { return a > 0; })) return false;
    var s = x.slice().sort(function (a, b) { return a - b; }), n = s.length;
    return s[n - 1] / s[0] >= 30 && Math.abs(Math.log(s[Math.floor(n / 2)] / s[0]) / Math.log(s[n - 1] / s[0]) - Math.floor(n / 2) / (n - 1)) < 0.1;
  }
  // Marks of runs, a kind a verdict: place gives their coordinates, or null.
  function marksOfRuns(rows, place, size) {
    var list = [];
    runs.words.forEach(function (w, k) {
      var m = { name: w.name, color: w.color, glyph: w.glyph, width: size, p: [], rows: [] };
      rows.forEach(function (row) { var q = runs.word[row] === k && place(row); if (q) { m.p.push(q[0], q[1]); m.rows.push(row); } });
      if (m.rows.length) list.push(m);
    });
    return list;
  }
  // A quantity over the first axis, a curve for each point of the second, evenly chosen.
  function curves(k) {
    var values = runs.outputs[k].values, free = [slice.x].concat(slice.y < 0 ? [] : [slice.y]), rows = sliced(free).filter(function (row) { return values[row] !== null; }), lines = [], chosen = [-1];
    if (slice.y >= 0) {
      var n = runs.inputs[slice.y].own, m = Math.min(n, mostCurves);
      chosen = [];
      for (var i = 0; i < m; i++) chosen.push(m > 1 ? Math.round(i * (n - 1) / (m - 1)) : 0);
      rows = rows.filter(function (row) { return chosen.indexOf(runs.inputs[slice.y].at[row]) >= 0; });
    }
    chosen.forEach(function (at, c) {
      var own = rows.filter(function (row) { return at < 0 || runs.inputs[slice.y].at[row] === at; }).sort(function (a, b) { return along(slice.x, a) - along(slice.x, b); }), q = [];
      if (own.some(function (row, j) { return j > 0 && along(slice.x, row) === along(slice.x, own[j - 1]); }) || !runs.inputs[slice.x].points) return; // no curve: several runs have one place
      own.forEach(function (row) { q.push(along(slice.x, row), values[row]); });
      if (q.length > 2) lines.push({ name: at < 0 ? "" : runs.inputs[slice.y].name + " " + runs.inputs[slice.y].points[at], color: c < 3 ? "ink" : "faint", dash: c % 3, width: 0.9, p: q });
    });
    var y = rows.map(function (row) { return values[row]; }), low = Math.min.apply(null, y), high = Math.max.apply(null, y);
    brackets().forEach(function (b, i) { lines.push({ name: i === 0 ? "boundary" : "", color: "c4", width: 1.6, dash: 1, p: [b.low, low, b.low, high, b.high, high, b.high, low] }); });
    return { y: "", lines: lines, marks: marksOfRuns(rows, function (row) { return [along(slice.x, row), values[row]]; }, rows.length > 300 ? 1.6 : 2.6) };
  }
  // The verdicts over the first axis, a line each, where nothing was observed.
  function verdicts() {
    var had = runs.words.map(function (w, k) { return k; }).filter(function (k) { return runs.word.indexOf(k) >= 0; });
    return { y: "", lines: [], yRange: [-0.5, had.length - 0.5], ticks: had.map(function (k, i) { return { at: i, name: runs.words[k].name }; }),
      marks: marksOfRuns(sliced([slice.x]), function (row) { return [along(slice.x, row), had.indexOf(runs.word[row])]; }, 3) };
  }
  // The boundaries that were bracketed along the first axis, of this slice.
  function brackets() {
    return (runs.brackets || []).filter(function (b) {
      return b.input === slice.x && b.others.every(function (v, k) { return v === "" || k === slice.y || runs.grid.indexOf(k) < 0 || runs.inputs[k].points[slice.at[k]] === v; });
    });
  }
  // Verdicts over both axes, with the boundary that was bracketed, and between those that differ.
  function map() {
    var x = runs.inputs[slice.x], y = runs.inputs[slice.y], rows = sliced([slice.x, slice.y]), cells = {};
    rows.forEach(function (row) { cells[x.at[row] + " " + y.at[row]] = runs.word[row]; });
    var lines = [];
    if (x.points) between(x, y, cells).forEach(function (s) { lines.push({ name: "", color: "ink", width: 1.1, p: s }); });
    var found = brackets().map(function (b) { return [(b.low + b.high) / 2, y.values[y.points.indexOf(b.others[slice.y])]]; }).filter(function (q) { return q[1] !== undefined; }).sort(function (a, b) { return a[1] - b[1]; });
    if (found.length) lines.push({ name: "boundary, as bracketed", color: "c4", width: 2, dots: true, p: [].concat.apply([], found) });
    return { y: y.name, lines: lines, marks: marksOfRuns(rows, function (row) { return [along(slice.x, row), along(slice.y, row)]; }, rows.length > 400 ? 1.8 : 3) };
  }
  // The points of an axis in order, each value once.
  function order(v) { return v.points.slice(0, v.own).map(function (p, i) { return i; }).sort(function (a, b) { return v.values[a] - v.values[b]; }).filter(function (i, k, all) { return k === 0 || v.values[i] !== v.values[all[k - 1]]; }); }
  // Half way from the i-th point of an axis to the one before or after it.
  function side(v, all, i, way) { var k = i + way, a = v.values[all[i]]; return k >= 0 && k < all.length ? a + (v.values[all[k]] - a) / 2 : a; }
  // A quantity over both axes: cells in its colour, on which the marks of the verdicts are; null where
  // it is the same everywhere, or the runs lie on no grid.
  function shades(k) {
    var x = runs.inputs[slice.x], y = runs.inputs[slice.y], values = runs.outputs[k].values;
    if (!x.points || !y.points) return null;
    var columns = order(x), lines = order(y), own = {}, low = Infinity, high = -Infinity, areas = [], from = rgb(colours.band), to = rgb(colours.stress);
    var rows = sliced([slice.x, slice.y]).filter(function (row) { return values[row] !== null && isFinite(values[row]); });
    rows.forEach(function (row) { own[x.values[x.at[row]] + " " + y.values[y.at[row]]] = row; low = Math.min(low, values[row]); high = Math.max(high, values[row]); });
    if (!(high > low) || columns.length < 2 || lines.length < 2) return null;
    columns.forEach(function (c, i) {
      lines.forEach(function (l, j) {
        var row = own[x.values[c] + " " + y.values[l]];
        if (row === undefined) return;
        var s = (values[row] - low) / (high - low), colour = "#" + from.map(function (v, b) { return ("0" + Math.round(v + s * (to[b] - v)).toString(16)).slice(-2); }).join("");
        var a = side(x, columns, i, -1), b = side(x, columns, i, 1), d = side(y, lines, j, -1), e = side(y, lines, j, 1);
        areas.push({ name: "", color: colour, r: [[a, d, b, d, b, e, a, e]] });
      });
    });
    return { y: y.name, areas: areas, scale: { least: low, most: high }, lines: [], marks: marksOfRuns(rows, function (row) { return [along(slice.x, row), along(slice.y, row)]; }, rows.length > 400 ? 0.8 : 1.4) };
  }
  // The sides that the cells around neighbours of different verdicts share: half way between them.
  function between(x, y, cells) {
    var columns = order(x), lines = order(y), list = [];
    columns.forEach(function (c, i) {
      lines.forEach(function (l, j) {
        var here = cells[c + " " + l], differs = function (a, b) { var there = cells[a + " " + b]; return here !== undefined && there !== undefined && there !== here; };
        if (differs(columns[i + 1], l)) { var at = side(x, columns, i, 1); list.push([at, side(y, lines, j, -1), at, side(y, lines, j, 1)]); }
        if (differs(c, lines[j + 1])) { at = side(y, lines, j, 1); list.push([side(x, columns, i, -1), at, side(x, columns, i, 1), at]); }
      });
    });
    return list;
  }
  // The number of a run, or of which end of a boundary it is.
  function runName(row) { return runs.number[row] >= 0 ? String(runs.number[row]) : "end" + (row - runs.number.indexOf(-1)); }
  // What is known of a run, a line each.
  function tellRun(row) {
    var text = [(runs.number[row] >= 0 ? "run " + runs.number[row] : "an end of the boundary") + ": " + runs.words[runs.word[row]].name];
    runs.inputs.forEach(function (v) { text.push(v.name + " = " + (v.points ? v.points[v.at[row]] : +v.at[row].toPrecision(6))); });
    runs.outputs.forEach(function (q) { if (q.values[row] !== null) text.push(q.name + ": " + +q.values[row].toPrecision(9)); });
    if (runs.messages[row]) text.push(runs.messages[row]);
    return text;
  }
  function pickRun(row) { slice.run = row; drawRuns(); remember(); }
  // The run that was picked: its numbers, its files, and the command that makes its page.
  function tellPicked() {
    var box = $("run");
    box.textContent = "";
    if (slice.run < 0) { box.textContent = "A click on a mark, or the arrow keys, pick a run."; return; }
    var text = tellRun(slice.run), p = document.createElement("p"), b = document.createElement("b");
    b.textContent = text.shift(); p.appendChild(b); p.appendChild(document.createTextNode(" · " + text.join(" · ")));
    box.appendChild(p);
    var q = document.createElement("p"), link = runs.links && runs.links[slice.run], kept = link && /^(.*)\/(summary\.json|report\.html)$/.exec(link);
    q.className = "small"; q.id = "opens";
    if (link && !runs.open) { var a = document.createElement("a"); a.href = link; a.textContent = /html$/.test(link) ? "its page" : "what is kept of it"; q.appendChild(a); }
    box.appendChild(q);
    if (runs.open || runs.playground) openRun(); else if (kept ? kept[2] !== "report.html" : runs.base) command(q, kept ? "quasistatic report " + kept[1] : "quasistatic run " + runs.base + (runs.always || []).concat(changes(slice.run)).map(function (s) { return " --set " + quoted(s); }).join("") + " --report --out run-" + runName(slice.run));
  }
  // What the run changes of the case: PATH=VALUE.
  function changes(row) { return [].concat.apply([], runs.inputs.map(function (v) { return v.set ? v.set[v.at[row]] : [v.name + "=" + v.at[row]]; })); }
  // The command that makes the page of a run, with a button that copies it.
  function command(q, text) {
    var code = document.createElement("code"), b = document.createElement("button");
    q.appendChild(document.createTextNode((q.textContent ? "; " : "") + "its page, in the folder of the study: "));
    code.textContent = text; b.type = "button"; b.textContent = "copy";
    b.onclick = function () {
      var range = document.createRange(), chosen = getSelection();
      range.selectNodeContents(code); chosen.removeAllRanges(); chosen.addRange(range);
      b.textContent = document.execCommand("copy") ? "copied" : "selected";
    };
    q.appendChild(code); q.appendChild(document.createTextNode(" ")); q.appendChild(b);
  }
  // Shows the page of the run that is picked, once it stays that for a moment: of what serves this page,
  // which reads or makes the run, or of a playground, whose engine makes it in the browser.
  var opening = { row: -1, timer: 0, stop: null, url: "" }, moment = 250; // [ms] between keys that go through runs
  function openRun() {
    var row = slice.run, frame = $("opened"), tell = function (text) { if (slice.run === row) $("opens").textContent = opening.text = text; };
    if (opening.row === row) { tell(opening.text); return; }
    clearTimeout(opening.timer);
    if (opening.stop) opening.stop.abort();
    opening.row = row; opening.stop = new AbortController();
    tell("its page is being made");
    opening.timer = setTimeout(function () {
      if (runs.playground) {
        frame.src = runs.playground + (runs.always || []).concat(changes(row)).map(function (s) { return "&set=" + encodeURIComponent(s); }).join("");
        frame.hidden = false;
        tell("its run is made below, by the engine in this page");
        return;
      }
      fetch(runs.open, { method: "POST", body: JSON.stringify(changes(row)), signal: opening.stop.signal }).then(function (r) {
        return r.text().then(function (text) {
          if (!r.ok) throw new Error(text);
          if (opening.url) URL.revokeObjectURL(opening.url);
          frame.src = opening.url = URL.createObjectURL(new Blob([text], { type: "text/html" }));
          frame.hidden = false;
          tell("its page is below, " + (r.headers.get("x-run") || "made"));
        });
      }).catch(function (e) { if (e.name !== "AbortError") tell("its page is not to be had: " + e.message); });
    }, moment);
  }
  // A word of a shell.
  function quoted(text) { return /^[\w.=+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'"; }
  // The run before or after the one that is picked, along the first axis of its slice; the first; the last.
  function stepRun(key) {
    var rows = sliced([slice.x]), at;
    if (slice.y >= 0 && slice.run >= 0) rows = sliced([slice.x, slice.y]).filter(function (row) { return runs.inputs[slice.y].at[row] === runs.inputs[slice.y].at[slice.run]; });
    if (slice.x < 0) rows = runs.word.map(function (w, row) { return row; }); else rows.sort(function (a, b) { return along(slice.x, a) - along(slice.x, b) || a - b; });
    if (rows.length === 0) return;
    at = rows.indexOf(slice.run);
    at = key === "Home" ? 0 : key === "End" ? rows.length - 1 : at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + (key === "ArrowRight" ? 1 : -1)));
    pickRun(rows[at]);
  }
