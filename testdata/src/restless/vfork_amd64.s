#include "textflag.h"

// func vfork(span *[2]int64) int
// Its child sleeps for a time and ends; until then the kernel lets nothing wake the thread.
TEXT ·vfork(SB),NOSPLIT,$0-16
	MOVQ	span+0(FP), R12
	MOVQ	$58, AX
	SYSCALL
	TESTQ	AX, AX
	JNZ	parent
	MOVQ	R12, DI
	XORL	SI, SI
	MOVQ	$35, AX
	SYSCALL
	XORL	DI, DI
	MOVQ	$60, AX
	SYSCALL
parent:
	MOVQ	AX, ret+8(FP)
	RET
