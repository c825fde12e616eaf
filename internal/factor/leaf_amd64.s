#include "textflag.h"

// Rows of the leaves of a block LU factorisation, eight at a time: their columns are turned into
// registers, so that the lanes are rows and no sum is reordered. There are no fused multiply-adds
// here, as the portable code has none.

// The row after P, or P again where there is none: R12 counts those that are left.
#define NEXTROW(P, Q) \
	MOVQ P, Q           \
	LEAQ (P)(R11*1), R13 \
	DECQ R12            \
	CMOVQGT R13, Q

// Z12 to Z19: pairs of the rows in R0 to R7.
#define PAIRS(R0, R1, R2, R3, R4, R5, R6, R7) \
	VUNPCKLPD R1, R0, Z12 \
	VUNPCKHPD R1, R0, Z13 \
	VUNPCKLPD R3, R2, Z14 \
	VUNPCKHPD R3, R2, Z15 \
	VUNPCKLPD R5, R4, Z16 \
	VUNPCKHPD R5, R4, Z17 \
	VUNPCKLPD R7, R6, Z18 \
	VUNPCKHPD R7, R6, Z19

#define COLUMNS(P0, P1, P2, P3, O0, O2, O4, O6) \
	VSHUFF64X2 $0x44, P1, P0, Z20    \
	VSHUFF64X2 $0xEE, P1, P0, Z21    \
	VSHUFF64X2 $0x44, P3, P2, Z22    \
	VSHUFF64X2 $0xEE, P3, P2, Z23    \
	VSHUFF64X2 $0x88, Z22, Z20, O0   \
	VSHUFF64X2 $0xDD, Z22, Z20, O2   \
	VSHUFF64X2 $0x88, Z23, Z21, O4   \
	VSHUFF64X2 $0xDD, Z23, Z21, O6

// The first two of the four columns of COLUMNS.
#define TWOCOLUMNS(P0, P1, P2, P3, O0, O2) \
	VSHUFF64X2 $0x44, P1, P0, Z20    \
	VSHUFF64X2 $0x44, P3, P2, Z22    \
	VSHUFF64X2 $0x88, Z22, Z20, O0   \
	VSHUFF64X2 $0xDD, Z22, Z20, O2

// OUT = (X0 t + X1 t') + X2 t'' of three entries of the table.
#define TRIPLE(A, B, C, X0, X1, X2, T, OUT) \
	VMULPD.BCST A(R10), X0, OUT \
	VMULPD.BCST B(R10), X1, T   \
	VADDPD T, OUT, OUT          \
	VMULPD.BCST C(R10), X2, T   \
	VADDPD T, OUT, OUT

// X times the inverse of the pivot.
#define SCALE(AT, X0, X1, X2) \
	TRIPLE(AT, AT+24, AT+48, X0, X1, X2, Z13, Z12)    \
	TRIPLE(AT+8, AT+32, AT+56, X0, X1, X2, Z15, Z14)  \
	TRIPLE(AT+16, AT+40, AT+64, X0, X1, X2, Z17, Z16) \
	VMOVAPD Z12, X0 \
	VMOVAPD Z14, X1 \
	VMOVAPD Z16, X2

// Y -= X Wᵀ.
#define LESS(AT, X0, X1, X2, Y0, Y1, Y2) \
	TRIPLE(AT, AT+8, AT+16, X0, X1, X2, Z13, Z12)     \
	TRIPLE(AT+24, AT+32, AT+40, X0, X1, X2, Z15, Z14) \
	TRIPLE(AT+48, AT+56, AT+64, X0, X1, X2, Z17, Z16) \
	VSUBPD Z12, Y0, Y0 \
	VSUBPD Z14, Y1, Y1 \
	VSUBPD Z16, Y2, Y2

