#include "go_asm.h"
#include "textflag.h"

// func prefetchRows(x []Feature, table unsafe.Pointer, size uintptr)
TEXT ·prefetchRows(SB), NOSPLIT, $0-40
	MOVD x_base+0(FP), R0
	MOVD x_len+8(FP), R1
	MOVD table+24(FP), R2
	MOVD size+32(FP), R3
	CBZ  R1, done

next:
	MOVWU Feature_Slot(R0), R4
	MADD  R3, R2, R4, R4
	PRFM  (R4), PLDL1KEEP
	ADD   $Feature__size, R0
	SUB   $1, R1
	CBNZ  R1, next

done:
	RET
