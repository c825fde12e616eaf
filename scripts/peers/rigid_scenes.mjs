// Times MuJoCo (WebAssembly build, one thread) on case files of the model rigid:
//
//	npm install mujoco-js@0.0.7
//	node scripts/peers/rigid_scenes.mjs cases/box-stack.json cases/pile.json …
//
// Bodies (boxes, spheres, capsules, rods) with their constant loads, prismatic joints to the
// ground, half-spaces, friction and steps are those of the case; a chain of rods in the plane
// becomes one of capsules with hinges about z. Prints milliseconds of processor time a step,
// contacts at the end, the deepest penetration at the end, the largest sideways motion of a
// body and how far the last one has sunk.
import { readFileSync } from 'node:fs';
import load from 'mujoco-js';
const mj = await load();

const vec = (x) => (x.length === 2 ? [...x, 0] : x).join(' ');

function shape(s, mass, mu) {
  const common = `mass="${mass}" friction="${mu} 0 0" condim="3"`;
  switch (s.type) {
    case 'box': return `<geom type="box" size="${s.size.map((x) => x / 2).join(' ')}" ${common}/>`;
    case 'capsule': return `<geom type="capsule" fromto="${-s.length / 2} 0 0 ${s.length / 2} 0 0" size="${s.radius}" ${common}/>`;
    case 'sphere': return `<geom type="sphere" size="${s.radius}" ${common}/>`;
  }
  throw new Error(`no scene for the shape ${s.type}`);
}

// plane: a half-space, its frame's z axis along the normal.
function plane(o, mu) {
  return `<geom type="plane" pos="${vec(o.point)}" zaxis="${vec(o.normal)}" size="20 20 .1" friction="${mu} 0 0"/>`;
}

// chain nests the links, each in the frame of the one before.
function chain(c) {
  const links = c.bodies, length = links[0].shape.length, angle = links[0].angle;
  let xml = '';
  for (let i = links.length - 1; i >= 0; i--) {
    const at = i === 0 ? `pos="0 0 0" euler="0 0 ${angle}"` : `pos="${length} 0 0"`;
    xml = `<body ${at}><joint type="hinge" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 ${length} 0 0" size="${links[i].shape.radius || length / 10}" mass="${links[i].mass}" contype="0" conaffinity="0"/>${xml}</body>`;
  }
  return xml;
}

for (const file of process.argv.slice(2)) {
  const c = JSON.parse(readFileSync(file, 'utf8'));
  const friction = Object.values(c.friction ?? { x: { mu: 0 } })[0].mu;
  const tied = c.dimension === 2;
  const guide = Object.fromEntries((c.joints ?? []).map((j) => [j.body, j.axis]));
  const joint = (b) => guide[b.id] ? `<joint type="slide" axis="${vec(guide[b.id])}"/>` : '<freejoint/>';
  const bodies = tied ? chain(c) : c.bodies.map((b) => `<body pos="${vec(b.position)}" quat="${(b.orientation ?? [1, 0, 0, 0]).join(' ')}">${joint(b)}${shape(b.shape, b.mass, friction)}</body>`).join('');
  const floors = Object.values(c.obstacles ?? {}).map((o) => plane(o, friction)).join('');
  const xml = `<mujoco><compiler angle="radian"/><option timestep="${c.until / c.steps}" gravity="${vec(c.gravity)}" cone="elliptic"/><worldbody>${floors}${bodies}</worldbody></mujoco>`;
  mj.FS.writeFile('/m.xml', xml);
  const m = mj.MjModel.loadFromXML('/m.xml');
  const warm = new mj.MjData(m); // the engine compiles while it runs: not the peer's time
  for (const t = Date.now(); Date.now() - t < 1000;) mj.mj_step(m, warm);
  const d = new mj.MjData(m);
  if (!tied) c.bodies.forEach((b, i) => {
    (b.load ?? []).forEach((f, k) => { d.xfrc_applied[6 * (i + 1) + k] = f; });
    if (guide[b.id]) return;
    (b.velocity ?? []).forEach((v, k) => { d.qvel[6 * i + k] = v; });
    (b.spin ?? []).forEach((v, k) => { d.qvel[6 * i + 3 + k] = v; });
  });
  mj.mj_forward(m, d);
  const energy = () => { let e = 0; mj.mj_energyPos(m, d); mj.mj_energyVel(m, d); for (const x of d.energy) e += x; return e; };
  const before = energy(), x0 = [...d.xpos];
  const cpu = process.cpuUsage();
  for (let i = 0; i < c.steps; i++) mj.mj_step(m, d);
  const used = process.cpuUsage(cpu);
  let sideways = 0, deepest = 0;
  for (let i = 3; i < x0.length; i += 3) sideways = Math.max(sideways, Math.hypot(d.xpos[i] - x0[i], d.xpos[i + 1] - x0[i + 1]));
  const sunk = x0[x0.length - 1] - d.xpos[x0.length - 1];
  for (let i = 0; i < d.ncon; i++) deepest = Math.max(deepest, -(d.contact.get ? d.contact.get(i).dist : 0));
  console.log(`${c.name}: ${c.steps} steps, ${((used.user + used.system) / 1e3 / c.steps).toFixed(4)} ms/step, ${d.ncon} contacts, penetration ${deepest.toExponential(2)} m, sideways ${sideways.toExponential(2)} m, last body sunk ${sunk.toExponential(2)} m, energy ${before.toFixed(4)} to ${energy().toFixed(4)} J`);
}
