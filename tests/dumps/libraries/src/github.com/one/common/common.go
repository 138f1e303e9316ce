package common

var Table []byte

func init() { Table = make([]byte, 7*8192) }

//go:noinline
func Use() int { return len(Table) }