// func leafRowsWide(x *float64, ld, rows, blocks int, table *leafTable, scaled bool)
TEXT ·leafRowsWide(SB), NOSPLIT, $8-41
	MOVQ blocks+24(FP), CX
	LEAQ (CX)(CX*2), CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	SHRL $8, AX
	KMOVW AX, K2
	MOVQ x+0(FP), AX
	MOVQ ld+8(FP), R11
	SHLQ $3, R11
	MOVQ blocks+24(FP), R15
	MOVQ table+32(FP), R10

eight:
	MOVQ rows+16(FP), R12
	NEXTROW(AX, BX)
	NEXTROW(BX, CX)
	NEXTROW(CX, DX)
	NEXTROW(DX, SI)
	NEXTROW(SI, DI)
	NEXTROW(DI, R8)
	NEXTROW(R8, R9)
	// The last columns first: Z8 to Z11.
	CMPQ R15, $3
	JLT  first
	VMOVUPD.Z 64(AX), K2, Z0
	VMOVUPD.Z 64(BX), K2, Z1
	VMOVUPD.Z 64(CX), K2, Z2
	VMOVUPD.Z 64(DX), K2, Z3
	VMOVUPD.Z 64(SI), K2, Z4
	VMOVUPD.Z 64(DI), K2, Z5
	VMOVUPD.Z 64(R8), K2, Z6
	VMOVUPD.Z 64(R9), K2, Z7
	PAIRS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	TWOCOLUMNS(Z12, Z14, Z16, Z18, Z8, Z10)
	TWOCOLUMNS(Z13, Z15, Z17, Z19, Z9, Z11)

first:
	VMOVUPD.Z (AX), K1, Z0
	VMOVUPD.Z (BX), K1, Z1
	VMOVUPD.Z (CX), K1, Z2
	VMOVUPD.Z (DX), K1, Z3
	VMOVUPD.Z (SI), K1, Z4
	VMOVUPD.Z (DI), K1, Z5
	VMOVUPD.Z (R8), K1, Z6
	VMOVUPD.Z (R9), K1, Z7
	PAIRS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	COLUMNS(Z12, Z14, Z16, Z18, Z0, Z2, Z4, Z6)
	COLUMNS(Z13, Z15, Z17, Z19, Z1, Z3, Z5, Z7)

	CMPB scaled+40(FP), $0
	JEQ  plain
	SCALE(0, Z0, Z1, Z2)
	CMPQ R15, $2
	JLT  rows
	LESS(72, Z0, Z1, Z2, Z3, Z4, Z5)
	SCALE(288, Z3, Z4, Z5)
	CMPQ R15, $3
	JLT  rows
	LESS(144, Z0, Z1, Z2, Z6, Z7, Z8)
	LESS(360, Z3, Z4, Z5, Z6, Z7, Z8)
	SCALE(504, Z6, Z7, Z8)
	CMPQ R15, $4
	JLT  rows
	LESS(216, Z0, Z1, Z2, Z9, Z10, Z11)
	LESS(432, Z3, Z4, Z5, Z9, Z10, Z11)
	LESS(576, Z6, Z7, Z8, Z9, Z10, Z11)
	SCALE(648, Z9, Z10, Z11)
	JMP  rows

plain:
	CMPQ R15, $2
	JLT  rows
	LESS(72, Z0, Z1, Z2, Z3, Z4, Z5)
	CMPQ R15, $3
	JLT  rows
	LESS(144, Z0, Z1, Z2, Z6, Z7, Z8)
	LESS(360, Z3, Z4, Z5, Z6, Z7, Z8)
	CMPQ R15, $4
	JLT  rows
	LESS(216, Z0, Z1, Z2, Z9, Z10, Z11)
	LESS(432, Z3, Z4, Z5, Z9, Z10, Z11)
	LESS(576, Z6, Z7, Z8, Z9, Z10, Z11)

