// Package fem discretises linear, hyperelastic and plastic bodies with continuous
// displacements in one, two and three dimensions, of one kind of element a mesh
// ([Kind]): affine (P1) or quadratic (P2) on simplices, multilinear on quadrilaterals
// and hexahedra (Q1):
//
//	(A u, w) = ∫ ε(u):C:ε(w),   (M v, w) = ∫ ρ v·w,   (L, w) = ∫ f·w + ∫_Γ g·w.
//
// # Notation
//
//	symbol | Go name             | shape      | unit  | reference
//	T      | Mesh                | -          | m     | [DoyenErn11] section 3.2
//	x_i    | Mesh.X              | dim·nodes  | m     | section 3.2
//	A      | Stiffness           | dim·nodes² | N/m   | after (11)
//	M      | Mass                | dim·nodes² | kg    | before (11)
//	M_*    | Modify              | dim·nodes² | kg    | (11)
//	L      | Loads               | dim·nodes  | N     | after (11)
//	φ_a, g_a | Point.Shape, Grad | 1, dim     | 1, 1/m | a shape function and its gradient
//	w      | Point.Weight        | 1          | m^dim | of a point of quadrature
//	|T|    | Simplex.Volume      | 1          | m^dim | of an affine element
//	λ, μ   | Elastic.Lame        | 1          | Pa    | [Hughes87] section 2.7
//	E_i, ν_ij, G_ij | Orthotropic | 3         | Pa, 1 | [Jones99] section 2.3
//	p, α   | VonMises            | 6, 1       | 1     | [Simo98] section 3.3
//	W      | Hyperelastic, Law   | 1          | J/m³  | [BonetWood08] (6.27), [Holzapfel00] (6.146)
//
// # Conventions
//
// Degree of freedom dim·i+c is component c of node i. Plane problems are per
// unit thickness, bars per unit cross-section; axisymmetric ones are of the
// whole ring, x the radius and y the axis, with one-point quadrature of the
// stiffness of P1. In one dimension stress is uniaxial: C = E.
//
// Elements are positively oriented, their nodes in VTK's order. A named group of a [Mesh] holds
// elements of any dimension up to that of the mesh; its nodes are what loads
// and prescribed displacements refer to, their corners what contact does: edges of quadratic
// elements in contact are straight ([Mesh.StraightenEdges], docs/decisions/0031-elements.md).
//
// Units are SI.
//
// # Large meshes
//
// Matrices have the pattern of full nodal blocks, shared by stiffness and mass
// so that they can be added value by value. Nothing here factorises but the bound of a mesh's error
// ([Bound]), with four unknowns an edge, nine a face.
//
// # References
//
//	[BonetWood08] Bonet, Wood: Nonlinear Continuum Mechanics for Finite Element Analysis. Cambridge, 2008.
//	[CichoszBischoff11] Cichosz, Bischoff: Consistent treatment of boundaries with mortar contact formulations using dual Lagrange multipliers. Comput. Methods Appl. Mech. Eng. 200, 2011.
//	[CoorevitsHildPelle00] Coorevits, Hild, Pelle: A posteriori error estimation for unilateral contact with matching and nonmatching meshes. Comput. Methods Appl. Mech. Eng. 186, 2000.
//	[DeSouzaNeto96] de Souza Neto, Perić, Dutko, Owen: Design of simple low order finite elements for large strain analysis of nearly incompressible solids. Int. J. Solids Struct. 33, 1996.
//	[DoyenErn11]  Doyen, Ern: Analysis of the modified mass method for the dynamic Signorini problem with Coulomb friction. SIAM J. Numer. Anal. 49, 2011.
//	[FraeijsDeVeubeke65] Fraeijs de Veubeke: Displacement and equilibrium models in the finite element method. In: Stress Analysis, Wiley, 1965.
//	[Gmsh]        Geuzaine, Remacle: Gmsh reference manual, file format: MSH 2.2 and 4.1.
//	[GopalakrishnanGuzmanLee24] Gopalakrishnan, Guzmán, Lee: The Johnson-Křížek-Mercier elasticity element in higher dimensions. arXiv 2403.13189, 2024.
//	[Holzapfel00] Holzapfel: Nonlinear Solid Mechanics. Wiley, 2000.
//	[Hughes87]    Hughes: The Finite Element Method. Prentice-Hall, 1987.
//	[JohnsonMercier78] Johnson, Mercier: Some equilibrium finite element methods for two-dimensional elasticity problems. Numer. Math. 30, 1978.
//	[Jones99]     Jones: Mechanics of Composite Materials. Taylor & Francis, 1999.
//	[KLR08]       Khenous, Laborde, Renard: Mass redistribution method for finite element contact problems in elastodynamics. Eur. J. Mech. A 27, 2008.
//	[PragerSynge47] Prager, Synge: Approximations in elasticity based on the concept of function space. Q. Appl. Math. 5, 1947.
//	[Rivara84]    Rivara: Algorithms for refining triangular grids suitable for adaptive and multigrid techniques. Int. J. Numer. Methods Eng. 20, 1984.
//	[Simo98]      Simo, Hughes: Computational Inelasticity. Springer, 1998.
//	[SimoTaylorPister85] Simo, Taylor, Pister: Variational and projection methods for the volume constraint in finite deformation elasto-plasticity. Comput. Methods Appl. Mech. Eng. 51, 1985.
//	[SutherlandHodgman74] Sutherland, Hodgman: Reentrant polygon clipping. Commun. ACM 17, 1974.
//	[Wohlmuth00]  Wohlmuth: A mortar finite element method using dual spaces for the Lagrange multiplier. SIAM J. Numer. Anal. 38, 2000.
//
// # Limits
//
// P1 triangles and tetrahedra lock as ν → ½; [Elastic.Validate] refuses ν ≥ ½,
// the verdict of a run with P1 ν > 0.4 (model/solid). Q1 is stiff in bending, and its pressures
// oscillate where ν is near ½; P2 has no masses. A mesh has one kind; quadratic quadrilaterals and
// hexahedra of Gmsh are refused. Plasticity, hyperelastic bodies and
// bounds ([Bound]: complementary energy and the constants of its facets are those of λ and μ) are of isotropic materials.
// Plasticity has no plane stress and no bars, hyperelastic bodies have no bars. An
// element that inverts has infinite energy: steps that would cross it are
// rejected by the line search, not repaired.
package fem
