// Package files reads assemblies: COMPAS JSON (compas_assembly, compas_cra, compas_dem), brick models
// of StableLego, and the format of this program, which has generators too.
//
// What a file says and the reader does not understand is in [assembly.Assembly].Notes, never dropped
// without a word; in the format of this program an unknown key is an error.
//
// # Limits
//
// Of COMPAS, blocks, supports, densities, friction and contacts are read; forces, joints' models and
// boundary conditions are noted only.
package files
