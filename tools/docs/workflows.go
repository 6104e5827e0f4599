// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A Job is a job of a workflow.
type Job struct {
	Name    string
	Text    string   // below the name
	Scripts []string // what its steps run
}

var (
	jobNames   = regexp.MustCompile(`(?m)^  ([\w-]+):\n`)
	runs       = regexp.MustCompile(`(?m)^      (?:- |  )run: (?:\|\n((?: {10}.*\n|\n)+)|([^|>\n].*)\n)`)
	usesLines  = regexp.MustCompile(`(?m)^.*\buses:.*$`)
	pinned     = regexp.MustCompile(`^      (?:- |  )uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	leastRight = regexp.MustCompile(`(?m)^permissions:\n  contents: read\n\S`)
	ofTags     = regexp.MustCompile(`\non:\n  push:\n    tags: \[.*\]\npermissions: \{\}\n`)
	timeouts   = regexp.MustCompile(`(?m)^    timeout-minutes: \d+$`)
)

// Jobs returns the jobs of a workflow, which must be indented by two blanks, including lists.
func Jobs(text string) []Job {
	_, body, _ := strings.Cut(text, "\njobs:\n")
	var jobs []Job
	names := jobNames.FindAllStringSubmatchIndex(body, -1)
	for i, at := range names {
		end := len(body)
		if i+1 < len(names) {
			end = names[i+1][0]
		}
		job := Job{Name: body[at[2]:at[3]], Text: body[at[1]:end]}
		for _, m := range runs.FindAllStringSubmatch(job.Text, -1) {
			script := m[2]
			for line := range strings.Lines(m[1]) {
				script += strings.TrimPrefix(line, "          ")
			}
			job.Scripts = append(job.Scripts, script)
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// CheckWorkflow returns the faults of a workflow: what could harm those who run it, and what it leaves unspecified.
func CheckWorkflow(file, text string) []error {
	var faults []error
	fault := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, fmt.Errorf("%s: "+format, append([]any{file}, args...)...))
		}
	}
	fault((!leastRight.MatchString(text) || strings.Count(text, "permissions:") != 1) && !ofTags.MatchString(text),
		"the permissions are not those to read alone, once for all jobs, nor none in a workflow of tags, whose jobs have their own")
	fault(!strings.Contains(text, "\nconcurrency:\n"), "no concurrency: runs of the same branch pile up")
	for _, word := range []string{"pull_request_target", "workflow_run", "secrets."} {
		fault(strings.Contains(text, word), "%s gives the code of a request more rights than it needs", word)
	}
	for _, line := range usesLines.FindAllString(text, -1) {
		fault(!pinned.MatchString(line), "%q names no commit with its version", strings.TrimSpace(line))
	}
	fault(strings.Count(text, "uses: actions/checkout@") != strings.Count(text, "\n          persist-credentials: false\n"), "a checkout leaves its token behind")
	jobs := Jobs(text)
	fault(len(jobs) == 0, "no job was found")
	for _, job := range jobs {
		fault(!timeouts.MatchString(job.Text), "job %s has no time limit", job.Name)
		fault(len(job.Scripts) == 0, "job %s runs nothing", job.Name)
		fault(strings.Count(job.Text, "run:") != len(job.Scripts), "job %s has a script that was not understood", job.Name)
		fault(strings.Contains(strings.Join(job.Scripts, "\n"), "${{"), "job %s has an expression in a script: use env", job.Name)
	}
	return faults
}

// StepsOf returns the names of the steps that the text of check defines.
func StepsOf(check string) (map[string]bool, error) {
	steps := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^step_(\w+)\(\) \{`).FindAllStringSubmatch(check, -1) {
		steps[m[1]] = true
	}
	if len(steps) == 0 {
		return nil, errors.New("check defines no step")
	}
	return steps, nil
}
