"use strict";
// Files in memory, with the calls that Go makes of Node's fs: one folder tree for one program.
(function () {
  var inodes = 0, handles = new Map(), lastHandle = 2, root = node(true, 0o777);
  var constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

  function node(isFolder, mode) {
    return { ino: ++inodes, mode: (isFolder ? 0o040000 : 0o100000) | mode & 0o777, at: Date.now(), size: 0, data: new Uint8Array(0), names: isFolder ? new Map() : null };
  }
  function fault(code) { var e = new Error(code); e.code = code; return e; }
  function parts(path) {
    var list = [];
    path.split("/").forEach(function (p) { if (p === "..") list.pop(); else if (p && p !== ".") list.push(p); });
    return list;
  }
  function find(path) {
    return parts(path).reduce(function (n, p) {
      if (!n.names) throw fault("ENOTDIR");
      if (!n.names.has(p)) throw fault("ENOENT");
      return n.names.get(p);
    }, root);
  }
  // The folder that a path is in, and its name there.
  function place(path) {
    var list = parts(path), name = list.pop(), folder = find(list.join("/"));
    if (!folder.names) throw fault("ENOTDIR");
    if (name === undefined) throw fault("EINVAL");
    return { names: folder.names, name: name, node: folder.names.get(name) };
  }
  function handle(fd) {
    if (!handles.has(fd)) throw fault("EBADF");
    return handles.get(fd);
  }
  function resize(n, size) {
    if (size > n.data.length) { // twice as much, so that a file that grows is copied a few times
      var more = new Uint8Array(Math.max(size, 2 * n.data.length));
      more.set(n.data.subarray(0, n.size));
      n.data = more;
    } else if (size < n.size) {
      n.data.fill(0, size, n.size);
    }
    n.size = size;
    n.at = Date.now();
  }
  function stat(n) {
    return { dev: 1, ino: n.ino, mode: n.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size: n.size, blksize: 4096, blocks: Math.ceil(n.size / 512), atimeMs: n.at, mtimeMs: n.at, ctimeMs: n.at,
      isDirectory: function () { return n.names !== null; } };
  }
  function remove(path, isFolder) {
    var p = place(path);
    if (!p.node) throw fault("ENOENT");
    if (isFolder && !p.node.names) throw fault("ENOTDIR");
    if (!isFolder && p.node.names) throw fault("EISDIR");
    if (isFolder && p.node.names.size > 0) throw fault("ENOTEMPTY");
    p.names.delete(p.name);
  }
  function nothing() {}

  var calls = {
    open: function (path, flags, mode) {
      var n;
      if (flags & constants.O_CREAT) {
        var p = place(path);
        if (p.node && flags & constants.O_EXCL) throw fault("EEXIST");
        if (!p.node) p.names.set(p.name, node(false, mode));
        n = p.names.get(p.name);
      } else {
        n = find(path);
      }
      if (n.names && flags & (constants.O_WRONLY | constants.O_RDWR)) throw fault("EISDIR");
      if (!n.names && flags & constants.O_DIRECTORY) throw fault("ENOTDIR");
      if (flags & constants.O_TRUNC) resize(n, 0);
      handles.set(++lastHandle, { node: n, at: 0, append: (flags & constants.O_APPEND) !== 0 });
      return lastHandle;
    },
    close: function (fd) { handle(fd); handles.delete(fd); },
    read: function (fd, buffer, offset, length, position) {
      var h = handle(fd), at = position === null ? h.at : position, count = Math.max(0, Math.min(length, h.node.size - at));
      if (h.node.names) throw fault("EISDIR");
      buffer.set(h.node.data.subarray(at, at + count), offset);
      if (position === null) h.at += count;
      return count;
    },
    write: function (fd, buffer, offset, length, position) {
      if (fd === 1 || fd === 2) { self.printed(new TextDecoder().decode(buffer.subarray(offset, offset + length))); return length; }
      var h = handle(fd), at = h.append ? h.node.size : position === null ? h.at : position;
      if (at + length > h.node.size) resize(h.node, at + length);
      h.node.data.set(buffer.subarray(offset, offset + length), at);
      h.node.at = Date.now();
      if (position === null) h.at = at + length;
      return length;
    },
    stat: function (path) { return stat(find(path)); },
    lstat: function (path) { return stat(find(path)); },
    fstat: function (fd) { return fd < 3 ? stat(node(false, 0o600)) : stat(handle(fd).node); },
    truncate: function (path, length) { resize(find(path), length); },
    ftruncate: function (fd, length) { resize(handle(fd).node, length); },
    mkdir: function (path, mode) {
      var p = place(path);
      if (p.node) throw fault("EEXIST");
      p.names.set(p.name, node(true, mode));
    },
    readdir: function (path) {
      var n = find(path);
      if (!n.names) throw fault("ENOTDIR");
      return Array.from(n.names.keys()).sort();
    },
    rmdir: function (path) { remove(path, true); },
    unlink: function (path) { remove(path, false); },
    rename: function (from, to) {
      var a = place(from), b = place(to);
      if (!a.node) throw fault("ENOENT");
      if (b.node && b.node !== a.node && b.node.names && b.node.names.size > 0) throw fault("ENOTEMPTY");
      a.names.delete(a.name);
      b.names.set(b.name, a.node);
    },
    utimes: function (path, read, written) { find(path).at = 1000 * written; },
    fsync: nothing, chmod: nothing, fchmod: nothing, chown: nothing, fchown: nothing, lchown: nothing,
    link: function () { throw fault("ENOSYS"); }, symlink: function () { throw fault("ENOSYS"); }, readlink: function () { throw fault("EINVAL"); }
  };
  self.fs = { constants: constants };
  Object.keys(calls).forEach(function (name) {
    self.fs[name] = function () {
      var args = Array.from(arguments), done = args.pop(), result;
      try { result = calls[name].apply(null, args); } catch (e) {
        if (!e.code) throw e;
        done(e);
        return;
      }
      done(null, result);
    };
  });
  self.process = { pid: 1, ppid: 0, cwd: function () { return "/"; }, chdir: nothing, umask: function () { return 0o022; },
    getuid: function () { return 0; }, getgid: function () { return 0; }, geteuid: function () { return 0; }, getegid: function () { return 0; }, getgroups: function () { return []; } };
  calls.mkdir("/tmp", 0o777);
  // The bytes of a file.
  self.fileBytes = function (path) { var n = find(path); return n.data.slice(0, n.size); };
})();
