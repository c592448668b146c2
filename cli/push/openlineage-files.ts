import { placeOfName } from '../../shared/contract/field-errors.ts';
import { limits } from '../../shared/contract/limits.ts';
import { readJsonText } from '../../shared/domain/json/read-json.ts';
import { UsageError } from '../command-error.ts';
import { jsonOf, readBytes } from '../files.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Events of a file, each as its JSON text: one event, an array, `{ "events": [...] }`, or an event a line. */
export function eventsOf(terminal: Terminal, file: string): readonly string[] {
  const bytes = readBytes(terminal, file);
  const lines = linesOf(bytes);
  if (lines.length > 1 && isObject(lines[0]?.text ?? '')) return lines.map((line) => checked(line, file));
  const content = contentOf(bytes, file);
  if (Array.isArray(content)) return content.map((event) => JSON.stringify(event));
  if (typeof content !== 'object' || content === null) throw new UsageError(`${file} holds no OpenLineage event.`);
  if ('events' in content && Array.isArray(content.events)) return content.events.map((one) => JSON.stringify(one));
  return [JSON.stringify(content)];
}

type Line = { readonly text: string; readonly number: number };

function linesOf(bytes: Buffer): readonly Line[] {
  const lines = bytes.toString('utf8').split('\n');
  return lines.map((text, index) => ({ text: text.trim(), number: index + 1 })).filter(({ text }) => text !== '');
}

function isObject(text: string): boolean {
  try {
    return text.startsWith('{') && typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function checked({ text, number }: Line, file: string): string {
  const read = readJsonText(text);
  if (read.ok) return text;
  const place = `${file}, line ${number},`;
  throw read.namedTwice === null
    ? new UsageError(`${place} is not JSON: nothing is sent.`)
    : namedTwice(place, read.namedTwice);
}

function contentOf(bytes: Buffer, file: string): unknown {
  const read = readJsonText(bytes.toString('utf8'));
  if (!read.ok && read.namedTwice !== null) throw namedTwice(file, read.namedTwice);
  return read.ok ? read.value : jsonOf(bytes, file);
}

/** `JSON.parse` keeps the last of two values under one key, where the service refuses both. */
const namedTwice = (place: string, path: readonly (string | number)[]): UsageError =>
  new UsageError(`${place} names ${placeOfName(path)} twice: nothing is sent.`);

/** Events in the order given, as bodies that one request takes: an array of at most 1,000 each. */
export function batchesOf(events: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const length = Buffer.byteLength(event) + 1;
    const last = batches.at(-1);
    if (last && last.length < limits.openlineage.batch.max && bytes + length <= limits.inlineBytes) last.push(event);
    else batches.push([event]);
    bytes = last === batches.at(-1) ? bytes + length : length + 1;
  }
  return batches;
}
