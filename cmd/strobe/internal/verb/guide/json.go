// SPDX-License-Identifier: BSD-3-Clause

package guide

import "github.com/strobe-go/strobe/cmd/strobe/internal/session"

// A guideObject is the JSON of strobe guide: the list of topics, or one page.
type guideObject struct {
	Schema int `json:"schema"` // version of this format
	*pageObject
	Topics []entryObject `json:"topics,omitempty"` // without a topic: all of them
}

// A pageObject is the JSON of one topic.
type pageObject struct {
	Topic    string   `json:"topic,omitempty"`    // its name
	Question string   `json:"question,omitempty"` // that it answers
	Text     string   `json:"text,omitempty"`     // the page, in Markdown
	Commands []string `json:"commands,omitempty"` // those of the page, in order
}

type entryObject struct {
	Topic    string `json:"topic"`    // name for strobe guide TOPIC
	Question string `json:"question"` // that it answers
}

func topicObject(t Topic) guideObject {
	return guideObject{Schema: session.Schema, pageObject: &pageObject{t.Name, t.Question, t.Markdown, t.commands()}}
}

func listObject() guideObject {
	o := guideObject{Schema: session.Schema}
	for _, t := range Topics() {
		o.Topics = append(o.Topics, entryObject{t.Name, t.Question})
	}
	return o
}