rows:
	// Back to rows. One that is there twice is stored twice, from the same values.
	PAIRS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7)
	COLUMNS(Z12, Z14, Z16, Z18, Z0, Z2, Z4, Z6)
	COLUMNS(Z13, Z15, Z17, Z19, Z1, Z3, Z5, Z7)
	VMOVUPD Z0, K1, (AX)
	VMOVUPD Z1, K1, (BX)
	VMOVUPD Z2, K1, (CX)
	VMOVUPD Z3, K1, (DX)
	VMOVUPD Z4, K1, (SI)
	VMOVUPD Z5, K1, (DI)
	VMOVUPD Z6, K1, (R8)
	VMOVUPD Z7, K1, (R9)
	CMPQ R15, $3
	JLT  next
	VUNPCKLPD Z9, Z8, Z12
	VUNPCKHPD Z9, Z8, Z13
	VUNPCKLPD Z11, Z10, Z14
	VUNPCKHPD Z11, Z10, Z15
	// Rows 0 and 2, 4 and 6, 1 and 3, 5 and 7, in halves of registers.
	VSHUFF64X2 $0x44, Z14, Z12, Z0
	VSHUFF64X2 $0xEE, Z14, Z12, Z4
	VSHUFF64X2 $0x44, Z15, Z13, Z1
	VSHUFF64X2 $0xEE, Z15, Z13, Z5
	VSHUFF64X2 $0xD8, Z0, Z0, Z0
	VSHUFF64X2 $0xD8, Z4, Z4, Z4
	VSHUFF64X2 $0xD8, Z1, Z1, Z1
	VSHUFF64X2 $0xD8, Z5, Z5, Z5
	// By halves in registers of their own: a masked move leaves what lies beyond the last row alone, whereas
	// VEXTRACTF64X4 to memory looks at all of it. All 512 bits: nothing more than AVX512F is asked for.
	VEXTRACTF64X4 $1, Z0, Y2
	VEXTRACTF64X4 $1, Z1, Y3
	VEXTRACTF64X4 $1, Z4, Y6
	VEXTRACTF64X4 $1, Z5, Y7
	VMOVUPD Z0, K2, 64(AX)
	VMOVUPD Z1, K2, 64(BX)
	VMOVUPD Z2, K2, 64(CX)
	VMOVUPD Z3, K2, 64(DX)
	VMOVUPD Z4, K2, 64(SI)
	VMOVUPD Z5, K2, 64(DI)
	VMOVUPD Z6, K2, 64(R8)
	VMOVUPD Z7, K2, 64(R9)

next:
	LEAQ (R9)(R11*1), AX
	SUBQ $8, rows+16(FP)
	JGT  eight
	VZEROUPPER
	RET

// func backRowsWide(y *vec3, n int, u *float64, ld int, rows *int32, count int, x *vec3)
TEXT ·backRowsWide(SB), NOSPLIT, $0-56
	MOVQ n+8(FP), CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	SHRL $8, AX
	KMOVW AX, K2
	MOVQ y+0(FP), DI
	MOVQ u+16(FP), SI
	MOVQ ld+24(FP), R11
	SHLQ $3, R11
	MOVQ rows+32(FP), DX
	MOVQ count+40(FP), CX
	MOVQ x+48(FP), BX
	VMOVUPD.Z (DI), K1, Z0
	VMOVUPD.Z 64(DI), K2, Z1

