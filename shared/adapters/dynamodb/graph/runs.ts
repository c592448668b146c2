import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../../domain/base/caching.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { GraphId, ScopeId } from '../../../domain/lineage/graph/node.ts';
import { type Micros, micros } from '../../../domain/lineage/graph/order.ts';
import type { Contribution } from '../../../domain/lineage/sources/openlineage/contribution.ts';
import type {
  RunRecord,
  RunRecords,
  RunStore,
  StoredRun,
} from '../../../domain/lineage/sources/openlineage/run-store.ts';
import { runContentKey, runKey } from '../keys/graph-keys.ts';
import type { Key } from '../keys/registry-keys.ts';
import { batchedInserts } from '../requests/batched-changes.ts';
import { batchedItems, type Item } from '../requests/items.ts';
import { pack, packedBytes, partsOf, putParts, readParts, unpack } from '../requests/parts.ts';
import { beginningWith, queryAll } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, type Requirement, updateItem } from '../requests/update-item.ts';
import { timeValue } from './codec.ts';

type RunRef = { readonly table: Table; readonly graph: GraphId; readonly job: ScopeId; readonly runId: string };

/** A run that is added to. */
type Run = RunRef & {
  readonly key: Key;
  readonly expiresAt: number;
  readonly parentRun?: StoredRun['parentRun'];
  /** Packed contents by their digests: the runs of a job say the same again and again. */
  readonly packs: LRUCache<string, AttributeValue>;
};

/** A run's item is written whole with each event, and holds 400 KB: what is longer is stored in its own items. */
const maxInlineContentBytes = 3_000;
/** Seconds that a content outlives its run by: it need not be renewed with each event of a run that goes on for months. */
const contentGraceSeconds = 60 * 86_400;

const partKeyOf =
  ({ graph, ...run }: RunRef, digest: string) =>
  (part: number) =>
    runContentKey(graph, run, digest, part);

/** A run's content, or the number and expiry of its parts: separate items if it is long or the run's item is full. */
async function storedContent(run: Run, digest: string, content: unknown, isFull: boolean): Promise<AttributeValue> {
  const packed = run.packs.get(digest) ?? pack(content);
  const isLong = (packed.B?.length ?? 0) > maxInlineContentBytes;
  if (!isLong) run.packs.set(digest, packed);
  return isFull || isLong ? storedParts(run, digest, packed.B ?? packedBytes(content)) : packed;
}

async function storedParts(run: Run, digest: string, bytes: Uint8Array): Promise<AttributeValue> {
  const expiresAt = run.expiresAt + contentGraceSeconds;
  await putParts(run.table, bytes, partKeyOf(run, digest), expiresAt);
  return { L: [{ N: String(partsOf(bytes)) }, { N: String(expiresAt) }] };
}

const readStoredParts = (run: RunRef, digest: string, [parts]: readonly AttributeValue[]) =>
  readParts(run.table, Number(parts?.N), partKeyOf(run, digest));

async function readContent(run: RunRef, digest: string, stored: AttributeValue | undefined): Promise<unknown> {
  if (!stored?.L) return unpack(stored);
  const bytes = await readStoredParts(run, digest, stored.L);
  return bytes && unpack({ B: bytes });
}

/** Keeps what is stored outside of a run's item for longer, if the run has come to outlive it. */
async function renewContents(run: Run, item: Item): Promise<void> {
  for (const [name, { L: stored }] of Object.entries(item)) {
    if (!name.startsWith('e') || !stored || Number(stored[1]?.N) >= run.expiresAt) continue;
    const digest = name.slice(1);
    const bytes = await readStoredParts(run, digest, stored);
    if (!bytes) continue;
    await updateItem(run.table, run.key, changing({ set: { [name]: await storedParts(run, digest, bytes) } }));
  }
}

/** The contents of a run's events, each once under its digest, with the registers of its first and last time. */
const attribute = {
  content: (digest: string) => `e${digest}`,
  first: (digest: string) => `f${digest}`,
  last: (digest: string) => `l${digest}`,
  parentRun: 'p',
} as const;

/** An expression holds 4 KB, and the events of a batch may all be of one run. */
const contentsPerUpdate = 40;

