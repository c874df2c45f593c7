#include "go_asm.h"
#include "textflag.h"

// func prefetchRows(x []Feature, table unsafe.Pointer, size uintptr)
TEXT ·prefetchRows(SB), NOSPLIT, $0-40
	MOVQ  x_base+0(FP), SI
	MOVQ  x_len+8(FP), CX
	MOVQ  table+24(FP), DI
	MOVQ  size+32(FP), DX
	TESTQ CX, CX
	JZ    done

next:
	MOVL       Feature_Slot(SI), AX
	IMULQ      DX, AX
	PREFETCHT0 (DI)(AX*1)
	ADDQ       $Feature__size, SI
	DECQ       CX
	JNZ        next

done:
	RET
