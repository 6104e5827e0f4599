// SPDX-License-Identifier: BSD-3-Clause

// Package profdiff says by profiles of both sides of a benchmark which functions cost more or less than before.
//
// A function's own cost includes the standard library functions that it calls, so that the own costs of all functions add up to
// the whole. Its total cost includes every function that it calls. Both are the function's share of the elapsed time of the
// profiled runs, times the cost of a call as the caller measured it. Work of the garbage collector and of the scheduler belongs
// to no function, and has a row of its own.
//
// # Intervals
//
// A share is a proportion of samples, with the interval of Wilson. The bounds of a difference are combined from those of both sides
// (MOVER; for plain proportions it is Newcombe's tenth method), including the error of the cost of a call. Samples of one run resemble
// each other, so the number of samples is divided by a dispersion, estimated from the runs as Pearson's chi-square over its degrees
// of freedom, as in quasi-likelihood. It is never below 1, and Student's t replaces the normal distribution. Holm's method over all
// functions decides which differences are claimed.
//
// Sources: R. G. Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
// Statistics in Medicine 17 (1998); G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general
// approach", Statistics in Medicine 27 (2008); P. McCullagh and J. A. Nelder, "Generalized Linear Models", 4.5 and 5.5 (1989);
// E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from
// survey data", Survey Methodology 24 (1998).
package profdiff
