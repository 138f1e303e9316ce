//go:build go1.24

package main

import (
	"runtime"
	"unique"
	"weak"
)

var (
	weaks   []weak.Pointer[kept]
	handles []unique.Handle[string]
	cleaned []*kept
	strong  []*kept
)

func init() {
	cases["weak"] = func() {
		for i := 0; i < 20; i++ {
			weaks = append(weaks, weak.Make(lose()))
			strong = append(strong, hold())
			weaks = append(weaks, weak.Make(strong[i]))
			handles = append(handles, unique.Make(string(rune(i+2000))+"unique"))
			k, arg := hold(), &pair{one: hold()}
			cleaned = append(cleaned, k)
			runtime.AddCleanup(k, func(p *pair) { p.one.id++ }, arg)
		}
	}
}
