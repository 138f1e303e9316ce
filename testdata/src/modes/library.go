//go:build library

package main

import "C"

// What a program of C calls that has loaded this as a library.
//
//export modes_start
func modes_start() { go main() }
