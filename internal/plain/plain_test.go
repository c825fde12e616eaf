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
