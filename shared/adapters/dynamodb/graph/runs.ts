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
import { batchedInserts } from '../requests/batched-changes.ts';
import { batchedItems, type Item } from '../requests/items.ts';
import { pack, packedBytes, partsOf, putParts, readParts, unpack } from '../requests/parts.ts';
import { beginningWith, queryAll } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, type Requirement, type UpdateExpression, updateItem } from '../requests/update-item.ts';
import { timeValue } from './codec.ts';

type RunRef = { readonly graph: GraphId; readonly job: ScopeId; readonly runId: string };

/** A run's item is written whole with each event, and holds 400 KB: what is longer is stored in its own items. */
const maxInlineContentBytes = 3_000;
/** Seconds that a content outlives its run by: it need not be renewed with each event of a run that goes on for months. */
const contentGraceSeconds = 60 * 86_400;

/** Packed contents by their digests: the runs of a job say the same again and again. */
type Packs = LRUCache<string, AttributeValue>;
const newPacks = (): Packs => lruCache(2_000);

const keyOf =
  ({ graph, ...run }: RunRef, digest: string) =>
  (part: number) =>
    runContentKey(graph, run, digest, part);

/** A run's content, or the number and expiry of its parts: separate items if it is long or the run's item is full. */
async function storedContent(
  table: Table,
  ref: RunRef,
  { digest, content }: { readonly digest: string; readonly content: unknown },
  { expiresAt, isFull, packs }: { readonly expiresAt: number; readonly isFull: boolean; readonly packs: Packs },
): Promise<AttributeValue> {
  const packed = packs.get(digest) ?? pack(content);
  const isLong = (packed.B?.length ?? 0) > maxInlineContentBytes;
  if (!isLong) packs.set(digest, packed);
  if (!isFull && !isLong) return packed;
  const bytes = packed.B ?? packedBytes(content);
  await putParts(table, bytes, keyOf(ref, digest), expiresAt + contentGraceSeconds);
  return pointer(partsOf(bytes), expiresAt + contentGraceSeconds);
}

const pointer = (parts: number, expiresAt: number): AttributeValue => ({
  L: [{ N: String(parts) }, { N: String(expiresAt) }],
});

async function readContent(
  table: Table,
  ref: RunRef,
  digest: string,
  stored: AttributeValue | undefined,
): Promise<unknown> {
  if (!stored?.L) return unpack(stored);
  const bytes = await readParts(table, Number(stored.L[0]?.N), keyOf(ref, digest));
  return bytes && unpack({ B: bytes });
}

/** Keeps what is stored outside of a run's item for longer, if the run has come to outlive it. */
async function renewContents(table: Table, ref: RunRef, run: Item, expiresAt: number): Promise<void> {
  for (const name in run) {
    const [parts, expires] = run[name]?.L ?? [];
    if (!name.startsWith('e') || Number(expires?.N) >= expiresAt) continue;
    const digest = name.slice(1);
    const bytes = await readParts(table, Number(parts?.N), keyOf(ref, digest));
    if (!bytes) continue;
    await putParts(table, bytes, keyOf(ref, digest), expiresAt + contentGraceSeconds);
    const set = { [name]: pointer(partsOf(bytes), expiresAt + contentGraceSeconds) };
    await updateItem(table, runKey(ref.graph, ref.job, ref.runId), changing({ set }));
  }
}

/** The contents of a run's events, each once under its digest, with the registers of its first and last time. */
const attribute = {
  content: (digest: string) => `e${digest}`,
  first: (digest: string) => `f${digest}`,
  last: (digest: string) => `l${digest}`,
} as const;

/** An expression holds 4 KB, and the events of a batch may all be of one run. */
const contentsPerUpdate = 40;

