// SPDX-License-Identifier: BSD-3-Clause

// Package decide holds the rules by which strobe decides that one thing costs more than another.
//
//   - [MannWhitney] tests whether two samples come from one distribution, and [Cut] is the limit of that test
//   - [Differences] are those of all pairs of two samples: their median estimates by how much one is shifted against the other
//   - [Holm] tests several hypotheses with one probability of error for all, and [Each] applies a gate to several comparisons
//   - [Interim] and [Spent] share an error among analyses while samples are added
//   - [Verdict] and [Outcome] are the words for what was found, and the exit code of a gate
//
// Use it to build a comparison that packages stat and bench do not offer. Do not use it to turn two samples into a verdict
// that those have: they check the order of the samples, and add warnings. Packages stat, bench and frames, and the command, decide
// by these rules.
//
// # Units
//
// Errors, levels and tails are probabilities between 0 and 1. Differences have the unit of the samples.
//
// # Concurrency
//
// Every function is pure and safe for concurrent use, and so are the methods of Differences.
//
// # Accuracy
//
// The distribution of U is exact for samples of up to 50 values each, in the test of samples with ties up to 25, and for Cut also
// for a larger sample beside a small one. Beyond that, the test uses the normal distribution with corrections for ties and
// continuity, and Cut an expansion that is never too large: by it an interval may be too wide, by a rank if the samples are of similar
// size, but not too narrow. The tests verify that for tails from 0.025 to 0.00001.
//
// # Sources
//
// H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the other",
// Annals of Mathematical Statistics 18 (1947). Ties: J. H. Klotz, "A Computational Approach to Statistics", chapter 13. J. L.
// Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34 (1963).
package decide
