// SPDX-License-Identifier: BSD-3-Clause

package trace

// Field numbers of pprof's messages, from proto/profile.proto. Their texts are indices into the table of the profile, whose
// first text is empty.
const (
	profileSampleType    = 1 // Profile
	profileSample        = 2
	profileLocation      = 4
	profileFunction      = 5
	profileText          = 6
	profileDuration      = 10
	profileComment       = 13
	profileDefaultSample = 14

	typeName = 1 // ValueType
	typeUnit = 2

	sampleLocation = 1 // Sample, innermost first
	sampleValue    = 2
	sampleLabel    = 3

	labelKey  = 1 // Label
	labelText = 2

	locationID   = 1 // Location
	locationLine = 4

	lineFunction = 1 // Line
	lineNumber   = 2

	functionID         = 1 // Function
	functionName       = 2
	functionSystemName = 3
	functionFile       = 4
	functionLine       = 5
)
