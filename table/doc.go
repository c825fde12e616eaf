// Package table holds what a run leaves behind: the files of a run folder, written as the run
// goes and read back, of any model. A model says what its tables are, a [Layout] of [Sheet]s;
// [Tables] writes their rows, a [Folder] reads them in whatever format they are, a [Cursor]
// row by row. Rows whose columns are always the same are the fields of a row type
// ([ColumnsOf]). A [Reader] reads trajectories of particles that were made elsewhere.
//
//	t_k, x_kc   SheetRow        a row: its time, words and numbers
//	case → sum  Sum, Summary    what the files hold, and what the run was worth: [Fact]s
//	state       Checkpoint      what a run goes on from
//
// Whatever the model, a folder has
//
//	case.json         the input as read, byte for byte
//	summary.json      status, facts, expectations, sums of the files, and a section of the model
//	checkpoint        the state from which a run goes on; gone when it is complete
//	events.csv        t, <thing>, from, to, within                  changes of contact       [s]
//
// where within is by how much t may be off [s]: by where in a step a change is and, of motions with impacts
// alone, by how much earlier or later twins of the run make it; the length of the run: nobody knows.
// And of particles
//
//	trajectory.csv    t, <id>.x, <id>.y, <id>.z                     positions, global        [s, m]
//	forces.csv        t, <id>.n, <id>.tx, <id>.ty                   obstacle on particle     [s, N]
//	certificates.csv  t, energy, dissipation, work, balance_residual,
//	                  stability_gap, force_residual, steps_since_event                       [s, J, N]
//	                  and plastic_dissipation where bodies yield                             [J]
//
// in place of whose trajectory.csv and forces.csv a run that is done may have, or
// [Folder.Export] makes of it, with the same bits:
//
//	trajectory.npz      as below, and status K×N, status_columns N
//	trajectory.parquet  t, particle, x, y, z, n, tx, ty, status; a row a time and particle
//	trajectory.pvd      times; trajectory.vtu.d/node-*.vtu: points, displacement, contact_force,
//	                    friction_force, reaction (n, tx, ty), status; cells for particles and links
//
// Rigid bodies have tables with a row a time,
//
//	trajectory.csv     t, <body>.x, .y[, .z][, .angle or .qw, .qx, .qy, .qz]         [s, m, rad]
//	velocities.csv     t, <body>.vx, …[, .spin or .wx, .wy, .wz, in body axes]       [s, m/s, rad/s]
//	forces.csv         t, <element or body>.n, .t[, .o]                              [s, N]
//	energies.csv       t, kinetic, potential, stored, viscous, friction, impact, loads, residual [s, J]
//	certificates.csv   t, numbers of the model: drift, penetration, residual, …      [s, m, J, N, -]
//
// with a row a time and contact that carries a force, or when something happens,
//
//	contacts.csv       t, a, b, state, x, y, z, nx, ny, nz, normal, fx, fy, fz, bound [s, m, -, N]
//	impulses.csv       t, a, b, feature, ix, iy, iz of the step, on a; where there     [s, N s]
//	                   are joints, and of pairs of bodies that a case does not name
//	collisions.csv     t, contact, speed, impulse, loss; of impacts                   [s, m/s, N s, J]
//
// and meshes, whose trajectory has <node>.ux, … of the contact
// nodes, forces their reactions, and energies kinetic, elastic, external, contact,
// friction, dissipation, drift, all nodes now and then, in pairs of steps,
//
//	displacements.csv  t, <node>.ux, …      [s, m]
//	velocities.csv     t, <node>.vx, …      [s, m/s]
//
// Half-spaces have moves, loads, and now and then all elements (elements.csv). [Folder.Export]
// writes trajectory, velocities, forces, contacts, impulses and
// displacements in another format, and reads them back, with the same bits:
//
//	trajectory.npz     t; <table> rows×columns, <table>_columns, <table>_units; <table>_t of tables with
//	                   times of their own; <table>_<word> of words: contacts_a, events_from, …; all tables
//	trajectory.parquet t, body, x, …, vx, …: a row a time and body; or t, node, ux, …, n, tx, ty: of
//	                   contact nodes. Also forces (element), contacts, impulses, displacements (node)
//	trajectory.pvd     trajectory.vtu.d/node-*.vtu: surfaces of bodies, joints, springs, contacts, or the
//	                   mesh, with displacement, velocity, contact_force, friction_force, status, pressure,
//	                   stress; in the field data the rows of all tables, of particles too
//
// The other tables stay CSV beside them.
//
// # Conventions
//
// Numbers are printed with %.17g, so that reading gives the same bits. The force
// of an obstacle is (n, tx, ty) in the particle's own frame: n along the normal,
// tx and ty along its tangents t and o (package particles); for the floor z >= 0
// these are the axes z, x, y. Files grow by whole lines, at the latest a second
// after a node was computed, so that a run that is stopped or killed leaves files
// that can be read. Same run, same bytes: only summary.json holds times of the
// clock, the memory of the machine, and the number of factorisations, which a
// resumed run repeats once. All other files are written beside their names, synced
// and renamed.
//
// # Integrity
//
// checkpoint and summary hold a [Sum] of each file: its SHA-256, and CRC-32C of its beginnings,
// which place a change to a 128th of the file or a line. The last key of summary.json seals the
// summary itself. [Folder.Verify] compares them, [Reopen] those up to its mark; a change is a
// [DamageError]. Who forges a file can make sums and seal again: [Folder.Redraw] makes archives
// anew from the tables, and diagnose the run. [Clear] touches empty folders and those of runs only.
// Tables of results refuse numbers that are infinite or none.
//
// # Limits
//
// Parquet and VTU of many bodies are large: a surface has up to 150 points. A run
// grows CSV files, which can be cut at a checkpoint; the other formats
// cannot, and are made of them at the end. A node of 10,000 particles has about
// 600 kB. Thin out long runs of large systems (Options.Every); thinned ones cannot
// be certified again. CSV files have no status: it follows from the first node and
// the events; of several nodes at one time, at a jump, all have the last status. A
// run of a continuation γ → 0 makes no checkpoints and resumes from its start.
package table
