// SPDX-License-Identifier: BSD-3-Clause The format of pprof, profile.proto: protocol buffers with numbers, texts and nested
// messages.

// A Message collects fields.
class Message {
  bytes = [];
  #varint(v) {
    for (let x = BigInt.asUintN(64, BigInt(v)); ; x >>= 7n) {
      if (x < 128n) { this.bytes.push(Number(x)); return this; }
      this.bytes.push(Number(x & 127n) | 128);
    }
  }
  number(field, v) { return v ? this.#varint(8 * field).#varint(v) : this; }
  part(field, bytes) {
    this.#varint(8 * field + 2).#varint(bytes.length);
    for (const b of bytes) this.bytes.push(b);
    return this;
  }
  packed(field, list) {
    const m = new Message();
    for (const v of list) m.#varint(v);
    return this.part(field, m.bytes);
  }
}

// encode encodes a profile of calls and self times. A stack has zones, the innermost first, each with a unique key.
export function encode({ samples, notes, duration }) {
  const out = new Message(), texts = new Map([["", 0]]), places = new Map();
  const text = (s) => { if (!texts.has(s)) texts.set(s, texts.size); return texts.get(s); };
  const kind = (type, unit) => new Message().number(1, text(type)).number(2, text(unit)).bytes;
  const place = ({ key, name, where }) => {
    if (!places.has(key)) {
      const id = places.size + 1, [, file, line] = where.match(/^(.*):(\d+)$/) || ["", where, 0];
      places.set(key, id);
      out.part(4, new Message().number(1, id).part(4, new Message().number(1, id).number(2, line).bytes).bytes);
      out.part(5, new Message().number(1, id).number(2, text(name)).number(3, text(name)).number(4, text(file)).number(5, line).bytes);
    }
    return places.get(key);
  };
  out.part(1, kind("calls", "count")).part(1, kind("self", "nanoseconds"));
  for (const { stack, calls, self, labels } of samples) {
    const m = new Message().packed(1, stack.map(place)).packed(2, [calls, self]);
    for (const [key, value] of Object.entries(labels)) m.part(3, new Message().number(1, text(key)).number(2, text(value)).bytes);
    out.part(2, m.bytes);
  }
  out.number(10, duration).packed(13, notes.map(text)).number(14, text("self"));
  for (const s of texts.keys()) out.part(6, new TextEncoder().encode(s));
  return new Uint8Array(out.bytes);
}
