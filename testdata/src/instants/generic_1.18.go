//go:build go1.18

package main

import "runtime"

type list[T any] struct {
	value T
	next  *list[T]
}

type numeric interface{ ~int | ~float64 }

func init() {
	cases["generics"] = func() {
		each(func() { generic(hold()) }, func() { generic(mixed{hidden(), hold(), "g"}) }, func() { generic[any](hold()) },
			func() { several[string, *kept](map[string]*kept{"a": hold()}) }, func() { ofList(&list[pair]{value: pair{one: hold()}}) })
	}
}

//go:noinline
func generic[T any](value T) {
	local := list[T]{value: value}
	outer := list[*list[T]]{value: &local}
	useGeneric(&outer)
}

//go:noinline
func useGeneric[T any](l *list[T]) { park(); runtime.KeepAlive(l) }

//go:noinline
func several[K comparable, V any](m map[K]V) {
	keys, values := []K{}, [4]V{}
	for key, value := range m {
		keys = append(keys, key)
		values[2] = value
	}
	func() {
		park()
		runtime.KeepAlive(&values)
		runtime.KeepAlive(keys)
	}()
}

//go:noinline
func ofList[T any](l *list[T]) {
	copied := *l
	f := func() T { return copied.value }
	park()
	runtime.KeepAlive(f())
}
