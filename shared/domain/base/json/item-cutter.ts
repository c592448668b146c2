import { isUtf8 } from 'node:buffer';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { ByteBuffer, memberKey } from './byte-buffer.ts';
import { endOfString } from './duplicate-keys.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  deepestJson,
  isStructural,
  isWhitespace,
  oneSpace,
  openBrace,
  openBracket,
  quote,
} from './nesting.ts';

/** Items lie no deeper: body, document, member of the document. */
const maxDepth = 3;

/** Where an item stands: the body's field that holds its document, and the document's member; null if that is a list itself. */
export type ItemPath = { readonly document: string | null; readonly member: string | null };

type TakeItem = (path: ItemPath, bytes: Uint8Array) => void;

/**
 * Cuts the items of a document out of the JSON text of its body, as that comes: the elements of a document that is a
 * list, the entries of the members of one that is an object. The rest is the outline, where their numbers are
 * for them: the text is JSON exactly where the outline is, and every item.
 */
export class ItemCutter {
  readonly #take: TakeItem;
  #items = 0;
  #itemBytes = 0;
  #depth = 0;
  /** Nested too deeply, or no JSON: the rest is not looked at. */
  #isRefused = false;
  #inString = false;
  #escaped = false;
  /** By depth: the bracket that opened what is open there. */
  readonly #opened: number[] = [];
  readonly #outline = new ByteBuffer();
  /** The outline offsets of the body's open field and its document's open member. */
  #documentFrom = 0;
  #document: string | null = null;
  #memberFrom = 0;
  #member: string | null = null;
  /** The open item as far as it has arrived, and how deep it lies. */
  #item: Uint8Array[] | null = null;
  #itemDepth = -1;

  constructor(take: TakeItem) {
    this.#take = take;
  }

