// SPDX-License-Identifier: BSD-3-Clause

// Package workflows reads the workflows and the action of this repository and the examples in its documents, checks them against
// rules, and runs their scripts like a GitHub runner.
package workflows

import (
	"fmt"

	"go.yaml.in/yaml/v2"
)

// A Workflow is a file in .github/workflows.
type Workflow struct {
	Name        string
	Permissions map[string]string
	Jobs        map[string]Job
}

// A Job is a job of a workflow.
type Job struct {
	If          string
	Minutes     int `yaml:"timeout-minutes"`
	Permissions map[string]string
	Env         map[string]string
	Steps       []Step
}

// A Step is a step of a job or of a composite action.
type Step struct {
	ID, Name, If, Uses, Shell, Run string

	Folder string `yaml:"working-directory"`
	With   map[string]string
	Env    map[string]string
}

// An Action is a composite action, as in action.yml.
type Action struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct{ Steps []Step }
}

// Parse reads a workflow or an action into v, a pointer to one.
func Parse(file, text string, v any) error {
	if err := yaml.Unmarshal([]byte(text), v); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
