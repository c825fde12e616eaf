"use strict";
(function () {
  var $ = function (id) { return document.getElementById(id); };
  var module = null, workers = [], asked = 0, waiting = {}; // by the number of a request
  var running = null, dirty = false, changedAt = 0, timer = 0; // the run that goes on, and a change that waits for it
  var things = null, head = "", frameURL = "", numbers = [], sets = {}, original = "", shownName = "";

  // Workers: one runs, the other answers meanwhile, one thing after the other. One that is stopped is
  // ended, and a new one started.
  function start() {
    var w = { worker: new Worker("worker.js") };
    w.ready = new Promise(function (done) {
      w.worker.onmessage = function (e) {
        var kind = e.data.kind, what = e.data.what;
        if (kind === "ready") done();
        if (kind === "step" && running && running.id === what.id) step(what);
        if (kind === "prepare" && running && running.id === what.id) prepare(what);
        if (kind === "answer" || kind === "file") { var to = waiting[what.id]; delete waiting[what.id]; if (to) to(what); }
        if (kind === "ended") fail("The engine ended: " + what);
      };
    });
    w.worker.postMessage({ module: module });
    workers.push(w);
  }
  function ask(w, request) {
    request.id = ++asked;
    return w.ready.then(function () {
      return new Promise(function (done) { waiting[request.id] = done; w.worker.postMessage(request); });
    });
  }
  function idle() { return workers.find(function (w) { return !running || w !== running.w; }); }
  function quick(request) { return ask(idle(), request); }

  // The engine: fetched once, unpacked here.
  function load() {
    if (location.protocol === "file:") { fail("A browser loads no program from a file. Put the folder on a server, or start: quasistatic playground"); return; }
    fetch("engine.wasm.gz").then(function (r) {
      if (!r.ok) throw new Error("engine.wasm.gz: " + r.status);
      var total = +r.headers.get("content-length"), have = 0;
      var counted = r.body.pipeThrough(new TransformStream({ transform: function (part, to) { have += part.length; if (total) { $("progress").hidden = false; $("progress").value = have / total; } to.enqueue(part); } }));
      return WebAssembly.compileStreaming(new Response(counted.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": "application/wasm" } }));
    }).then(function (m) {
      module = m;
      $("progress").hidden = true;
      start(); start();
      return quick({ do: "cases" });
    }).then(function (a) {
      a.names.forEach(function (n) { var o = document.createElement("option"); o.value = n; $("names").appendChild(o); });
      $("start").disabled = false;
      return fromAddress();
    }).catch(function (e) { fail(String(e.message || e)); });
  }
  function fail(text) { $("status").textContent = text; $("status").className = "missed"; }
  function say(text) { $("status").textContent = text; $("status").className = "small"; }

  // A case, by its name, with what the address changes: #case=play&set=friction.dry.mu=0.3
  function fromAddress() {
    var given = new URLSearchParams(location.hash.slice(1)), name = given.get("case") || "play";
    return open(name).then(function (found) {
      if (!found) return null;
      return given.getAll("set").reduce(function (before, s) {
        var at = s.indexOf("=");
        return before.then(function () { return set(s.slice(0, at), s.slice(at + 1)); });
      }, Promise.resolve()).then(function () { return reread(); }).then(run);
    });
  }
  function open(name) {
    return quick({ do: "case", name: name }).then(function (a) {
      if (a.error) { fail(a.error); return false; }
      $("name").value = shownName = name;
      $("text").value = original = a.text;
      sets = {};
      return true;
    });
  }
  function set(path, value) {
    return quick({ do: "set", text: $("text").value, path: path, value: JSON.parse(value) }).then(function (a) {
      if (a.error) { fail(a.error); return; }
      $("text").value = a.text;
      if (sets) sets[path] = value;
    });
  }
  function address() {
    var text = "case=" + encodeURIComponent(shownName);
    if (!sets) { history.replaceState(null, "", location.pathname); return; } // a text that an address does not hold
    Object.keys(sets).forEach(function (p) { text += "&set=" + encodeURIComponent(p.replace(/^\$\./, "") + "=" + sets[p]); });
    history.replaceState(null, "", "#" + text);
  }

  // Sliders: of the numbers that the engine finds in the text.
  function reread() {
    return quick({ do: "numbers", text: $("text").value }).then(function (a) {
      if (a.error) return;
      numbers = a.numbers || [];
      sliders();
    });
  }
  // Parameters come first, then friction, numbers of the whole system, of its parts, parts of lists.
  function rank(n) { return n.parameter ? 0 : /^\$\.friction\b/.test(n.path) ? 1 : n.path.indexOf("[") < 0 ? 2 : /\]$/.test(n.path) ? 4 : 3; }
  function sliders() {
    var words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean), most = 12, list = $("sliders");
    var fit = numbers.filter(function (n) { var text = (n.path + " " + (n.description || "")).toLowerCase(); return words.every(function (w) { return text.indexOf(w) >= 0; }); });
    fit.sort(function (a, b) { return rank(a) - rank(b); });
    var shown = fit.slice(0, most), paths = shown.map(function (n) { return n.path; }).join("\n");
    $("more").textContent = fit.length > most ? most + " of " + fit.length + " numbers: find others by a word" : fit.length === 0 ? "no number" : "";
    if (list.dataset.paths === paths) { // the same ones: a slider that is held stays
      shown.forEach(function (n, i) { [].forEach.call(list.children[i].querySelectorAll("input"), function (e) { if (e !== document.activeElement) e.value = n.value; }); });
      return;
    }
    list.dataset.paths = paths;
    list.textContent = "";
    shown.forEach(function (n) {
      var li = document.createElement("li"), label = document.createElement("label"), range = document.createElement("input"), exact = document.createElement("input"), id = "n" + list.children.length;
      label.textContent = n.path.replace(/^\$\./, "");
      label.htmlFor = id;
      label.title = n.description || "";
      range.type = "range"; range.id = id; range.min = n.low; range.max = n.high; range.step = n.whole ? 1 : "any"; range.value = n.value;
      exact.type = "number"; exact.step = n.whole ? 1 : "any"; exact.value = n.value;
      exact.setAttribute("aria-label", n.path);
      range.oninput = function () { var v = n.whole ? +range.value : +(+range.value).toPrecision(4); exact.value = v; change(n, v); };
      exact.onchange = function () { if (exact.value !== "" && isFinite(+exact.value)) { range.value = exact.value; change(n, +exact.value); } };
      li.appendChild(label); li.appendChild(range); li.appendChild(exact);
      list.appendChild(li);
    });
  }
  function change(n, v) {
    if (!changedAt) changedAt = performance.now();
    pending[n.path] = JSON.stringify(v);
    if (!editing) { editing = true; edit(); }
  }
  // Changes are made one after the other, of each number the last.
  var pending = {}, editing = false;
  function edit() {
    var path = Object.keys(pending)[0];
    if (path === undefined) { editing = false; wish(); return; }
    var value = pending[path];
    delete pending[path];
    set(path, value).then(edit);
  }

  // Runs: what changes while one goes on waits for it a little, and then ends it.
  var patience = 250; // [ms]: half of the time in which a picture is to follow a slider
  function wish() {
    dirty = true;
    if (!running) { run(); return; }
    clearTimeout(timer);
    timer = setTimeout(function () { if (running && dirty && !running.drawing) { stop(); run(); } }, patience);
  }
  function stop() {
    if (!running || running.drawing) return;
    var w = running.w;
    w.worker.terminate();
    workers = workers.filter(function (x) { return x !== w; });
    delete waiting[running.id];
    running = null;
    start();
    ended();
    say("stopped");
  }
  function ended() { $("stop").disabled = true; $("progress").hidden = true; }
  function prepare(p) { // before the first step nobody knows how far it is
    $("progress").hidden = false;
    $("progress").removeAttribute("value");
    say(p.text);
  }
  function step(s) {
    $("progress").hidden = false;
    if (running.until > 0) $("progress").value = s.t / running.until; else $("progress").removeAttribute("value");
    say("step " + s.step + ", t = " + +s.t.toPrecision(4) + " s");
  }
  function run() {
    if (!module) return;
    if (running) { wish(); return; }
    clearTimeout(timer);
    var text = $("text").value, r = { w: idle(), until: 0, drawing: false, began: changedAt || performance.now() };
    try { r.until = +JSON.parse(text).until || 0; } catch (e) { /* the engine says what is wrong with it */ }
    dirty = false; changedAt = 0;
    $("stop").disabled = false;
    say("running");
    var answer = ask(r.w, { do: "run", name: shownName, text: text });
    r.id = asked;
    running = r;
    answer.then(function (a) {
      r.drawing = true;
      ended();
      address();
      return show(r.w, a, text, r.began);
    }).catch(function (e) { fail(String(e)); }).then(function () {
      running = null;
      if (dirty) run(); else reread();
    });
  }

  // What a run gave: faults at their places, or the page.
  function show(w, a, text, began) {
    $("faults").textContent = "";
    if (a.error) {
      (a.faults || []).forEach(function (f) {
        var li = document.createElement("li"), b = document.createElement("button");
        b.type = "button"; b.textContent = (f.line ? f.line + ":" + f.column + " " : "") + f.path + ": " + f.text;
        b.onclick = function () { go(f.line, f.column); };
        li.appendChild(b); $("faults").appendChild(li);
      });
      fail(a.faults ? "The case is wrong: the page shows the run before." : a.error);
      if (a.brief) $("brief").textContent = a.brief;
      return null;
    }
    $("brief").textContent = a.brief;
    var now = a.parts.scene && frame() ? frame().things(a.parts.scene) : null, title = JSON.stringify([a.title, description(text)]);
    var drawn = now !== null && now === things && title === head ? Promise.resolve(frame().update(a.parts)) : whole(w, a, title);
    return drawn.then(painted).then(function () {
      var took = (performance.now() - began) / 1000;
      document.body.dataset.took = took.toFixed(3);
      document.body.dataset.shown = a.sha256;
      say(took.toFixed(2) + " s from the change to the picture, of which the run took " + a.seconds.toFixed(2) + " s");
      bytes(w, a, text);
    });
  }
  function description(text) { try { return JSON.parse(text).description; } catch (e) { return ""; } }
  function frame() { return $("page").contentWindow && $("page").contentWindow.quasistatic; }
  // The whole page, of another case or of other things.
  function whole(w, a, title) {
    return ask(w, { do: "page" }).then(function (p) {
      return new Promise(function (done) {
        var old = frameURL;
        frameURL = URL.createObjectURL(new Blob([p.text], { type: "text/html" }));
        $("page").onload = function () {
          if (old) URL.revokeObjectURL(old);
          head = title; things = a.parts.scene && frame() ? frame().things(a.parts.scene) : null;
          done();
        };
        $("page").contentWindow.location.replace(frameURL);
      });
    });
  }
  function painted() { return new Promise(function (done) { requestAnimationFrame(function () { requestAnimationFrame(done); }); }); }
  function go(line, column) {
    var lines = $("text").value.split("\n"), at = Math.max(0, column - 1);
    for (var i = 0; i < line - 1 && i < lines.length; i++) at += lines[i].length + 1;
    $("text").focus();
    $("text").setSelectionRange(at, at + 1);
    $("text").scrollTop = Math.max(0, (line - 5) * 18.85); // lines of 13 px at 1.45
  }

  // The bytes of the tables, beside those that the program makes of the same case.
  var natives = null;
  function nativeSums(a, text) {
    var from = document.body.dataset.native;
    if (!from) return Promise.resolve(null);
    if (!/\.json$/.test(from)) return fetch(from, { method: "POST", body: text }).then(function (r) { return r.ok ? r.json() : null; });
    natives = natives || fetch(from).then(function (r) { return r.json(); });
    return natives.then(function (all) { return all[a.sha256] || null; });
  }
  function bytes(w, a, text) {
    var body = $("bytes").querySelector("tbody"), cells = {};
    body.textContent = "";
    (a.files || []).forEach(function (f) {
      var row = document.createElement("tr"), name = document.createElement("th"), link = document.createElement("button"), own = document.createElement("td"), other = document.createElement("td");
      name.scope = "row"; link.type = "button"; link.textContent = f.file; link.title = f.bytes + " bytes, to be saved";
      link.onclick = function () { save(w, f.file); };
      own.textContent = f.sha256.slice(0, 12); own.title = f.sha256; other.textContent = "–";
      name.appendChild(link); row.appendChild(name); row.appendChild(own); row.appendChild(other); body.appendChild(row);
      cells[f.file] = { sum: f.sha256, cell: other };
    });
    $("same").textContent = "bytes of " + (a.files || []).length + " tables";
    delete document.body.dataset.same;
    clearTimeout(comparing);
    comparing = setTimeout(function () { compare(a, text, cells); }, patience);
  }
  var comparing = 0;
  function compare(a, text, cells) {
    nativeSums(a, text).then(function (list) {
      if (!list || document.body.dataset.shown !== a.sha256) return;
      var same = 0, all = 0;
      list.forEach(function (f) {
        var c = cells[f.file];
        if (!c) return;
        all++;
        same += f.sha256 === c.sum;
        c.cell.textContent = f.sha256.slice(0, 12) + (f.sha256 === c.sum ? " ✓" : " differs"); c.cell.title = f.sha256;
        c.cell.className = f.sha256 === c.sum ? "met" : "missed";
      });
      document.body.dataset.same = same + " of " + all;
      $("same").textContent = same === all ? "bytes of " + all + " tables: the same as those of the program" : "bytes of the tables: " + same + " of " + all + " are those of the program";
    }).catch(function () { /* the program has gone */ });
  }
  function save(w, file) {
    ask(w, { file: file }).then(function (f) {
      if (!f.bytes) return;
      var link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([f.bytes], { type: "text/csv" }));
      link.download = file;
      link.click();
      setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
    });
  }

  $("start").onclick = run;
  $("stop").onclick = function () { dirty = 0; stop(); };
  $("search").oninput = sliders;
  $("name").onchange = function () { open($("name").value).then(function (found) { if (found) { stop(); reread().then(run); }; }); };
  $("text").onkeydown = function (e) { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); run(); } };
  var typing = 0;
  $("text").oninput = function () { sets = null; changedAt = 0; clearTimeout(typing); typing = setTimeout(reread, 400); };
  load();
})();
