const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];
const space = 0x20;

/**
 * The answer that the store's JSON is, with binary attributes as bytes. The SDK looks up the schema of every value, and
 * `JSON.parse` makes a hidden class for each order of names, which are ids in items of the graph: both cost more than to
 * read the text (ADR 10).
 *
 * @throws {SyntaxError} if the text is not JSON
 */
export function answerOf(body: string): Record<string, unknown> {
  const reader = new AnswerReader(body || '{}');
  const answer = reader.value();
  reader.end();
  return answer as Record<string, unknown>;
}

class AnswerReader {
  readonly #text: string;
  #at = 0;
  #escape: number;
  /** The last value of each length: orders, times and details are often as the one before. */
  readonly #values: string[] = [];
  /** The last bytes, and the text that they were. */
  #bytes = noBytes;

  constructor(text: string) {
    this.#text = text;
    this.#escape = backslashIn(text, 0);
  }

  value(): unknown {
    switch (this.#next()) {
      case quote:
        return this.#value();
      case objectStart:
        return this.#object();
      case listStart:
        return this.#list();
      default:
        return this.#literal();
    }
  }

  end(): void {
    this.#next();
    if (this.#at < this.#text.length) throw this.#broken();
  }

  /** An object with a single key of this kind is an attribute's value: maps and items have other shapes. */
  #object(): object {
    this.#at++;
    if (this.#next() === objectEnd) return this.#past({});
    const [name, value] = [this.#name(), this.value()];
    if (this.#next() === objectEnd) return this.#past(this.#attributeOf(name, value));
    const found = withoutClass(name, value);
    while (this.#follows(objectEnd)) found[this.#name()] = this.value();
    return found;
  }

  #attributeOf(type: string, value: unknown): object {
    switch (type) {
      case 'S':
        return { S: value };
      case 'N':
        return { N: value };
      case 'SS':
        return { SS: value };
      case 'B':
        return { B: typeof value === 'string' ? this.#bytesOf(value) : value };
      case 'BS':
        return { BS: Array.isArray(value) ? value.map((one: string) => this.#bytesOf(one)) : value };
      default:
        return withoutClass(type, value);
    }
  }

  #bytesOf(text: string): Buffer {
    if (this.#bytes.text !== text) this.#bytes = { text, value: Buffer.from(text, 'base64') };
    return this.#bytes.value;
  }

  #list(): unknown[] {
    this.#at++;
    if (this.#next() === listEnd) return this.#past([]);
    const found = [this.value()];
    while (this.#follows(listEnd)) found.push(this.value());
    return found;
  }

  #name(): string {
    if (this.#next() !== quote) throw this.#broken();
    const name = this.#string();
    if (this.#next() !== colon) throw this.#broken();
    return this.#past(name);
  }

  /** A text value, copied to separate memory. */
  #value(): string {
    const start = this.#at + 1;
    const end = this.#text.indexOf('"', start);
    if (end < 0 || end > this.#escape || end - start > longestRetained) return ownString(this.#string());
    this.#at = end + 1;
    const last = this.#values[end - start];
    if (last !== undefined && this.#text.startsWith(last, start)) return last;
    const value = ownString(this.#text.slice(start, end));
    this.#values[end - start] = value;
    return value;
  }

  #string(): string {
    const start = this.#at + 1;
    let end = this.#text.indexOf('"', start);
    if (end >= 0 && end < this.#escape) {
      this.#at = end + 1;
      return this.#text.slice(start, end);
    }
    while (end >= 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) throw this.#broken();
    this.#at = end + 1;
    this.#escape = backslashIn(this.#text, this.#at);
    return JSON.parse(this.#text.slice(start - 1, this.#at)) as string;
  }

  #literal(): unknown {
    const start = this.#at;
    while (isInLiteral(this.#text.charCodeAt(this.#at))) this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at));
  }

  /** Whether there is another after a comma, or the end, which is read over. */
  #follows(end: number): boolean {
    const code = this.#next();
    if (code !== comma && code !== end) throw this.#broken();
    return this.#past(code === comma);
  }

  /** The character after spaces; NaN at the end of the text. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= space) code = this.#text.charCodeAt(++this.#at);
    return code;
  }

  #past<T>(read: T): T {
    this.#at++;
    return read;
  }

  #broken(): SyntaxError {
    return new SyntaxError(`the answer of the store is no JSON at character ${this.#at}`);
  }
}

/** Some details of edges are as long. */
const longestRetained = 512;

const noBytes: { readonly text: string; readonly value: Buffer } = { text: '', value: Buffer.alloc(0) };

/** An object of one member, whose names V8 looks up in a table from the first. */
function withoutClass(name: string, value: unknown): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  object[name] = value;
  return object;
}

/** A part of a text keeps the whole of it in memory, and what is read may be remembered for long. */
const ownString = (part: string): string => ` ${part}`.slice(1);

const isInLiteral = (code: number): boolean => code > space && code !== comma && code !== listEnd && code !== objectEnd;

function backslashIn(text: string, from: number): number {
  const place = text.indexOf('\\', from);
  return place < 0 ? text.length : place;
}

function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return (at - start) % 2 === 1;
}