export function runStore(table: Table): RunStore {
  const [itemOf, insert] = [batchedItems(table), batchedInserts(table)];
  const packs = lruCache<string, AttributeValue>(2_000);
  return {
    add: async (graph, job, { runId, records, isBegun, ...rest }) => {
      const run: Run = { table, graph, job, runId, key: runKey(graph, job, runId), ...rest, packs };
      if (isBegun && records.size <= contentsPerUpdate) {
        const attributes = await valuesOf(run, dueOf({}, records), false);
        if (await insert({ key: run.key, attributes })) return { ...rest, records, repeated: false };
      }
      const { item, repeated } = await addRecords(run, records);
      await renewContents(run, item);
      return { parentRun: parentOf(item), records: await recordsOf(run, item, records), repeated };
    },
    read: async (graph, job, runId, known) => {
      const item = await itemOf(runKey(graph, job, runId));
      return recordsOf({ table, graph, job, runId }, item ?? {}, known);
    },
    ...runReader(table),
  };
}

export const runReader = (table: Table): Pick<RunStore, 'otherRuns'> => ({
  otherRuns: (graph, job, runId) => otherRuns({ table, graph, job, runId }),
});

async function addRecords(run: Run, records: RunRecords): Promise<{ readonly item: Item; readonly repeated: boolean }> {
  let item: Item = {};
  let [repeated, isFull] = [false, false];
  for (let due = dueOf(item, records); due.length > 0; due = dueOf(item, records)) {
    const change = changing({ set: await valuesOf(run, due, isFull), where: due.map(requirementOf) });
    const answer = await updateItem(run.table, run.key, { ...change, ReturnValues: 'ALL_NEW' }).catch((error) => {
      if (isFull || !isTooLarge(error)) throw error;
      return null;
    });
    isFull ||= answer === null;
    if (answer === null) continue;
    // Refused: some register already spans its time; what is still due follows from the item that refused.
    if (answer.refused !== null) repeated = true;
    item = answer.refused ?? answer.item ?? {};
  }
  return { item, repeated };
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationException' && /item size/i.test(error.message);

type Due = RunRecord & { readonly digest: string; readonly part: 'content' | 'first' | 'last' };

function dueOf(item: Item, records: RunRecords): Due[] {
  const due = [...records].flatMap(([digest, one]): Due[] => {
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (first === undefined || last === undefined) return [{ ...one, digest, part: 'content' }];
    return [
      ...(BigInt(first) > BigInt(one.first) ? [{ ...one, digest, part: 'first' as const }] : []),
      ...(BigInt(last) < BigInt(one.last) ? [{ ...one, digest, part: 'last' as const }] : []),
    ];
  });
  return due.slice(0, contentsPerUpdate);
}

async function valuesOf(run: Run, due: readonly Due[], isFull: boolean): Promise<Item> {
  const set: Item = { ttl: { N: String(run.expiresAt) } };
  if (run.parentRun) set[attribute.parentRun] = { S: run.parentRun };
  for (const { digest, part, content, first, last } of due) {
    if (part !== 'last') set[attribute.first(digest)] = timeValue(first);
    if (part !== 'first') set[attribute.last(digest)] = timeValue(last);
    if (part === 'content') set[attribute.content(digest)] = await storedContent(run, digest, content, isFull);
  }
  return set;
}

function requirementOf({ digest, part, first, last }: Due): Requirement {
  if (part === 'content') return { name: attribute.last(digest), is: 'missing' };
  if (part === 'first') return { name: attribute.first(digest), is: '>', value: timeValue(first) };
  return { name: attribute.last(digest), is: '<', value: timeValue(last) };
}

/** The records of an item; contents that the caller has need not be read back. */
async function recordsOf(run: RunRef, item: Item, records: RunRecords = new Map()): Promise<RunRecords> {
  const names = Object.keys(item).filter((name) => name.startsWith('e'));
  const known = await inParallel(8, names, async (name): Promise<[string, RunRecord][]> => {
    const digest = name.slice(1);
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (first === undefined || last === undefined) return [];
    const content = records.get(digest)?.content ?? ((await readContent(run, digest, item[name])) as Contribution);
    // Null: it expired with its run.
    return content === null ? [] : [[digest, { content, first: time(first), last: time(last) }]];
  });
  return new Map(known.flat());
}

const parentOf = (item: Item) => item[attribute.parentRun]?.S as StoredRun['parentRun'];

const time = (text: string): Micros => micros(BigInt(text));

/** Runs of a job but one, as they are requested: a job of 100 days may have thousands. */
async function* otherRuns({ table, graph, job, runId }: RunRef): AsyncGenerator<StoredRun> {
  const prefix = runKey(graph, job, '');
  for await (const item of queryAll(table, { ...beginningWith(prefix), ConsistentRead: true })) {
    const other = item['sk']?.S?.slice(prefix.sk.length) ?? '';
    if (other === runId) continue;
    const records = await recordsOf({ table, graph, job, runId: other }, item);
    yield { runId: other, parentRun: parentOf(item), records };
  }
}
