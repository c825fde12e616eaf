package plain

import "testing"

func TestText(t *testing.T) {
	for _, c := range []struct{ in, text, lines string }{
		{"a plain μ-text, 字, é", "a plain μ-text, 字, é", "a plain μ-text, 字, é"},
		{"\u001b[31mred\u0007\r\n\tx\u009b2J", `\u001b[31mred\u0007\r\n\tx\u009b2J`, "\\u001b[31mred\\u0007\\r\n\tx\\u009b2J"},
		{"user\u202egnp.exe\u2066\u200f\u061c", `user\u202egnp.exe\u2066\u200f\u061c`, `user\u202egnp.exe\u2066\u200f\u061c`},
	} {
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Lines(c.in); got != c.lines {
			t.Errorf("Lines(%q) = %q, want %q", c.in, got, c.lines)
		}
	}
}

func TestShortened(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a word", "a word"}, {"two words, and a third one", "two words …"}, {"áéíóú áéíóúáéíóú", "áéíóú …"}, {"onewordthatislong", " …"},
	} {
		if got := Shortened(c.in, 12); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestOverflows(t *testing.T) {
	for in, want := range map[string]string{"mass 3 kg": "mass 3 kg", "q = +Inf m": "q = beyond 1.8e308 m",
		"[-Inf, 2]": "[beyond -1.8e308, 2]", "NaN at d1": "unknown at d1",
		"Inferno of NaNa": "Inferno of NaNa", "a+Inferno": "a+Inferno", "+Inf": "beyond 1.8e308",
		`found "NaN", not NaN`: `found "NaN", not unknown`} {
		if got := Overflows(in); got != want {
			t.Errorf("Overflows(%q) = %q, want %q", in, got, want)
		}
	}
}