row:
	MOVLQSX (DX), AX
	LEAQ (AX)(AX*2), AX
	LEAQ (BX)(AX*8), AX
	VBROADCASTSD (AX), Z2
	VBROADCASTSD 8(AX), Z3
	VBROADCASTSD 16(AX), Z4
	LEAQ (SI)(R11*1), R8
	LEAQ (SI)(R11*2), R9
	VMOVUPD.Z (SI), K1, Z5
	VMOVUPD.Z 64(SI), K2, Z6
	VMOVUPD.Z (R8), K1, Z7
	VMOVUPD.Z 64(R8), K2, Z8
	VMOVUPD.Z (R9), K1, Z9
	VMOVUPD.Z 64(R9), K2, Z10
	VMULPD Z2, Z5, Z5
	VMULPD Z2, Z6, Z6
	VMULPD Z3, Z7, Z7
	VMULPD Z3, Z8, Z8
	VMULPD Z4, Z9, Z9
	VMULPD Z4, Z10, Z10
	VADDPD Z7, Z5, Z5
	VADDPD Z8, Z6, Z6
	VADDPD Z9, Z5, Z5
	VADDPD Z10, Z6, Z6
	VSUBPD Z5, Z0, Z0
	VSUBPD Z6, Z1, Z1
	LEAQ (R9)(R11*1), SI
	ADDQ $4, DX
	DECQ CX
	JNE  row
	VMOVUPD Z0, K1, (DI)
	VMOVUPD Z1, K2, 64(DI)
	VZEROUPPER
	RET


// The columns of eight rows of L, from the rows AX to R9 and the byte R15 of them: Z0 to Z7, by Z12 to Z23.
#define EIGHTCOLUMNS(K) \
	VMOVUPD.Z (AX)(R15*1), K, Z0 \
	VMOVUPD.Z (BX)(R15*1), K, Z1 \
	VMOVUPD.Z (CX)(R15*1), K, Z2 \
	VMOVUPD.Z (DX)(R15*1), K, Z3 \
	VMOVUPD.Z (SI)(R15*1), K, Z4 \
	VMOVUPD.Z (DI)(R15*1), K, Z5 \
	VMOVUPD.Z (R8)(R15*1), K, Z6 \
	VMOVUPD.Z (R9)(R15*1), K, Z7 \
	PAIRS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7) \
	COLUMNS(Z12, Z14, Z16, Z18, Z0, Z2, Z4, Z6) \
	COLUMNS(Z13, Z15, Z17, Z19, Z1, Z3, Z5, Z7)

// Z31 -= (X0 x_k0 + X1 x_k1) + X2 x_k2, with the next block of x at R10.
#define MINUS(X0, X1, X2) \
	VMULPD.BCST (R10), X0, Z12   \
	VMULPD.BCST 8(R10), X1, Z13  \
	VADDPD Z13, Z12, Z12         \
	VMULPD.BCST 16(R10), X2, Z13 \
	VADDPD Z13, Z12, Z12         \
	VSUBPD Z12, Z31, Z31         \
	ADDQ $24, R10

// func forwardRowsWide(y *[8]float64, l *float64, ld, rows int, x *vec3, blocks int)
TEXT ·forwardRowsWide(SB), NOSPLIT, $0-48
	MOVQ l+8(FP), AX
	MOVQ ld+16(FP), R11
	SHLQ $3, R11
	MOVQ rows+24(FP), R12
	NEXTROW(AX, BX)
	NEXTROW(BX, CX)
	NEXTROW(CX, DX)
	NEXTROW(DX, SI)
	NEXTROW(SI, DI)
	NEXTROW(DI, R8)
	NEXTROW(R8, R9)
	MOVQ x+32(FP), R10
	MOVQ blocks+40(FP), R12
	MOVQ y+0(FP), R13
	VMOVUPD (R13), Z31
	XORL R15, R15
	MOVL $0x3F, R13
	KMOVW R13, K1 // two blocks
	SHRL $3, R13
	KMOVW R13, K2 // one

two:
	CMPQ R12, $2
	JLT  last
	EIGHTCOLUMNS(K1)
	MINUS(Z0, Z1, Z2)
	MINUS(Z3, Z4, Z5)
	ADDQ $48, R15
	SUBQ $2, R12
	JMP  two

last:
	TESTQ R12, R12
	JEQ  done
	EIGHTCOLUMNS(K2)
	MINUS(Z0, Z1, Z2)

done:
	MOVQ y+0(FP), R13
	VMOVUPD Z31, (R13)
	VZEROUPPER
	RET
