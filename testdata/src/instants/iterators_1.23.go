//go:build go1.23

package main

import "iter"

func init() {
	cases["iterators"] = func() { each(pulled, rangedOver) }
}

func seq(k *kept) iter.Seq2[int, *kept] {
	return func(yield func(int, *kept) bool) {
		local := pair{one: k}
		for i := 0; ; i++ {
			if !yield(i, local.one) {
				return
			}
			read(&local)
		}
	}
}

func pulled() {
	next, end := iter.Pull2(seq(hold()))
	defer end()
	_, k, _ := next()
	park()
	k.id++
	next()
}

func rangedOver() {
	other := hold()
	for i, k := range seq(hold()) {
		defer func() { k.id += i }()
		local := pair{one: other}
		use(&local)
	}
}
