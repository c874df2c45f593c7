package survey

import "testing"

// TestIsNumber: texts that people read as numbers, in any writing, and texts that only look like them.
func TestIsNumber(t *testing.T) {
	numbers := []string{"78.87", "78,87", "1,234.50", "1,234,567", "1,103.50", "+3", "-1e-5", "$7", "-$7", "$-7.5",
		"3%", "3.5 %", "-2%", "7 €", "€7,50", "£1,234", "(7.00)", "($7)", "1 234,50",
		"1\u202f234\u00a0567,5", "1'234.5", "12 345"}
	for _, s := range numbers {
		if !isNumber(s) {
			t.Errorf("%q is no number", s)
		}
	}
	for _, s := range []string{"", "$", "%", "a", "1 2", "1 2345", "3%x", "$a", "()", "1-2", "e", "12 345 6", "10:30",
		"a1,234", "5 kg", "1'2"} {
		if isNumber(s) {
			t.Errorf("%q is a number", s)
		}
	}
}
