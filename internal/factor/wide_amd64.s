#include "textflag.h"

// A product of a strip of A with 16 or 8 rows of B, which lie transposed in the frame: the
// lanes of a register are entries of a row of C. Each entry has the four partial sums of
// tileGeneric, column l of A and B in the sum l mod 4, in four accumulators.

// Rows of B to columns, eight by eight: Z0 to Z7 hold rows, Z8 to Z15 pairs of them.
#define PAIRS \
	VUNPCKLPD Z1, Z0, Z8  \
	VUNPCKHPD Z1, Z0, Z9  \
	VUNPCKLPD Z3, Z2, Z10 \
	VUNPCKHPD Z3, Z2, Z11 \
	VUNPCKLPD Z5, Z4, Z12 \
	VUNPCKHPD Z5, Z4, Z13 \
	VUNPCKLPD Z7, Z6, Z14 \
	VUNPCKHPD Z7, Z6, Z15

// The columns O0, O2, O4, O6 of the pairs P0 to P3; even and odd columns have pairs of their own.
#define COLUMNS(P0, P1, P2, P3, O0, O2, O4, O6) \
	VSHUFF64X2 $0x44, P1, P0, Z16    \
	VSHUFF64X2 $0xEE, P1, P0, Z17    \
	VSHUFF64X2 $0x44, P3, P2, Z18    \
	VSHUFF64X2 $0xEE, P3, P2, Z19    \
	VSHUFF64X2 $0x88, Z18, Z16, O0   \
	VSHUFF64X2 $0xDD, Z18, Z16, O2   \
	VSHUFF64X2 $0x88, Z19, Z17, O4   \
	VSHUFF64X2 $0xDD, Z19, Z17, O6

// The row after P, or P again where there is none: R12 counts those that are left.
#define NEXTROW(P, Q, STRIDE) \
	MOVQ P, Q           \
	LEAQ (P)(STRIDE*1), R13 \
	DECQ R12            \
	CMOVQGT R13, Q

// One column of three rows of A with 16 rows of B.
#define STEP16(AT, BT0, BT1, S00, S01, S10, S11, S20, S21) \
	VMOVUPD BT0(BX), Z24          \
	VMOVUPD BT1(BX), Z25          \
	VBROADCASTSD AT(SI), Z26      \
	VFMADD231PD Z24, Z26, S00     \
	VFMADD231PD Z25, Z26, S01     \
	VBROADCASTSD AT(DI), Z27      \
	VFMADD231PD Z24, Z27, S10     \
	VFMADD231PD Z25, Z27, S11     \
	VBROADCASTSD AT(DX), Z28      \
	VFMADD231PD Z24, Z28, S20     \
	VFMADD231PD Z25, Z28, S21

// One column of six rows of A with 8 rows of B.
#define STEP8(AT, BT, S0, S1, S2, S3, S4, S5) \
	VMOVUPD BT(BX), Z24              \
	VFMADD231PD.BCST AT(SI), Z24, S0 \
	VFMADD231PD.BCST AT(DI), Z24, S1 \
	VFMADD231PD.BCST AT(DX), Z24, S2 \
	VFMADD231PD.BCST AT(R8), Z24, S3 \
	VFMADD231PD.BCST AT(R9), Z24, S4 \
	VFMADD231PD.BCST AT(R10), Z24, S5

// (S0 + S1) + (S2 + S3) to S0.
#define SUM(S0, S1, S2, S3) \
	VADDPD S1, S0, S0 \
	VADDPD S3, S2, S2 \
	VADDPD S2, S0, S0