export function runStore(table: Table): RunStore {
  const [itemOf, packs, insert] = [batchedItems(table), newPacks(), batchedInserts(table)];
  return {
    add: async (graph, job, { runId, records, isBegun, expiresAt }) => {
      const run = { graph, job, runId };
      const isNew = isBegun && records.size <= contentsPerUpdate;
      if (isNew && (await insert(await newItem({ table, packs }, run, records, expiresAt))))
        return { records, repeated: false };
      const { item, repeated } = await addRecords({ table, packs }, run, records, expiresAt);
      await renewContents(table, run, item, expiresAt);
      return { records: await recordsOf(table, run, item, records), repeated };
    },
    read: async (graph, job, runId, known) => {
      const item = await itemOf(runKey(graph, job, runId));
      return recordsOf(table, { graph, job, runId }, item ?? {}, known);
    },
    otherRuns: (graph, job, runId) => otherRuns(table, { graph, job, runId }),
  };
}

type Writer = { readonly table: Table; readonly packs: Packs };

async function newItem({ table, packs }: Writer, run: RunRef, records: RunRecords, expiresAt: number) {
  const stored = await inParallel(
    8,
    [...records],
    async ([digest, { content, first, last }]) =>
      [
        [
          attribute.content(digest),
          await storedContent(table, run, { digest, content }, { expiresAt, isFull: false, packs }),
        ],
        [attribute.first(digest), timeValue(first)],
        [attribute.last(digest), timeValue(last)],
      ] as const,
  );
  const attributes = { ttl: { N: String(expiresAt) }, ...Object.fromEntries<AttributeValue>(stored.flat()) };
  return { key: runKey(run.graph, run.job, run.runId), attributes };
}

async function addRecords(
  { table, packs }: Writer,
  run: RunRef,
  records: RunRecords,
  expiresAt: number,
): Promise<{ readonly item: Item; readonly repeated: boolean }> {
  const key = runKey(run.graph, run.job, run.runId);
  let item: Item = {};
  let [repeated, isFull] = [false, false];
  for (let due = dueOf(item, records); due.length > 0; due = dueOf(item, records)) {
    const expression = await addition(table, run, due, { expiresAt, isFull, packs });
    const answer = await updateItem(table, key, expression).catch((error) => {
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

async function addition(
  table: Table,
  ref: RunRef,
  due: readonly Due[],
  run: { readonly expiresAt: number; readonly isFull: boolean; readonly packs: Packs },
): Promise<UpdateExpression> {
  const set: Item = { ttl: { N: String(run.expiresAt) } };
  const where: Requirement[] = [];
  for (const { digest, part, content, first: start, last: ended } of due) {
    const first = { name: attribute.first(digest), value: timeValue(start) };
    const last = { name: attribute.last(digest), value: timeValue(ended) };
    if (part !== 'last') set[first.name] = first.value;
    if (part !== 'first') set[last.name] = last.value;
    if (part === 'content') {
      set[attribute.content(digest)] = await storedContent(table, ref, { digest, content }, run);
      where.push({ name: last.name, is: 'missing' });
    } else where.push(part === 'first' ? { ...first, is: '>' } : { ...last, is: '<' });
  }
  return { ...changing({ set, where }), ReturnValues: 'ALL_NEW' };
}

/** The records of an item; contents that the caller has need not be read back. */
async function recordsOf(table: Table, run: RunRef, item: Item, records: RunRecords = new Map()): Promise<RunRecords> {
  const names = Object.keys(item).filter((name) => name.startsWith('e'));
  const known = await inParallel(8, names, async (name): Promise<[string, RunRecord][]> => {
    const digest = name.slice(1);
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (first === undefined || last === undefined) return [];
    const content =
      records.get(digest)?.content ?? ((await readContent(table, run, digest, item[name])) as Contribution);
    // Null: it expired with its run.
    return content === null ? [] : [[digest, { content, first: time(first), last: time(last) }]];
  });
  return new Map(known.flat());
}

const time = (text: string): Micros => micros(BigInt(text));

/** Runs of a job but one, as they are requested: a job of 100 days may have thousands. */
async function* otherRuns(table: Table, { graph, job, runId }: RunRef): AsyncGenerator<StoredRun> {
  const prefix = runKey(graph, job, '');
  for await (const item of queryAll(table, { ...beginningWith(prefix), ConsistentRead: true })) {
    const other = item['sk']?.S?.slice(prefix.sk.length) ?? '';
    if (other === runId) continue;
    yield { runId: other, records: await recordsOf(table, { graph, job, runId: other }, item) };
  }
}
