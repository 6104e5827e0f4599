// SPDX-License-Identifier: BSD-3-Clause

// Package bisect finds the revisions of a history at which a cost rises, from measurements that scatter.
//
// A [Search] measures nothing itself. It says what to measure or to compare next, and is told what came out:
//
//	s := bisect.NewSearch(n, limit, layouts)
//	for step := s.Next(); step.Do != bisect.Stop; step = s.Next() {
//		switch step.Do {
//		case bisect.Measure:
//			s.Measured(step.Revision, step.Layout, rounds(step))
//		case bisect.Compare:
//			s.Compared(step.Revision, step.Earlier, outcome(step))
//		}
//	}
//
// It can therefore be stopped at any time, and continued from a record of what it was told.
//
// The costs are modelled as levels that change at some of the revisions: at none, at one or at several. After each measurement the
// search has the exact posterior distribution of where they do, and asks for the measurement that tells most about it. A posterior
// is as good as its model, so it never suffices to blame a revision: where it points at one, that one is compared with the one
// before it, by new measurements, and only what is found slower in this way is in the result.
//
// Costs are logarithms of the ratio to the cost of the first revision. A Search is not safe for concurrent use.
//
// Source: P. Fearnhead, "Exact and efficient Bayesian inference for multiple changepoint problems", Statistics and Computing 16
// (2006).
package bisect
