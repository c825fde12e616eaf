// Package importer makes cases of the model rigid of MJCF and URDF files.
//
//	MJCF                          URDF                       case
//	body, its frame               link, its frame            a body, position and orientation
//	geom that may touch           collision                  a part, or the shape
//	geom of the world             link without mass at root  a fixed body; a plane is an obstacle
//	inertial, or density          inertial                   mass, centre, inertia (rows)
//	hinge, slide, ball, none      revolute, continuous,      revolute, prismatic, spherical, fixed
//	                              prismatic, fixed
//	damping                       dynamics                   a motor that wants no velocity
//	friction, condim              -                          friction: mu, drilling, rolling
//	default, exclude              -                          contacts
//	mesh (OBJ, STL)               mesh (OBJ, STL)            a polyhedron, its convex hull
//
// All that a file says and a case of this model does not, or that was read and not understood, is in
// [Case.Left], with its line.
//
// # Limits
//
// Bodies stand as the file has them, joints at zero. Limits, actuators, springs and tendons are left;
// so are bodies of several joints, which are free then. Meshes are met by their convex hulls, as in
// MuJoCo.
//
// # References
//
// MuJoCo, XML reference (mujoco.readthedocs.io/en/stable/XMLreference.html). URDF, the XML
// specification (wiki.ros.org/urdf/XML).
package importer
