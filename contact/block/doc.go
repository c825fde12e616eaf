// Package block has contact problems in scaled units and the factorisations of their matrices in 3×3
// blocks: by the contacts, by fronts, or by the graph of the bodies.
package block
