#include "textflag.h"

// Lanes that repeat a row of a block, and those that repeat the entries of a column three times.
DATA row0<>+0(SB)/8, $0
DATA row0<>+8(SB)/8, $1
DATA row0<>+16(SB)/8, $2
DATA row0<>+24(SB)/8, $0
DATA row0<>+32(SB)/8, $1
DATA row0<>+40(SB)/8, $2
DATA row0<>+48(SB)/8, $0
DATA row0<>+56(SB)/8, $1
GLOBL row0<>(SB), RODATA, $64

DATA row1<>+0(SB)/8, $3
DATA row1<>+8(SB)/8, $4
DATA row1<>+16(SB)/8, $5
DATA row1<>+24(SB)/8, $3
DATA row1<>+32(SB)/8, $4
DATA row1<>+40(SB)/8, $5
DATA row1<>+48(SB)/8, $3
DATA row1<>+56(SB)/8, $4
GLOBL row1<>(SB), RODATA, $64

DATA row2<>+0(SB)/8, $5
DATA row2<>+8(SB)/8, $6
DATA row2<>+16(SB)/8, $7
DATA row2<>+24(SB)/8, $5
DATA row2<>+32(SB)/8, $6
DATA row2<>+40(SB)/8, $7
DATA row2<>+48(SB)/8, $5
DATA row2<>+56(SB)/8, $6
GLOBL row2<>(SB), RODATA, $64

DATA column0<>+0(SB)/8, $0
DATA column0<>+8(SB)/8, $0
DATA column0<>+16(SB)/8, $0
DATA column0<>+24(SB)/8, $3
DATA column0<>+32(SB)/8, $3
DATA column0<>+40(SB)/8, $3
DATA column0<>+48(SB)/8, $6
DATA column0<>+56(SB)/8, $6
GLOBL column0<>(SB), RODATA, $64

DATA column1<>+0(SB)/8, $1
DATA column1<>+8(SB)/8, $1
DATA column1<>+16(SB)/8, $1
DATA column1<>+24(SB)/8, $4
DATA column1<>+32(SB)/8, $4
DATA column1<>+40(SB)/8, $4
DATA column1<>+48(SB)/8, $7
DATA column1<>+56(SB)/8, $7
GLOBL column1<>(SB), RODATA, $64

// func subProductsWide(c *mat3, col *int32, n int, l, b *mat3)
//
// Eight entries of a block of C are the lanes: entry i of row r is l_r0 b_0i + l_r1 b_1i + l_r2 b_2i. The ninth is
// done beside.
TEXT ·subProductsWide(SB), NOSPLIT, $0-40
	MOVQ c+0(FP), DI
	MOVQ col+8(FP), DX
	MOVQ n+16(FP), CX
	MOVQ l+24(FP), AX
	MOVQ b+32(FP), SI
	VMOVUPD row0<>(SB), Z20
	VMOVUPD row1<>(SB), Z21
	VMOVUPD row2<>(SB), Z22
	VMOVUPD column0<>(SB), Z10
	VMOVUPD column1<>(SB), Z11
	VPERMPD 8(AX), Z11, Z12
	VPERMPD (AX), Z10, Z10
	VPERMPD (AX), Z11, Z11
	VMOVSD 48(AX), X6
	VMOVSD 56(AX), X7
	VMOVSD 64(AX), X8

block:
	MOVLQSX (DX), AX
	LEAQ (AX)(AX*8), AX
	LEAQ (DI)(AX*8), AX
	VPERMPD (SI), Z20, Z0
	VPERMPD (SI), Z21, Z1
	VPERMPD 8(SI), Z22, Z2
	VMULPD Z10, Z0, Z0
	VMULPD Z11, Z1, Z1
	VMULPD Z12, Z2, Z2
	VADDPD Z1, Z0, Z0
	VADDPD Z2, Z0, Z0
	VMOVUPD (AX), Z3
	VSUBPD Z0, Z3, Z3
	VMULSD 16(SI), X6, X0
	VMULSD 40(SI), X7, X1
	VMULSD 64(SI), X8, X2
	VADDSD X1, X0, X0
	VADDSD X2, X0, X0
	VMOVSD 64(AX), X4
	VSUBSD X0, X4, X4
	VMOVUPD Z3, (AX)
	VMOVSD X4, 64(AX)
	ADDQ $72, SI
	ADDQ $4, DX
	DECQ CX
	JNE  block
	VZEROUPPER
	RET

// func addWide(dst, src *float64, n int)
TEXT ·addWide(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SUBQ $8, CX
	JLT  rest

eight:
	VMOVUPD (DI), Z0
	VADDPD (SI), Z0, Z0
	VMOVUPD Z0, (DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JGE  eight

rest:
	ADDQ $8, CX
	JEQ  done
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VMOVUPD.Z (DI), K1, Z0
	VMOVUPD.Z (SI), K1, Z1
	VADDPD Z1, Z0, Z0
	VMOVUPD Z0, K1, (DI)

done:
	VZEROUPPER
	RET
