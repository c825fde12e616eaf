// Package importer makes cases of the model rigid of MJCF and URDF files.
//
//	MJCF                          URDF                       case
//	body, its frame               link, its frame            a body, position and orientation
//	geom that may touch           collision                  a part, or the shape
//	geom of the world             link without mass at root  a fixed body; a plane is an obstacle
//	inertial, or density          inertial                   mass, centre, inertia (rows)
//	hinge, slide, ball, none      revolute, continuous,      revolute, prismatic, spherical, fixed
//	                              prismatic, fixed
//	several of a body             -                          universal, spherical, cylindrical, planar
//	damping, frictionloss         dynamics                   damping, friction of the joint
//	range, limited, ref           limit: lower, upper        limits
//	motor, position, velocity,    -                          motor, of control 0: force; position with
//	general (fixed, affine)                                  stiffness and gain; velocity; limit
//	stiffness, springref          -                          a motor that holds a position
//	friction, condim              -                          friction: mu, drilling, rolling
//	default, exclude              -                          contacts
//	mesh (OBJ, STL)               mesh (OBJ, STL)            a polyhedron, its convex hull
//
// All that a file says and a case of this model does not, or that was read and not understood, is in
// [Case.Left], with its line.
//
// # Limits
//
// Bodies stand as the file has them, joints at zero, or at ref. Actuators of tendons and sites, a second
// one of a joint, those with dynamics, limits of ball joints, and the inertia of rotors are left; so are
// ranges and actuators of several joints of a body, and such as are no joint of a case together: the body
// is free then. Meshes are met by their convex hulls, as in
// MuJoCo.
//
// # References
//
// MuJoCo, XML reference (mujoco.readthedocs.io/en/stable/XMLreference.html). URDF, the XML
// specification (wiki.ros.org/urdf/XML).
package importer
