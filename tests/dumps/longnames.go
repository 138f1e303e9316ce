// Places, keys and types whose names have more than 200 letters. Writes a dump of itself, and tells how many objects are
// at the ends of two chains of fields.
package main

import (
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

type leaf struct{ Data [100]byte }
type last struct {
	TheLeavesThatHangAtTheVeryEndOfThisExceptionallyLongChainOfFieldsOnTheLeft  []*leaf
	TheLeavesThatHangAtTheVeryEndOfThisExceptionallyLongChainOfFieldsOnTheRight []*leaf
}
type middle struct {
	TheMiddlePartOfAChainWhoseFieldsHaveNamesThatNobodyWouldWantToTypeTwice map[string]*last
}
type first struct {
	TheFirstPartOfAChainWhoseFieldsHaveNamesThatNobodyWouldWantToTypeTwice []*middle
}

var gChain = &first{}

type record = struct {
	TheFirstFieldOfATypeWithoutAName, TheSecondFieldOfATypeWithoutAName, TheThirdFieldOfATypeWithoutAName    int
	TheFourthFieldOfATypeWithoutAName, TheFifthFieldOfATypeWithoutAName, TheSixthFieldOfATypeWithoutAName    *leaf
	TheSeventhFieldOfATypeWithoutAName, TheEighthFieldOfATypeWithoutAName, TheNinthFieldOfATypeWithoutANames string
}

var gRecord *record

func main() {
	gRecord = &record{TheFourthFieldOfATypeWithoutAName: &leaf{}}
	told := map[string]int{"Left": 0, "Right": 0}
	for i := 0; i < 3; i++ {
		m := &middle{map[string]*last{}}
		for j := 0; j < 4; j++ {
			end := &last{}
			for k := 0; k < 50; k++ {
				end.TheLeavesThatHangAtTheVeryEndOfThisExceptionallyLongChainOfFieldsOnTheLeft = append(
					end.TheLeavesThatHangAtTheVeryEndOfThisExceptionallyLongChainOfFieldsOnTheLeft, &leaf{})
				told["Left"]++
			}
			for k := 0; k < 20; k++ {
				end.TheLeavesThatHangAtTheVeryEndOfThisExceptionallyLongChainOfFieldsOnTheRight = append(
					end.TheLeavesThatHangAtTheVeryEndOfThisExceptionallyLongChainOfFieldsOnTheRight, &leaf{})
				told["Right"]++
			}
			m.TheMiddlePartOfAChainWhoseFieldsHaveNamesThatNobodyWouldWantToTypeTwice[strings.Repeat("key", j+1)] = end
		}
		gChain.TheFirstPartOfAChainWhoseFieldsHaveNamesThatNobodyWouldWantToTypeTwice = append(
			gChain.TheFirstPartOfAChainWhoseFieldsHaveNamesThatNobodyWouldWantToTypeTwice, m)
	}
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GC()
	debug.WriteHeapDump(file.Fd())
	json.NewEncoder(os.Stdout).Encode(told)
	runtime.KeepAlive(gChain)
	runtime.KeepAlive(gRecord)
}
