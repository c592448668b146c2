const words = 4;

/** Digests of 16 bytes, of which those that were seen are known: at most 64 bytes each, whatever they stand for. */
export class DigestSet {
  #slots = new Uint32Array(words * 1_024);
  #size = 0;

  /** Whether the digest is new here. */
  add(digest: Buffer): boolean {
    const read = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at));
    // Four zeroes stand for an empty slot.
    const entry = read.some((word) => word !== 0) ? read : [1, 0, 0, 0];
    const isNew = place(this.#slots, entry);
    if (isNew && ++this.#size * words * 2 > this.#slots.length) this.#slots = doubled(this.#slots);
    return isNew;
  }
}

function doubled(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += words) {
    const entry = slots.subarray(at, at + words);
    if (entry.some((word) => word !== 0)) place(larger, entry);
  }
  return larger;
}

/** By linear probing; false where the entry is there. */
function place(slots: Uint32Array, entry: ArrayLike<number>): boolean {
  const capacity = slots.length / words;
  for (let slot = (entry[0] ?? 0) % capacity; ; slot = (slot + 1) % capacity) {
    const at = slot * words;
    if (isAt(slots, at, entry)) return false;
    if (isAt(slots, at, empty)) {
      slots.set(entry, at);
      return true;
    }
  }
}

const empty = [0, 0, 0, 0];

function isAt(slots: Uint32Array, at: number, entry: ArrayLike<number>): boolean {
  for (let word = 0; word < words; word++) if (slots[at + word] !== entry[word]) return false;
  return true;
}