#define ZERO24 \
	VPXORQ Z0, Z0, Z0    \
	VPXORQ Z1, Z1, Z1    \
	VPXORQ Z2, Z2, Z2    \
	VPXORQ Z3, Z3, Z3    \
	VPXORQ Z4, Z4, Z4    \
	VPXORQ Z5, Z5, Z5    \
	VPXORQ Z6, Z6, Z6    \
	VPXORQ Z7, Z7, Z7    \
	VPXORQ Z8, Z8, Z8    \
	VPXORQ Z9, Z9, Z9    \
	VPXORQ Z10, Z10, Z10 \
	VPXORQ Z11, Z11, Z11 \
	VPXORQ Z12, Z12, Z12 \
	VPXORQ Z13, Z13, Z13 \
	VPXORQ Z14, Z14, Z14 \
	VPXORQ Z15, Z15, Z15 \
	VPXORQ Z16, Z16, Z16 \
	VPXORQ Z17, Z17, Z17 \
	VPXORQ Z18, Z18, Z18 \
	VPXORQ Z19, Z19, Z19 \
	VPXORQ Z20, Z20, Z20 \
	VPXORQ Z21, Z21, Z21 \
	VPXORQ Z22, Z22, Z22 \
	VPXORQ Z23, Z23, Z23

// func stripWide(c *float64, ldc int, a *float64, lda int, b *float64, ldb int, m, n, k int)
TEXT ·stripWide(SB), 0, $32896-72
	// Masks of the columns of C: K1 the first eight, K2 the others.
	MOVQ n+56(FP), CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	SHRL $8, AX
	KMOVW AX, K2

	// The columns of B, in a frame aligned to lines of the cache; R11 is its place, 64 or 128
	// bytes a column.
	LEAQ buffer-32896(SP), R11
	ADDQ $63, R11
	ANDQ $~63, R11
	MOVQ b+32(FP), AX
	MOVQ n+56(FP), R12
	XORL R15, R15        // offset of the half
	MOVQ ldb+40(FP), R10
	SHLQ $3, R10

half:
	// AX to R9 are eight rows of B.
	NEXTROW(AX, BX, R10)
	NEXTROW(BX, CX, R10)
	NEXTROW(CX, DX, R10)
	NEXTROW(DX, SI, R10)
	NEXTROW(SI, DI, R10)
	NEXTROW(DI, R8, R10)
	NEXTROW(R8, R9, R10)
	MOVQ R9, row8-8(SP)
	MOVQ R12, left-16(SP)
	MOVQ k+64(FP), R12
	LEAQ (R11)(R15*1), R15
	MOVL $0xFF, R13
	KMOVW R13, K3
	XORL R10, R10

eight:
	CMPQ R12, $8
	JGE  whole
	// Columns beyond k are zero; they are not looked at.
	MOVQ CX, R13
	MOVQ R12, CX
	MOVL $1, R12
	SHLL CX, R12
	DECL R12
	KMOVW R12, K3
	MOVQ CX, R12
	MOVQ R13, CX

whole:
	VMOVUPD.Z (AX)(R10*1), K3, Z0
	VMOVUPD.Z (BX)(R10*1), K3, Z1
	VMOVUPD.Z (CX)(R10*1), K3, Z2
	VMOVUPD.Z (DX)(R10*1), K3, Z3
	VMOVUPD.Z (SI)(R10*1), K3, Z4
	VMOVUPD.Z (DI)(R10*1), K3, Z5
	VMOVUPD.Z (R8)(R10*1), K3, Z6
	VMOVUPD.Z (R9)(R10*1), K3, Z7
	PAIRS
	COLUMNS(Z8, Z10, Z12, Z14, Z0, Z2, Z4, Z6)
	COLUMNS(Z9, Z11, Z13, Z15, Z1, Z3, Z5, Z7)
	CMPQ n+56(FP), $8
	JGT  pair
	VMOVUPD Z0, (R15)
	VMOVUPD Z1, 64(R15)
	VMOVUPD Z2, 128(R15)
	VMOVUPD Z3, 192(R15)
	VMOVUPD Z4, 256(R15)
	VMOVUPD Z5, 320(R15)
	VMOVUPD Z6, 384(R15)
	VMOVUPD Z7, 448(R15)
	ADDQ $512, R15
	ADDQ $64, R10
	SUBQ $8, R12
	JGT  eight
	JMP  narrow

