//go:build reflected

package main

import "reflect"

// A goroutine below reflect.Value.Call has a frame of a function that stands twice in the table.
func init() { go reflect.ValueOf(waitEvents).Call(nil) }
