package cases

import "strings"

// Starter is a case of a model to start from, with the name given and one of most parts, whose
// description says what each is for; false: there is none. What it expects has a closed form.
func Starter(model, name string) (string, bool) {
	text, err := files.ReadFile("starters/" + model + ".json")
	return strings.Replace(string(text), "NAME", name, 1), err == nil
}
