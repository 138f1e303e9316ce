// Package lib has a table and words, which are small; what is large; and a registry of what it is given.
package lib

var (
	Table    []byte
	Words    [][]byte
	Large    []byte
	Registry []interface{}
)

func init() {
	Table = make([]byte, 5*8192)
	Large = make([]byte, 25*8192)
	for i := 0; i < 100; i++ {
		Words = append(Words, make([]byte, 100))
	}
}

//go:noinline
func Register(value interface{}) { Registry = append(Registry, value) }

//go:noinline
func Use() int { return len(Table) + len(Words) + len(Large) + len(Registry) }
