// SPDX-License-Identifier: BSD-3-Clause
// The stream of messages. The browser resumes it where it broke; where the browser gives up, the stream begins anew.

// connect calls on.hello, on.frames, on.state and on.bye with the messages and on.broken whenever the stream breaks. It
// returns a function that ends it.
export function connect(loop, on) {
  let source, timer, wait = 250;
  const open = () => {
    source = new EventSource(loop ? `events?loop=${encodeURIComponent(loop)}` : "events");
    for (const name of ["hello", "frames", "state", "bye"]) {
      source.addEventListener(name, (e) => { wait = 250; on[name](JSON.parse(e.data)); });
    }
    source.addEventListener("error", () => {
      on.broken();
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, 4000);
    });
  };
  open();
  return () => { clearTimeout(timer); source.close(); };
}

// send posts a command and returns why it was refused, or "".
export async function send(command) {
  try {
    const answer = await fetch("command", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
    return answer.ok ? "" : (await answer.text()).trim();
  } catch {
    return "the program does not answer";
  }
}
