// SPDX-License-Identifier: BSD-3-Clause

// Package guide is the verb that says what to do next, by situation.
package guide

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct {
	Topic []string `arg:"" optional:"" name:"TOPIC" help:"What to explain; if not given, the topics are listed."`
}

// Help is the longer part of strobe guide --help.
func (Command) Help() string {
	return `
Without a topic it lists the topics, each with the question that it answers. A topic is
one page: what to run, in which order, and what the results mean.

  strobe guide
  strobe guide slow-sometimes

A topic of several words may be written as such: strobe guide slow sometimes. The exit
code is 2 if there is no such topic.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if len(c.Topic) == 0 {
		return list(s)
	}
	name := strings.ToLower(strings.Join(c.Topic, "-"))
	t, ok := find(name)
	if !ok {
		return fmt.Errorf("there is no topic %q; the nearest is %s (strobe guide lists them)", strings.Join(c.Topic, " "), nearest(name).Name)
	}
	if s.JSON {
		return session.WriteJSON(s.Out, topicObject(t))
	}
	p := s.Printer()
	p.Title(t.Question)
	p.WriteByte('\n')
	p.WriteString(t.text())
	return s.Print(p)
}

// list prints the topics.
func list(s *session.Session) error {
	if s.JSON {
		return session.WriteJSON(s.Out, listObject())
	}
	p := s.Printer()
	t := layout.Table{Columns: []layout.Column{{Title: "topic", Left: true}, {Title: "answers", Left: true}}}
	for _, topic := range Topics() {
		t.Rows = append(t.Rows, []string{topic.Name, topic.Question})
	}
	p.Table(t)
	p.WriteString("\nstrobe guide TOPIC prints a page. docs/tutorial.md goes through a whole case.\n")
	return s.Print(p)
}
