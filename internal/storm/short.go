package storm

import "encoding/json"

// TooLarge are cases whose steps are more than a storm wants to wait for.
var TooLarge = []string{"press-and-drag-3d", "rubber-block", "cattaneo-mindlin", "net", "pile", "box-pile",
	"arch-collapse", "dominoes", "chain-50", "box-stack"}

// fewSteps is how far the cases of the corpus run.
const fewSteps = 5

// Shorten cuts a case to a few steps of the length that it had.
func Shorten(text []byte) ([]byte, error) {
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	delete(c, "description")
	until, _ := c["until"].(float64)
	if steps, ok := c["steps"].(float64); ok && steps > fewSteps {
		c["steps"], c["until"] = fewSteps, until*fewSteps/steps
	} else if step, ok := c["step"].(float64); ok && until > fewSteps*step {
		c["until"] = fewSteps * step
	}
	return json.Marshal(c)
}
