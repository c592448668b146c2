import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { placeOfName } from '../../shared/contract/field-errors.ts';
import { limits } from '../../shared/contract/limits.ts';
import { LineageDeliveryReceipt } from '../../shared/contract/lineage.ts';
import { unownedNamespace } from '../../shared/contract/unresolved-reasons.ts';
import { isJsonObject, noJson, readJsonText } from '../../shared/domain/base/json/read-json.ts';
import { claimCommand } from '../../shared/domain/lineage/names/claim-command.ts';
import { jsonOf, readBytes } from '../files.ts';
import { type ExitCode, exitCodes, type Outcome, UsageError } from '../outcome.ts';
import type { Session } from '../session.ts';
import { counted, printable, type Terminal } from '../terminal/terminal.ts';
import { describeDelivery, settledDelivery } from './describe-delivery.ts';
import { adviceOn, exitCodeOf, upload } from './push-document.ts';

export type OpenLineageOptions = { readonly wait: boolean; readonly key?: string; readonly providerKey?: string };

export async function pushOpenLineage(
  session: Session,
  files: readonly string[],
  options: OpenLineageOptions,
): Promise<Outcome> {
  const workspace = await session.workspace();
  const all = files.flatMap((file) => eventsOf(session.terminal, file));
  const events = all.filter(isSendable);
  const notSent = adviceOnSize(all);
  const batches = batchesOf(events.map(({ text }) => text));
  const receipts: LineageDeliveryReceipt[] = [];
  for (const [index, batch] of batches.entries()) {
    session.progress.say(`sending batch ${index + 1} of ${batches.length}`);
    receipts.push(v.parse(LineageDeliveryReceipt, await send(session, batch, options, index)));
  }
  const items = events.length;
  const repeats = receipts.filter(({ duplicate }) => duplicate).length;
  const known =
    repeats === 0
      ? []
      : [
          `Already sent: ${counted(repeats, 'delivery', 'deliveries')} of ${receipts.length}. Nothing was added to them.`,
        ];
  const settled: LineageDelivery[] = [];
  if (options.wait) for (const { delivery_id } of receipts) settled.push(await settledDelivery(session, delivery_id));
  const deliveries: readonly (LineageDelivery | LineageDeliveryReceipt)[] = options.wait ? settled : receipts;
  const quarantined = deliveries.reduce((sum, { invalid_item_count }) => sum + invalid_item_count, 0);
  const acceptance = `${counted(items, 'event')} accepted in ${counted(receipts.length, 'delivery', 'deliveries')}.`;
  const isWanting = notSent.length > 0 || (options.wait && settled.every(cameToNothing));
  return {
    json: { deliveries, items, quarantined, not_sent: all.length - items },
    text: () => [...known, ...(options.wait ? settled.flatMap(describeDelivery) : [acceptance])].join('\n'),
    warnings: [...notSent, ...settled.flatMap(adviceOn), ...adviceOnUnowned(workspace.name, settled)],
    exitCode: isWanting ? worstOf(exitCodeOf(settled)) : exitCodeOf(settled),
  };
}

/** A batch holds at least one event, in brackets. */
const isSendable = ({ text }: FileEvent): boolean => Buffer.byteLength(text) + 2 <= limits.openlineage.bodyBytes;

/** Warnings about events that are too large for any request: their places and sizes, and which events were sent. */
function adviceOnSize(all: readonly FileEvent[]): string[] {
  const tooLarge = all.filter((event) => !isSendable(event));
  if (tooLarge.length === 0) return [];
  const sent = all.filter(isSendable);
  const size = ({ text }: FileEvent) => Buffer.byteLength(text);
  return [
    ...tooLarge.map((event) =>
      printable(`${event.file}, ${event.unit} ${event.number}: not sent. The event has ${size(event)} bytes.`),
    ),
    `An event may have ${limits.openlineage.bodyBytes - 2} bytes. Spark leaves its largest facet out by the setting spark.openlineage.facets.spark.logicalPlan.disabled=true.`,
    printable(`Sent: ${sent.length === 0 ? 'none' : placesOf(sent).join('; ')}.`),
  ];
}

