#include "textflag.h"

// One step of four columns: the loads of the three rows of a are shared by the
// four rows of b.
#define UPDATE(C0, C1, C2) \
	VFMADD231PD Y12, Y15, C0 \
	VFMADD231PD Y13, Y15, C1 \
	VFMADD231PD Y14, Y15, C2

// Sum each of four accumulators and subtract the four sums from a row of c.
#define REDUCE(A0, A1, A2, A3) \
	VHADDPD A1, A0, Y12               \
	VHADDPD A3, A2, Y13               \
	VPERM2F128 $0x21, Y13, Y12, Y14   \
	VBLENDPD $0x0C, Y13, Y12, Y15     \
	VADDPD Y14, Y15, Y15              \
	VMOVUPD (DI), Y12                 \
	VSUBPD Y15, Y12, Y12              \
	VMOVUPD Y12, (DI)                 \
	ADDQ R8, DI

// func tileFMA(c *float64, ldc int, a *float64, lda int, b *float64, ldb int, k int)
TEXT ·tileFMA(SB), NOSPLIT, $0-56
	MOVQ c+0(FP), DI
	MOVQ ldc+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ lda+24(FP), R9
	MOVQ b+32(FP), DX
	MOVQ ldb+40(FP), R10
	MOVQ k+48(FP), CX
	SHLQ $3, R8
	SHLQ $3, R9
	SHLQ $3, R10
	LEAQ (R10)(R10*2), R11
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	SUBQ $4, CX
	JLT  rest

four:
	VMOVUPD (SI), Y12
	VMOVUPD (SI)(R9*1), Y13
	VMOVUPD (SI)(R9*2), Y14
	VMOVUPD (DX), Y15
	UPDATE(Y0, Y4, Y8)
	VMOVUPD (DX)(R10*1), Y15
	UPDATE(Y1, Y5, Y9)
	VMOVUPD (DX)(R10*2), Y15
	UPDATE(Y2, Y6, Y10)
	VMOVUPD (DX)(R11*1), Y15
	UPDATE(Y3, Y7, Y11)
	ADDQ $32, SI
	ADDQ $32, DX
	SUBQ $4, CX
	JGE  four

rest:
	ADDQ $4, CX
	JEQ  sum

one:
	// A scalar load clears the upper lanes, which then add zero.
	VMOVSD (SI), X12
	VMOVSD (SI)(R9*1), X13
	VMOVSD (SI)(R9*2), X14
	VMOVSD (DX), X15
	UPDATE(Y0, Y4, Y8)
	VMOVSD (DX)(R10*1), X15
	UPDATE(Y1, Y5, Y9)
	VMOVSD (DX)(R10*2), X15
	UPDATE(Y2, Y6, Y10)
	VMOVSD (DX)(R11*1), X15
	UPDATE(Y3, Y7, Y11)
	ADDQ $8, SI
	ADDQ $8, DX
	DECQ CX
	JNE  one

sum:
	REDUCE(Y0, Y1, Y2, Y3)
	REDUCE(Y4, Y5, Y6, Y7)
	REDUCE(Y8, Y9, Y10, Y11)
	VZEROUPPER
	RET
