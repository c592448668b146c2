import { BatchGetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { DayOfEvents, EventCount, ReadEventCounts } from '../../../domain/events/event-counts.ts';
import type { EventLedger } from '../../../domain/events/store/store-batches.ts';
import {
  eventClaimKey,
  eventCountKey,
  eventSendersKey,
  eventViolationsKey,
  storeRunKey,
} from '../keys/registry-keys.ts';
import { attributes, type Item, ifAbsent, putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { retryRefused } from '../requests/transact.ts';
import { changing } from '../requests/update-item.ts';
import { addSenders, readSenders } from './senders.ts';

/** `c`: the 16 bytes of the batch's id, and those of the run's. */
const ClaimItem = v.object({ c: v.instance(Uint8Array) });
const RunItem = v.object({ outcome: v.picklist(['committed', 'abandoned']) });

/** The ledger of event ids, which are kept for this many days: each claim is one conditional write of one unit. */
export function eventLedger(table: Table, retentionDays: number): EventLedger {
  const ttl = () => Math.ceil(Date.now() / 1_000) + retentionDays * 86_400;
  return {
    claim: async (key, { batchId, runId }) => {
      const claim = marshall({ ...claimKey(key), c: packed(batchId, runId), ttl: ttl() });
      return claimOf(await putItem(table, claim, ifAbsent));
    },
    moveClaim: async (key, from, runId) => {
      const moved = marshall({ ...claimKey(key), c: packed(from.batchId, runId), ttl: ttl() });
      const asKnown = {
        ConditionExpression: 'c = :c',
        ExpressionAttributeValues: marshall({ ':c': packed(from.batchId, from.runId) }),
      };
      return claimOf(await putItem(table, moved, asKnown));
    },
    settleRun: async (runId, outcome) => {
      // The rows of a whole run wait for it: unlike a claim it is not left to another run.
      const run = marshall({ ...storeRunKey(runId), outcome, ttl: ttl() });
      const existing = await retryRefused(() => putItem(table, run, ifAbsent));
      return existing ? v.parse(RunItem, unmarshall(existing)).outcome : outcome;
    },
  };
}

const claimKey = ({ workspace_id, project_id, environment, id }: Parameters<EventLedger['claim']>[0]) =>
  eventClaimKey(workspace_id, project_id, environment, id);

function claimOf(item: Item | null) {
  if (item === null) return null;
  const { c } = v.parse(ClaimItem, unmarshall(item));
  return { batchId: uuidOf(c.subarray(0, 16)), runId: uuidOf(c.subarray(16)) };
}

const packed = (batchId: string, runId: string): Buffer => Buffer.from((batchId + runId).replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const writesInFlight = 8;
const retentionSeconds = 400 * 86_400;
/** An expression has at most 4 KB. */
const namesAtOnce = 200;
const violationsShown = 100;
/** What is counted by name, each name an attribute. */
const [rejectedPrefix, violatedPrefix] = ['rejected_', 'violated_'];

export async function addEventCounts(table: Table, counts: readonly EventCount[]): Promise<void> {
  const writes = counts.flatMap(
    ({ workspace_id, project_id, date, rejected, violations = {}, senders: _, ...counted }) => {
      const numbers = { ...counted, ...prefixed(rejectedPrefix, Object.entries(rejected)) };
      const place = [workspace_id, project_id, date] as const;
      const broken = chunksOf(Object.entries(violations), namesAtOnce).map((some) => ({
        key: eventViolationsKey(...place),
        date,
        numbers: prefixed(violatedPrefix, some),
      }));
      return [{ key: eventCountKey(...place), date, numbers }, ...broken];
    },
  );
  const counting = inParallel(writesInFlight, writes, ({ key, date, numbers }) => {
    const change = changing({
      set: attributes({ date, ttl: Math.ceil(Date.parse(date) / 1_000) + retentionSeconds }),
      add: attributes(numbers),
    });
    return table.client.send(new UpdateItemCommand({ TableName: table.name, Key: marshall(key), ...change }));
  });
  await Promise.all([counting, ...counts.map((count) => addSenders(table, count, count.senders ?? []))]);
}

const prefixed = (prefix: string, named: readonly (readonly [string, number])[]): Readonly<Record<string, number>> =>
  Object.fromEntries(named.map(([name, events]) => [prefix + name, events]));

const number = v.pipe(v.number(), v.integer());
const CountItem = v.objectWithRest({ pk: v.string(), date: v.string() }, number);

/** Reads the counts of a project on some days, at most a hundred; days without counts are left out. */
export const eventCountReader =
  (table: Table): ReadEventCounts =>
  async (workspace, project, dates) => {
    const read = async (keyOf: typeof eventCountKey) => {
      const Keys = dates.map((date) => marshall(keyOf(workspace, project, date)));
      const answer = await table.client.send(new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys } } }));
      return (answer.Responses?.[table.name] ?? []).map((item) => v.parse(CountItem, unmarshall(item)));
    };
    const [numbers, senders] = await Promise.all([
      Promise.all([read(eventCountKey), read(eventViolationsKey)]),
      readSenders(
        table,
        dates.map((date) => eventSendersKey(workspace, project, date)),
      ),
    ]);
    return [...Map.groupBy(numbers.flat(), ({ date }) => date)].map(([date, parts]) => ({
      ...countOf(date, Object.assign({}, ...parts)),
      ...(senders.get(date) ?? { senders: [], other_senders: null }),
    }));
  };

const countOf = (
  date: string,
  numbers: Readonly<Record<string, number>>,
): Omit<DayOfEvents, 'senders' | 'other_senders'> => ({
  date,
  accepted: numbers['accepted'] ?? 0,
  repeated: numbers['repeated'] ?? 0,
  suppressed: numbers['suppressed'] ?? 0,
  rejected: namedIn(numbers, rejectedPrefix),
  violations: mostOf(namedIn(numbers, violatedPrefix)),
});

/** A tracking plan may have more rules than an answer has room for. */
const mostOf = (named: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(named)
      .sort(([, a], [, b]) => b - a)
      .slice(0, violationsShown),
  );

const namedIn = (attributes: Readonly<Record<string, unknown>>, prefix: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, events]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), Number(events)]] : [],
    ),
  );