pair:
	VMOVUPD Z0, (R15)
	VMOVUPD Z1, 128(R15)
	VMOVUPD Z2, 256(R15)
	VMOVUPD Z3, 384(R15)
	VMOVUPD Z4, 512(R15)
	VMOVUPD Z5, 640(R15)
	VMOVUPD Z6, 768(R15)
	VMOVUPD Z7, 896(R15)
	ADDQ $1024, R15
	ADDQ $64, R10
	SUBQ $8, R12
	JGT  eight
	// The other half, which begins a row below the eighth.
	MOVQ left-16(SP), R12
	MOVQ ldb+40(FP), R10
	SHLQ $3, R10
	MOVQ row8-8(SP), AX
	ADDQ R10, AX
	DECQ R12
	MOVQ n+56(FP), R13
	SUBQ R12, R13        // 8 after the first half, 16 and more after the second
	CMPQ R13, $9
	MOVL $64, R15
	JLT  half

	// Three rows at a time: SI, DI, DX of A, R8, R9, R10 of C.
	MOVQ a+16(FP), SI
	MOVQ c+0(FP), R8
	MOVQ lda+24(FP), AX
	SHLQ $3, AX
	MOVQ ldc+8(FP), CX
	SHLQ $3, CX
	MOVQ CX, ldc+8(FP)

three:
	// C comes from memory while A and B are multiplied; what lies beyond it is not touched.
	MOVQ ldc+8(FP), CX
	PREFETCHT0 (R8)
	PREFETCHT0 64(R8)
	PREFETCHT0 120(R8)
	PREFETCHT0 (R8)(CX*1)
	PREFETCHT0 64(R8)(CX*1)
	PREFETCHT0 120(R8)(CX*1)
	PREFETCHT0 (R8)(CX*2)
	PREFETCHT0 64(R8)(CX*2)
	PREFETCHT0 120(R8)(CX*2)
	MOVQ m+48(FP), R12
	NEXTROW(SI, DI, AX)
	NEXTROW(DI, DX, AX)
	LEAQ (DX)(AX*1), R13
	MOVQ R13, a+16(FP)
	MOVQ R11, BX
	ZERO24
	MOVQ k+64(FP), CX
	SUBQ $4, CX
	JLT  rest

four:
	STEP16(0, 0, 64, Z0, Z1, Z2, Z3, Z4, Z5)
	STEP16(8, 128, 192, Z6, Z7, Z8, Z9, Z10, Z11)
	STEP16(16, 256, 320, Z12, Z13, Z14, Z15, Z16, Z17)
	STEP16(24, 384, 448, Z18, Z19, Z20, Z21, Z22, Z23)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, DX
	ADDQ $512, BX
	SUBQ $4, CX
	JGE  four

rest:
	ADDQ $4, CX
	JEQ  sum

one:
	STEP16(0, 0, 64, Z0, Z1, Z2, Z3, Z4, Z5)
	ADDQ $8, SI
	ADDQ $8, DI
	ADDQ $8, DX
	ADDQ $128, BX
	DECQ CX
	JNE  one

sum:
	// A row that is there twice is stored twice, from the same values.
	MOVQ ldc+8(FP), CX
	MOVQ m+48(FP), R12
	NEXTROW(R8, R9, CX)
	NEXTROW(R9, R10, CX)
	SUM(Z0, Z6, Z12, Z18)
	SUM(Z1, Z7, Z13, Z19)
	SUM(Z2, Z8, Z14, Z20)
	SUM(Z3, Z9, Z15, Z21)
	SUM(Z4, Z10, Z16, Z22)
	SUM(Z5, Z11, Z17, Z23)
	VMOVUPD.Z (R8), K1, Z24
	VMOVUPD.Z 64(R8), K2, Z25
	VMOVUPD.Z (R9), K1, Z26
	VMOVUPD.Z 64(R9), K2, Z27
	VMOVUPD.Z (R10), K1, Z28
	VMOVUPD.Z 64(R10), K2, Z29
	VSUBPD Z0, Z24, Z24
	VSUBPD Z1, Z25, Z25
	VSUBPD Z2, Z26, Z26
	VSUBPD Z3, Z27, Z27
	VSUBPD Z4, Z28, Z28
	VSUBPD Z5, Z29, Z29
	VMOVUPD Z24, K1, (R8)
	VMOVUPD Z25, K2, 64(R8)
	VMOVUPD Z26, K1, (R9)
	VMOVUPD Z27, K2, 64(R9)
	VMOVUPD Z28, K1, (R10)
	VMOVUPD Z29, K2, 64(R10)
	LEAQ (R10)(CX*1), R8
	MOVQ a+16(FP), SI
	SUBQ $3, m+48(FP)
	JGT  three
	VZEROUPPER
	RET

