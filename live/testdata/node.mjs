// SPDX-License-Identifier: BSD-3-Clause
// Runs modules.js with node: node --test testdata/node.mjs
import { readFileSync } from "node:fs";
import test from "node:test";

globalThis.document = { getElementById: () => null };
globalThis.page = new Function(`${readFileSync(new URL("../../internal/page/page.js", import.meta.url))}; return page;`)();
const { tests } = await import("./modules.js");
for (const [name, run] of Object.entries(tests)) test(name, run);
