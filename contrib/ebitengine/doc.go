// SPDX-License-Identifier: BSD-3-Clause

// Package strobeebiten measures and paces a game of Ebitengine, with one line:
//
//	ebiten.RunGame(strobeebiten.Wrap(game, strobeebiten.Options{}))
//
// Wrap marks the frames of the loop "frame", so that the live page, strobe top and package capture know them, and times what a
// frame consists of:
//
//   - update: Update, with the game's own zones inside;
//   - draw: Draw, which mostly records what is to be drawn; final screen: DrawFinalScreen, if the game has one;
//   - present: from then until Ebitengine begins the next frame. This is when the graphics driver draws;
//   - wait: the wait for the next frame, a wait zone.
//
// The last two are on a lane of their own, "ebitengine".
//
// # Pacing
//
// Options.Rate makes frames begin at an exact rate, by default that of the game's ticks. Vsync is then off, and each frame has one
// tick: a late frame does not make the next one run several, and a frame that is longer than a period moves all later ones. The
// game slows down instead of skipping. ebiten.TPS still returns what the game has set, except on other goroutines than the game's,
// where it may be ebiten.SyncWithFPS. If Rate differs from the TPS, Ebitengine decides on the number of ticks, as without Wrap.
//
// A frame begins with the events that have arrived by then: input is not read before the wait. For this the wait takes place on
// the main thread, where Ebitengine reads events. Functions that need the main thread, such as ebiten.WindowSize, are therefore
// for Update and Draw: on other goroutines they return when the next frame begins.
//
// While the main thread waits, it is not known when the driver is done. One frame of 32, and each frame after one that was late,
// waits in Layout instead. Only these have a span of the zone present, and in these input may be a period older. In the other
// frames the time of the driver is part of the span of wait.
//
// There is no pacing in browsers and on phones, which call the game when they want a frame, and none in the mode
// ebiten.FPSModeVsyncOffMinimum. Frames are then measured only, present is known for each of them and includes waiting for vsync.
//
// # Overlay
//
// A key, F3 by default, switches between no overlay, a line and a graph. The overlay is drawn on the final screen, over the
// game's upper left corner, and not on the image that Draw gets. While it is off, what is shown is what the game draws, to the
// pixel.
//
// # Concurrency
//
// What Wrap returns is for a single call of ebiten.RunGame.
package strobeebiten
