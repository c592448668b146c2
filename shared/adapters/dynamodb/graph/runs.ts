import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ScopeId } from '../../../domain/graph/ids.ts';
import { type Micros, micros } from '../../../domain/graph/order.ts';
import type { Heard, KnownRun, RunRecord, RunStore } from '../../../domain/graph/runs.ts';
import { inParallel } from '../../../domain/in-parallel.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { runKey } from '../keys.ts';
import { queryAll } from '../query-all.ts';
import type { Meter, Table } from '../table.ts';
import { type Expression, updateItem } from '../update-item.ts';
import { type ContentPlace, readContent, renewContents, storedContent } from './run-contents.ts';

/** What a run's events said, each content once under its digest, with the registers of its first and last time. */
const attribute = {
  content: (digest: string) => `e${digest}`,
  first: (digest: string) => `f${digest}`,
  last: (digest: string) => `l${digest}`,
} as const;

/** An expression holds 4 KB, and the events of a batch may all be of one run. */
const partsAnUpdate = 40;

type Target = { readonly table: Table; readonly meter?: Meter | undefined };

/** Runs over the table: one item a run, and long contents beside it. */
export function runStore<Content>(table: Table, meter?: Meter): RunStore<Content> {
  const target = { table, meter };
  return {
    add: async (workspace, job, { runId, heard, expiresAt }) => {
      const place = { workspace, job, runId };
      const { item, repeated } = await addHeard(target, place, heard, expiresAt);
      await renewContents(target, place, item, expiresAt);
      return { record: await recordOf(target, place, item, heard), repeated };
    },
    read: async (workspace, job, runId) => {
      const options = { consistent: true, ...(meter && { meter }) };
      const [item] = await batchGet(table, [runKey(workspace, job, runId)], options);
      return recordOf(target, { workspace, job, runId }, item ?? {});
    },
    others: (workspace, job, runId) => otherRuns(target, workspace, job, runId),
  };
}

async function addHeard<Content>(
  target: Target,
  place: ContentPlace,
  heard: RunRecord<Content>,
  expiresAt: number,
): Promise<{ readonly item: Item; readonly repeated: boolean }> {
  const key = runKey(place.workspace, place.job, place.runId);
  let item: Item = {};
  let [repeated, isFull] = [false, false];
  for (let due = dueOf(item, heard); due.length > 0; due = dueOf(item, heard)) {
    const expression = await addition(target, place, due, { expiresAt, isFull });
    const answer = await updateItem(target, key, expression).catch((error) => {
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

type Due<Content> = Heard<Content> & { readonly digest: string; readonly part: 'content' | 'first' | 'last' };

function dueOf<Content>(item: Item, heard: RunRecord<Content>): Due<Content>[] {
  const due = [...heard].flatMap(([digest, one]): Due<Content>[] => {
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (first === undefined || last === undefined) return [{ ...one, digest, part: 'content' }];
    return [
      ...(BigInt(first) > BigInt(one.first) ? [{ ...one, digest, part: 'first' as const }] : []),
      ...(BigInt(last) < BigInt(one.last) ? [{ ...one, digest, part: 'last' as const }] : []),
    ];
  });
  return due.slice(0, partsAnUpdate);
}

async function addition<Content>(
  target: Target,
  place: ContentPlace,
  due: readonly Due<Content>[],
  run: { readonly expiresAt: number; readonly isFull: boolean },
): Promise<Expression> {
  const names: Record<string, string> = { '#ttl': 'ttl' };
  const values: Record<string, AttributeValue> = { ':ttl': { N: String(run.expiresAt) } };
  const sets = ['#ttl = :ttl'];
  const conditions: string[] = [];
  for (const [i, { digest, part, content, first, last }] of due.entries()) {
    if (part !== 'last') {
      names[`#f${i}`] = attribute.first(digest);
      values[`:f${i}`] = { N: BigInt(first).toString() };
      sets.push(`#f${i} = :f${i}`);
    }
    if (part !== 'first') {
      names[`#l${i}`] = attribute.last(digest);
      values[`:l${i}`] = { N: BigInt(last).toString() };
      sets.push(`#l${i} = :l${i}`);
    }
    if (part === 'content') {
      names[`#e${i}`] = attribute.content(digest);
      values[`:e${i}`] = await storedContent(target, place, digest, content, run);
      sets.push(`#e${i} = :e${i}`);
      conditions.push(`attribute_not_exists(#l${i})`);
    } else conditions.push(part === 'first' ? `#f${i} > :f${i}` : `#l${i} < :l${i}`);
  }
  return {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW',
  };
}

/** What an item says; contents that the caller has just heard need not be read back. */
async function recordOf<Content>(
  target: Target,
  place: ContentPlace,
  item: Item,
  heard: RunRecord<Content> = new Map(),
): Promise<RunRecord<Content>> {
  const names = Object.keys(item).filter((name) => name.startsWith('e'));
  const known = await inParallel(8, names, async (name): Promise<[string, Heard<Content>][]> => {
    const digest = name.slice(1);
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (first === undefined || last === undefined) return [];
    const content = heard.get(digest)?.content ?? ((await readContent(target, place, digest, item[name])) as Content);
    // Null: it expired with its run.
    return content === null ? [] : [[digest, { content, first: time(first), last: time(last) }]];
  });
  return new Map(known.flat());
}

const time = (text: string): Micros => micros(BigInt(text));

async function otherRuns<Content>(
  target: Target,
  workspace: WorkspaceId,
  job: ScopeId,
  runId: string,
): Promise<KnownRun<Content>[]> {
  const prefix = runKey(workspace, job, '');
  const found: KnownRun<Content>[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :runs)',
    ExpressionAttributeValues: { ':pk': { S: prefix.pk }, ':runs': { S: prefix.sk } },
    ConsistentRead: true,
  };
  for await (const item of queryAll(target.table, query)) {
    const other = item['sk']?.S?.slice(prefix.sk.length) ?? '';
    if (other === runId) continue;
    found.push({ runId: other, record: await recordOf(target, { workspace, job, runId: other }, item) });
  }
  return found;
}