narrow:
	// Six rows at a time with eight of B: SI, DI, DX, R8, R9, R10 of A, then of C.
	MOVQ lda+24(FP), AX
	SHLQ $3, AX
	SHLQ $3, ldc+8(FP)

six:
	MOVQ a+16(FP), SI
	MOVQ m+48(FP), R12
	NEXTROW(SI, DI, AX)
	NEXTROW(DI, DX, AX)
	NEXTROW(DX, R8, AX)
	NEXTROW(R8, R9, AX)
	NEXTROW(R9, R10, AX)
	LEAQ (R10)(AX*1), R13
	MOVQ R13, a+16(FP)
	MOVQ R11, BX
	ZERO24
	MOVQ k+64(FP), CX
	SUBQ $4, CX
	JLT  rest8

four8:
	STEP8(0, 0, Z0, Z1, Z2, Z3, Z4, Z5)
	STEP8(8, 64, Z6, Z7, Z8, Z9, Z10, Z11)
	STEP8(16, 128, Z12, Z13, Z14, Z15, Z16, Z17)
	STEP8(24, 192, Z18, Z19, Z20, Z21, Z22, Z23)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, DX
	ADDQ $32, R8
	ADDQ $32, R9
	ADDQ $32, R10
	ADDQ $256, BX
	SUBQ $4, CX
	JGE  four8

rest8:
	ADDQ $4, CX
	JEQ  sum8

one8:
	STEP8(0, 0, Z0, Z1, Z2, Z3, Z4, Z5)
	ADDQ $8, SI
	ADDQ $8, DI
	ADDQ $8, DX
	ADDQ $8, R8
	ADDQ $8, R9
	ADDQ $8, R10
	ADDQ $64, BX
	DECQ CX
	JNE  one8

sum8:
	MOVQ ldc+8(FP), CX
	MOVQ c+0(FP), SI
	MOVQ m+48(FP), R12
	NEXTROW(SI, DI, CX)
	NEXTROW(DI, DX, CX)
	NEXTROW(DX, R8, CX)
	NEXTROW(R8, R9, CX)
	NEXTROW(R9, R10, CX)
	SUM(Z0, Z6, Z12, Z18)
	SUM(Z1, Z7, Z13, Z19)
	SUM(Z2, Z8, Z14, Z20)
	SUM(Z3, Z9, Z15, Z21)
	SUM(Z4, Z10, Z16, Z22)
	SUM(Z5, Z11, Z17, Z23)
	VMOVUPD.Z (SI), K1, Z24
	VMOVUPD.Z (DI), K1, Z25
	VMOVUPD.Z (DX), K1, Z26
	VMOVUPD.Z (R8), K1, Z27
	VMOVUPD.Z (R9), K1, Z28
	VMOVUPD.Z (R10), K1, Z29
	VSUBPD Z0, Z24, Z24
	VSUBPD Z1, Z25, Z25
	VSUBPD Z2, Z26, Z26
	VSUBPD Z3, Z27, Z27
	VSUBPD Z4, Z28, Z28
	VSUBPD Z5, Z29, Z29
	VMOVUPD Z24, K1, (SI)
	VMOVUPD Z25, K1, (DI)
	VMOVUPD Z26, K1, (DX)
	VMOVUPD Z27, K1, (R8)
	VMOVUPD Z28, K1, (R9)
	VMOVUPD Z29, K1, (R10)
	LEAQ (R10)(CX*1), R13
	MOVQ R13, c+0(FP)
	SUBQ $6, m+48(FP)
	JGT  six
	VZEROUPPER
	RET
