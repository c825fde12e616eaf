package cases

import (
	"fmt"
	"strings"
)

// Starter is a case of a model to start from, with the name given and one of most parts, whose
// description says what each is for; false: there is none. What it expects has a closed form.
func Starter(model, name string) (string, bool) {
	text, err := files.ReadFile("starters/" + model + ".json")
	return Copy(string(text), "NAME", name), err == nil
}

// Copy is a case under another name, for an editor: it names as its "$schema" the file
// case.schema.json beside it, by which editors complete and check keys; VS Code takes names that
// begin with a dot for files beside a case.
func Copy(text, from, name string) string {
	text = strings.Replace(text, fmt.Sprintf(`"name": %q`, from), fmt.Sprintf(`"name": %q`, name), 1)
	return strings.Replace(text, "{\n", "{\n  \"$schema\": \"./case.schema.json\",\n", 1)
}