  /** The chunk must stay as it is until its last item is taken. */
  push(chunk: Uint8Array): void {
    if (this.#isRefused) return;
    let from = 0;
    let inString = this.#inString;
    let escaped = this.#escaped;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (!inString && isStructural[byte] === 0) continue;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) inString = false;
      } else if (byte === quote) inString = true;
      else if (byte === openBrace || byte === openBracket) {
        if (++this.#depth <= maxDepth) from = this.#open(byte, chunk, from, at);
        else if (this.#depth > deepestJson) {
          this.#isRefused = true;
          return;
        }
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.#depth-- === this.#itemDepth && this.#item) from = this.#endItem(chunk, from, at);
      } else if (byte === comma) {
        if (this.#depth <= maxDepth) from = this.#separate(chunk, from, at);
      } else if (byte === colon) {
        if (this.#depth === maxDepth && this.#item === null && this.#holdsItems())
          from = this.#beginItem(chunk, from, at);
      }
    }
    this.#inString = inString;
    this.#escaped = escaped;
    if (this.#item) this.#item.push(this.#part(chunk, from, chunk.length));
    // Whitespace between tokens says nothing, however long: a body that is too large of it is refused for its size.
    else if (!inString && isWhitespace(chunk, from)) this.#keep(oneSpace, 0, 1);
    else this.#keep(chunk, from, chunk.length);
  }

  /** The outline, or null if it is not UTF-8 or nested too deeply. Of a text that ended within an item it is cut short as well. */
  end(): string | null {
    if (this.#isRefused) return null;
    const bytes = this.#outline.since(0);
    return isUtf8(bytes) ? bytes.toString('utf8') : null;
  }

  /** The keys and indices that lead to the item that is being taken; null if the text before it is no JSON. */
  itemPlace(): JsonPath | null {
    return pathBehind(this.#outline.since(0).toString('utf8'));
  }

  #open(bracket: number, chunk: Uint8Array, from: number, at: number): number {
    this.#opened[this.#depth] = bracket;
    if (this.#item) return from;
    if (this.#depth === 1) {
      this.#keep(chunk, from, at + 1);
      this.#documentFrom = this.#outline.length;
      return at + 1;
    }
    if (this.#depth === 2) return this.#beginDocument(chunk, from, at);
    if (this.#depth < maxDepth) return from;
    this.#keep(chunk, from, at);
    this.#member = this.#keySince(2, this.#memberFrom);
    return bracket === openBracket && this.#holdsItems() ? this.#beginItem(chunk, at, at) : at;
  }

  #beginDocument(chunk: Uint8Array, from: number, at: number): number {
    this.#keep(chunk, from, at);
    this.#document = this.#keySince(1, this.#documentFrom);
    this.#member = null;
    if (this.#holdsItems()) return this.#beginItem(chunk, at, at);
    this.#keep(chunk, at, at + 1);
    this.#memberFrom = this.#outline.length;
    return at + 1;
  }

  /** The key before what is opened in a container at a depth; null in one that is a list. */
  #keySince(depth: number, from: number): string | null {
    if (this.#opened[depth] !== openBrace) return null;
    const key = memberKey(this.#outline.since(from));
    if (key === null) this.#isRefused = true;
    return key;
  }

  /** Elements of a list in the body, entries of a member of an object in the body. */
  #holdsItems(): boolean {
    const [, body, document] = this.#opened;
    return body === openBrace && document === (this.#depth === 2 ? openBracket : openBrace);
  }

  #separate(chunk: Uint8Array, from: number, at: number): number {
    if (this.#item) {
      if (this.#depth !== this.#itemDepth) return from;
      const rest = this.#endItem(chunk, from, at);
      return this.#opened[this.#depth] === openBracket ? this.#beginItem(chunk, rest, at) : rest;
    }
    if (this.#depth > 2) return from;
    this.#keep(chunk, from, at + 1);
    if (this.#depth === 2) this.#memberFrom = this.#outline.length;
    else this.#documentFrom = this.#outline.length;
    return at + 1;
  }

  #beginItem(chunk: Uint8Array, from: number, at: number): number {
    this.#keep(chunk, from, at + 1);
    this.#item = [];
    this.#itemBytes = 0;
    this.#itemDepth = this.#depth;
    return at + 1;
  }

  #endItem(chunk: Uint8Array, from: number, at: number): number {
    const last = this.#part(chunk, from, at);
    const bytes = this.#item?.length ? Buffer.concat([...this.#item, last]) : last;
    this.#item = null;
    this.#itemDepth = -1;
    // Nothing between a bracket and a comma is for the outline to be refused by; between two brackets it is no item.
    if (isWhitespace(bytes, 0)) this.#keep(bytes, 0, bytes.length);
    else {
      if (this.#items === most.items) throw beyond(`must have at most ${most.items} items`);
      this.#take({ document: this.#document, member: this.#member }, bytes);
      this.#outline.pushDigits(this.#items++);
    }
    return at;
  }

  #part(chunk: Uint8Array, from: number, to: number): Uint8Array {
    this.#itemBytes += to - from;
    if (this.#itemBytes > most.itemBytes) throw beyond(`must have at most ${most.itemBytes} bytes in an item`);
    return chunk.subarray(from, to);
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    this.#outline.push(bytes, from, to);
    if (this.#outline.length > most.itemBytes)
      throw beyond(`must have at most ${most.itemBytes} bytes beside its items`);
  }
}

const most = limits.declared;

/** Small gzip makes many bytes, and few bytes many values: C-DECLARED-15. */
const beyond = (rule: string) => new Problem('validation_error', { errors: [{ path: '', message: rule }] });

/** The keys and indices that lead to a value. */
export type JsonPath = readonly (string | number)[];

function pathBehind(before: string): JsonPath | null {
  try {
    return keyPathAt(before, before.length - 1);
  } catch {
    return null;
  }
}

/** The keys and indices that lead to a key, with it, whose string starts at `at` in a text that `JSON.parse` accepts. */
export function keyPathAt(json: string, at: number): JsonPath {
  const path: (string | number)[] = [];
  let isKey = false;
  for (let place = 0; place <= at; place++) {
    const code = json.charCodeAt(place);
    if (code === quote) {
      const end = endOfString(json, place);
      if (isKey) path[path.length - 1] = String(JSON.parse(json.slice(place, end + 1)));
      isKey = false;
      place = end;
    } else if (code === openBracket) path.push(0);
    else if (code === closeBrace || code === closeBracket) path.pop();
    else if (code === openBrace) {
      path.push('');
      isKey = true;
    } else if (code === comma) {
      const last = path.pop() ?? '';
      isKey = typeof last === 'string';
      path.push(typeof last === 'string' ? last : last + 1);
    }
  }
  return path;
}
