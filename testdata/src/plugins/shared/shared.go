// A package of the two plugins that the program lacks: the plugin that is opened first has its variables.
package shared

type Record struct {
	Name string
	Next *Record
}

var (
	Registry = map[string]*Record{}
	Last     *Record
)

func Add(name string) {
	Last = &Record{Name: name, Next: Last}
	Registry[name] = Last
}
