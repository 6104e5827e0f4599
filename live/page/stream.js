// SPDX-License-Identifier: BSD-3-Clause The stream of messages. The browser resumes it where it broke. If the browser gives up,
// or fails several times in a row, the stream begins again, after growing pauses.

const TRIES = 4; // tries of the browser, half a second apart, as set by the program
const FIRST = 1000, LONGEST = 15000; // ms

// connect asks for what a query names. It calls on.hello, on.frames, on.state and on.bye with the messages, and on.broken whenever the stream breaks, with the
// pause before the next try in ms; 0 if the browser tries itself. It returns a function that tries again now, and one that ends
// the stream.
export function connect(query, on) {
  let source, timer = 0, breaks = 0, pause = FIRST;
  const open = () => {
    timer = 0;
    source = new EventSource(`events?${query}`);
    for (const name of ["hello", "frames", "state", "bye"]) {
      source.addEventListener(name, (e) => { breaks = 0; pause = FIRST; on[name](JSON.parse(e.data)); });
    }
    source.addEventListener("error", () => {
      if (++breaks < TRIES && source.readyState !== EventSource.CLOSED) { on.broken(0); return; }
      source.close();
      timer = setTimeout(open, pause);
      on.broken(pause);
      pause = Math.min(2 * pause, LONGEST);
    });
  };
  open();
  return { retry() { if (timer) { clearTimeout(timer); open(); } }, close() { clearTimeout(timer); source.close(); } };
}

// send posts a command and returns the reason if it was refused, or "".
export async function send(command) {
  try {
    const answer = await fetch("command", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
    return answer.ok ? "" : (await answer.text()).trim();
  } catch {
    return "the program does not answer";
  }
}
