// SPDX-License-Identifier: BSD-3-Clause

// Package frames reads frame-time captures and reports on them by named definitions.
//
// "1 % low" has five different definitions in five tools, whose results differ by up to a factor of two on the same capture. Here
// every figure has a name, a definition in words, an owner and an interval, and a Preset reproduces what a tool prints, digit by
// digit.
//
//	captures, err := frames.Read(file, frames.ReadOptions{File: "game.csv"})
//	report, err := frames.Analyze(captures[0], frames.Options{Preset: frames.CapFrameX})
//
// Most callers need [Read], which returns a [Capture] for each process and swap chain, and [Analyze], which returns a [Report] on
// one. To compare two configurations, record several runs of each, alternating between them, and use [CompareGroups]. Avoid
// [Compare] for that: single captures do not show how much runs of the same configuration differ. To measure live frames use
// package strobe.
//
// Read accepts files that PresentMon, CapFrameX, OCAT, FrameView, MangoHud, FRAPS, Unreal Engine, Unity, Factorio or strobe
// itself wrote, and lists of numbers. A Capture can also be made by hand.
//
// # Definitions
//
// With n frame times x in milliseconds:
//
//   - average: 1000·n/Σx, frames per time. The mean of 1000/x is another figure, weighs short frames too much, and is offered
//     only as "mean of instantaneous FPS".
//   - P1, P0.1: a quantile, of type [R7], [R8] or [NearestRank], of the frame times or of the instantaneous rates.
//   - low average: the rate of the mean of the frames at least as long as a quantile of the frame times.
//   - low integral: the slowest frames are added up until they reach 1 % (or 0.1 %) of all time; the rate of the frame where that
//     happens.
//   - frame-to-frame change: the mean of |x[i+1]-x[i]|.
//   - stutter: a frame longer than 2.5 times the trailing mean of round(10·sqrt(mean)) frames, as CapFrameX has it; factor and
//     window are options.
//   - animation error: |simulated step - displayed step| as PresentMon gives it.
//   - lag-1 autocorrelation: NIST's, over pairs of frames that follow each other.
//
// The constants of type [Preset] say what each tool does and in which function of its source.
//
// # Units
//
// Frame times and stamps are milliseconds as float64, each the decimal of the file rounded once. Shares lie between 0 and 1.
// Rates are per second.
//
// # Intervals
//
// Frames are correlated, so nothing here assumes independence. Means carry the batch means interval of package stat; the average
// carries that of the mean frame time, inverted. Everything else carries a stationary bootstrap with automatic block length and
// bias-corrected percentiles, from a fixed seed, widened as Student's t asks where a figure rests on few independent slow frames.
// Captures longer than 65 536 frames are resampled in cells of several frames. One run cannot bound a figure from below if the
// figure rests on too few independent slow frames: its interval has only an upper bound. That of a mean has only one if frames
// are so correlated that the other would reach beyond the longest or the shortest of them. If no frame of the capture or of a
// scene counts towards a share, the share is bounded by the exact binomial, which does not account for hitches that come in
// clusters. Extremes have no interval, with the reason.
//
// Where the level of the frame times changes, as between scenes of a game, the capture is divided into scenes, and intervals are
// computed from the variation within them. Report.Scenes says where they begin, and Metric.Scenes has the figure of each. Of
// captures of a single scene with 512 frames or more, fewer than 3 of 100 are divided; 6 of 100 if they are short and the
// correlation of their frames is 0.98. Shorter captures are never divided.
//
// Whether a difference is clear is decided for all figures of a comparison together, by Holm's method with weights: the average
// and the usual figures of the slow end have most of the weight. The unit of a comparison of groups is the run.
//
// # Concurrency
//
// All functions are safe for concurrent use. Captures and reports are plain values; nothing is kept.
//
// # Accuracy
//
// The tests simulate captures of correlated frame times and count how often the nominal 95 % intervals contain the true value: at
// least 80 % of the time for every figure. Where single long hitches decide a figure, as they decide the standard deviation and
// the lag-1 correlation, its interval is too narrow. A capture that drifts is marked not stationary, and its intervals describe
// that run only.
//
// A row is a frame: frames that were never shown count, rows without a positive frame time do not. Frame times are not checked
// against the time stamps; where those run backwards, they are ignored and Capture.Notes says so.
//
// # Sources
//
// Quantiles: Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996). Bootstrap: Politis
// and Romano, "The Stationary Bootstrap", JASA 89 (1994); block length: Politis and White (2004), corrected by Patton, Politis
// and White (2009). Bias correction: Efron, "Nonparametric standard errors and confidence intervals" (1981); widening:
// Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (2015). Formats: the writers' own
// source, PresentMon/CsvOutput.cpp, MangoHud's src/logging.cpp, CapFrameX's CapFrameX.Data.Session, Unreal Engine's
// CsvProfiler.cpp and the export window of Unity's Profile Analyzer, and files of the tools. The sources of FrameView and FRAPS
// are not public. The reader of FrameView follows the notes that come with it and captures of a game in Pavelioso/Frameviewer at
// 084d4cb, assets/witcher_3.csv; that of FRAPS follows AMD GPU PerfStudio's FrameStatsLogger.cpp, which writes its format.
package frames
