// SPDX-License-Identifier: BSD-3-Clause

package workflows

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Contexts are the contexts of expressions, such as github and inputs: maps whose leaves are strings, numbers and Booleans.
type Contexts map[string]any

// Evaluate returns the value of an expression with names, strings in quotes, numbers, the operators ! == != && ||, parentheses
// and always(). An unknown name is nil.
func Evaluate(text string, of Contexts) (any, error) {
	tokens, p := regexp.MustCompile(`^\s*(\|\||&&|==|!=|[!()]|'(?:[^']|'')*'|[\w.-]+)`), parser{of: of}
	for rest := text; strings.TrimSpace(rest) != ""; {
		m := tokens.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("expression %q: cannot read %q", text, rest)
		}
		p.tokens, rest = append(p.tokens, m[1]), rest[len(m[0]):]
	}
	v, err := p.or()
	if err == nil && len(p.tokens) > 0 {
		err = fmt.Errorf("%q is left", p.tokens)
	}
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	return v, nil
}

// Interpolate replaces each ${{ expression }} in a text by its value.
func Interpolate(text string, of Contexts) (string, error) {
	var first error
	expressions := regexp.MustCompile(`\$\{\{(.*?)\}\}`)
	text = expressions.ReplaceAllStringFunc(text, func(m string) string {
		v, err := Evaluate(expressions.FindStringSubmatch(m)[1], of)
		if first == nil {
			first = err
		}
		return written(v)
	})
	return text, first
}

// written returns a value in the form that scripts get.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// isTrue reports whether a value counts as true.
func isTrue(v any) bool { return v != nil && v != "" && v != false && v != 0.0 }

type parser struct {
	tokens []string
	of     Contexts
}

// take removes the next token if it is one of these.
func (p *parser) take(any ...string) (token string, ok bool) {
	if len(p.tokens) == 0 || !slices.Contains(any, p.tokens[0]) {
		return "", false
	}
	token, p.tokens = p.tokens[0], p.tokens[1:]
	return token, true
}

func (p *parser) or() (any, error) {
	v, err := p.and()
	for err == nil {
		if _, ok := p.take("||"); !ok {
			break
		}
		var other any
		if other, err = p.and(); !isTrue(v) {
			v = other
		}
	}
	return v, err
}

func (p *parser) and() (any, error) {
	v, err := p.equal()
	for err == nil {
		if _, ok := p.take("&&"); !ok {
			break
		}
		var other any
		if other, err = p.equal(); isTrue(v) {
			v = other
		}
	}
	return v, err
}

func (p *parser) equal() (any, error) {
	v, err := p.value()
	if operator, ok := p.take("==", "!="); ok && err == nil {
		var other any
		other, err = p.value()
		v = strings.EqualFold(written(v), written(other)) == (operator == "==")
	}
	return v, err
}

func (p *parser) value() (any, error) {
	if len(p.tokens) == 0 {
		return nil, fmt.Errorf("ends too early")
	}
	token := p.tokens[0]
	p.tokens = p.tokens[1:]
	switch number, err := strconv.ParseFloat(token, 64); {
	case token == "!":
		v, err := p.value()
		return !isTrue(v), err
	case token == "(":
		v, err := p.or()
		if _, ok := p.take(")"); !ok && err == nil {
			err = fmt.Errorf("want )")
		}
		return v, err
	case token[0] == '\'':
		return strings.ReplaceAll(token[1:len(token)-1], "''", "'"), nil
	case err == nil:
		return number, nil
	case token == "always":
		if _, ok := p.take("("); ok {
			if _, ok := p.take(")"); ok {
				return true, nil
			}
		}
		return nil, fmt.Errorf("want always()")
	}
	var v any = map[string]any(p.of)
	for name := range strings.SplitSeq(token, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v, nil
}
