"use strict";
// A worker with the engine: takes requests, gives answers, and steps while it runs.
importScripts("files.js", "wasm_exec.js");
var printed = "";
self.printed = function (text) { printed = (printed + text).slice(-20000); };
self.told = function (kind, text) { self.postMessage({ kind: kind, what: JSON.parse(text) }); };
self.onmessage = function (e) {
  if (e.data.module) {
    var go = new Go();
    go.env = { GOMEMLIMIT: "2GiB", TMPDIR: "/tmp", HOME: "/tmp" }; // of the 4 GiB of wasm, the half is what waits to be collected
    WebAssembly.instantiate(e.data.module, go.importObject).then(function (instance) { return go.run(instance); }).catch(function (err) { printed += "\n" + err; }).then(function () {
      self.postMessage({ kind: "ended", what: printed });
    });
    return;
  }
  if (e.data.file) {
    var bytes = null;
    try { bytes = self.fileBytes("/run/" + e.data.file); } catch (err) { /* none */ }
    self.postMessage({ kind: "file", what: { id: e.data.id, bytes: bytes } });
    return;
  }
  self.ask(JSON.stringify(e.data));
};