/** The places of events in each file, adjacent ones as a range: `a.ndjson, lines 1-3, 5`. */
function placesOf(events: readonly FileEvent[]): string[] {
  return [...Map.groupBy(events, ({ file }) => file)].map(([file, ofFile]) => {
    const ranges: { first: number; last: number }[] = [];
    for (const { number } of ofFile) {
      const open = ranges.at(-1);
      if (open && open.last === number - 1) open.last = number;
      else ranges.push({ first: number, last: number });
    }
    const [{ unit } = { unit: 'event' }] = ofFile;
    const numbers = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
    return `${file}, ${unit}${ofFile.length > 1 ? 's' : ''} ${numbers.join(', ')}`;
  });
}

/** Nothing that a connector could be asked about: every event quarantined or ignored, or only unowned namespaces. */
function cameToNothing({ item_count, invalid_item_count, ignored, only_unowned }: LineageDelivery): boolean {
  const withoutEffect = ignored.reduce((sum, { count }) => sum + count, invalid_item_count);
  return only_unowned || withoutEffect >= item_count;
}

const worstOf = (code: ExitCode): ExitCode => (code === exitCodes.done ? exitCodes.wanting : code);

function adviceOnUnowned(workspace: string, deliveries: readonly LineageDelivery[]): string[] {
  const unowned = deliveries.flatMap(({ unresolved }) =>
    unresolved.filter(({ reason }) => reason === unownedNamespace).flatMap(({ assets }) => assets),
  );
  const namespaces = [...new Set(unowned)];
  if (namespaces.length === 0) return [];
  return [
    `No connector owns ${namespaces.map(printable).join(', ')}: no relation in ${namespaces.length === 1 ? 'it' : 'them'} is part of a connector's lineage.`,
    `Claim them, then push again: ${printable(claimCommand(workspace, namespaces))}`,
  ];
}

async function send(
  session: Session,
  batch: readonly string[],
  options: OpenLineageOptions,
  index: number,
): Promise<unknown> {
  // Each batch of a key that was given has its own key; without one, equal content is recognised.
  const key = options.key === undefined ? undefined : `${options.key}:${index + 1}`;
  const binding = { connector_id: (await session.namedConnector())?.id, provider_key: options.providerKey };
  const bytes = Buffer.from(`[${batch.join(',')}]`);
  const kind = 'openlineage_batch';
  if (bytes.length > limits.inlineBytes)
    return upload(session, { kind, idempotency_key: key, bytes, encoding: null, binding });
  const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
  return session.ask(routes.postOpenLineageBatch, { query: binding, bytes, headers });
}

/** An event as its JSON text, and its place in its file. */
export type FileEvent = {
  readonly file: string;
  readonly unit: 'line' | 'event';
  readonly number: number;
  readonly text: string;
};

/** The events of a file: one event, an array, `{ "events": [...] }`, or an event a line. */
export function eventsOf(terminal: Terminal, file: string): readonly FileEvent[] {
  const bytes = readBytes(terminal, file);
  const text = bytes.toString('utf8');
  const lines = text
    .split('\n')
    .map((line, index): FileEvent => ({ file, unit: 'line', number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
  // If the first line is not a whole object, the file is one document over several lines.
  const first = lines.length > 1 && lines[0]?.text.startsWith('{') ? readJsonText(lines[0].text) : noJson;
  if (first !== noJson) {
    for (const [index, line] of lines.entries())
      jsonIn(index === 0 ? first : readJsonText(line.text), `${file}, line ${line.number},`);
    return lines;
  }
  const read = readJsonText(text);
  const content = read === noJson ? jsonOf(bytes, file) : jsonIn(read, file);
  const events = eventsIn(content);
  if (events.length === 0) throw new UsageError(`${file} holds no OpenLineage event.`);
  return events.map((event, index) => ({
    file,
    unit: 'event',
    number: index + 1,
    text: JSON.stringify(event),
  }));
}

function eventsIn(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  if (!isJsonObject(content)) return [];
  const { events } = content;
  return Array.isArray(events) ? events.map(withoutNulls) : [content];
}

/** Marquez lists events with null for the inputs or outputs that they did not have. */
const withoutNulls = (event: unknown): unknown =>
  isJsonObject(event) ? Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)) : event;

type Read = ReturnType<typeof readJsonText>;

/** `JSON.parse` keeps the last of two values under one key. The service refuses both. */
function jsonIn(read: Read, place: string): unknown {
  if (read.ok) return read.value;
  const what = read.namedTwice === null ? 'is not JSON' : `names ${placeOfName(read.namedTwice)} twice`;
  throw new UsageError(`${place} ${what}: nothing is sent.`);
}

function batchesOf(events: readonly string[]): readonly (readonly string[])[] {
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
