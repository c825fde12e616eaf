package cases

// Starter is a case, named NAME, with one of each part. x follows the hook behind the slack
// μσ/k = 0.4·(5·0.2 + 0.5)/2 = 0.3 m.
const Starter = `{
  "name": "NAME",
  "description": "A block on a floor is pulled by a spring. particles: where they start (x, y, z in m), on which obstacle and with which friction. anchors: points that move in a prescribed way, here 1 m along x in 2 s. energies: the springs and loads; the tether pulls with 2 N/m along the floor and presses with 5 N/m, since the hook lies 0.2 m below the floor. until and steps: the time and its partition. expect: what a correct run shows; here the block stands until the spring pulls with mu times the normal force, 0.4*(5*0.2 + 0.5) = 0.6 N, and then follows 0.6/2 = 0.3 m behind the hook. All keys: quasistatic schema.",
  "model": "energetic",
  "until": 2,
  "steps": 200,
  "obstacles": {
    "floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}
  },
  "friction": {
    "dry": {"mu": 0.4}
  },
  "particles": [
    {"id": "block", "at": [0, 0, 0], "obstacle": "floor", "friction": "dry"}
  ],
  "anchors": [
    {"id": "hook", "at": {"table": [[0, [0, 0, -0.2]], [2, [1, 0, -0.2]]]}}
  ],
  "energies": [
    {"type": "tether", "particle": "block", "anchor": "hook", "stiffness": [2, 2, 5]},
    {"type": "load", "particle": "block", "force": [0, 0, -0.5]}
  ],
  "expect": [
    {"quantity": "position", "particle": "block", "axis": "x", "time": 0.5, "value": 0, "tolerance": 1e-9},
    {"quantity": "position", "particle": "block", "axis": "x", "value": 0.7, "tolerance": 1e-9},
    {"quantity": "normal_force", "particle": "block", "value": 1.5, "tolerance": 1e-9},
    {"quantity": "stability_gap", "max": 1e-12}
  ]
}
`
