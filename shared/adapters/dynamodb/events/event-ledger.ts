import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { DayOfEvents, EventCount, ReadEventCounts } from '../../../domain/events/accept-batch.ts';
import type { EventLedger } from '../../../domain/events/store/ports.ts';
import { eventClaimKey, eventCountKey, storeRunKey } from '../keys/registry-keys.ts';
import type { Table } from '../requests/table.ts';
import { retryRefused } from '../requests/transact.ts';

const ClaimItem = v.object({ batch_id: v.string(), run_id: v.string() });
const RunItem = v.object({ outcome: v.picklist(['committed', 'abandoned']) });

/** The ledger of event ids, which are kept for this many days: each claim is one conditional write of one unit. */
export function eventLedger(table: Table, retentionDays: number): EventLedger {
  const ttl = () => Math.ceil(Date.now() / 1_000) + retentionDays * 86_400;
  return {
    claim: async (key, { batchId, runId }) => {
      const pk = claimKey(key);
      const existing = await putIfAbsent(
        table,
        { ...pk, batch_id: batchId, run_id: runId, ttl: ttl() },
        'attribute_not_exists(pk)',
      );
      return existing && claimOf(existing);
    },
    moveClaim: async (key, from, runId) => {
      const moved = { ...claimKey(key), batch_id: from.batchId, run_id: runId, ttl: ttl() };
      const existing = await putIfAbsent(table, moved, 'batch_id = :batch AND run_id = :run', {
        ':batch': from.batchId,
        ':run': from.runId,
      });
      return existing && claimOf(existing);
    },
    settleRun: async (runId, outcome) => {
      // The rows of a whole run wait for it: unlike a claim it is not left to another run.
      const existing = await retryRefused(() =>
        putIfAbsent(table, { ...storeRunKey(runId), outcome, ttl: ttl() }, 'attribute_not_exists(pk)'),
      );
      return existing ? v.parse(RunItem, existing).outcome : outcome;
    },
  };
}

const claimKey = ({ workspace_id, project_id, environment, id }: Parameters<EventLedger['claim']>[0]) =>
  eventClaimKey(workspace_id, project_id, environment, id);

function claimOf(item: Record<string, unknown>) {
  const { batch_id: batchId, run_id: runId } = v.parse(ClaimItem, item);
  return { batchId, runId };
}

/** Puts the item where the condition holds: null, or the item that is in its way. */
async function putIfAbsent(
  table: Table,
  item: Readonly<Record<string, string | number>>,
  condition: string,
  values?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown> | null> {
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: marshall(item),
        ConditionExpression: condition,
        ...(values && { ExpressionAttributeValues: marshall(values) }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return null;
  } catch (error) {
    const existing = error instanceof ConditionalCheckFailedException ? error.Item : undefined;
    if (existing === undefined) throw error;
    return unmarshall(existing satisfies Record<string, AttributeValue>);
  }
}

const writesInFlight = 8;
const retentionSeconds = 400 * 86_400;
const rejectedPrefix = 'rejected_';

/** Adds to the item of each project and day, one update each, also under concurrent writes. */
export async function addEventCounts(table: Table, counts: readonly EventCount[]): Promise<void> {
  await inParallel(writesInFlight, counts, ({ workspace_id, project_id, date, accepted, repeated, rejected }) => {
    const refused = Object.entries(rejected).map(([code, events]) => [`${rejectedPrefix}${code}`, events] as const);
    const added = [['accepted', accepted] as const, ['repeated', repeated] as const, ...refused];
    return table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(eventCountKey(workspace_id, project_id, date)),
        UpdateExpression: `SET #date = :date, #ttl = :ttl ADD ${added.map((_, i) => `#n${i} :v${i}`).join(', ')}`,
        ExpressionAttributeNames: {
          '#date': 'date',
          '#ttl': 'ttl',
          ...Object.fromEntries(added.map(([name], i) => [`#n${i}`, name])),
        },
        ExpressionAttributeValues: marshall({
          ':date': date,
          ':ttl': Math.ceil(Date.parse(date) / 1_000) + retentionSeconds,
          ...Object.fromEntries(added.map(([, events], i) => [`:v${i}`, events])),
        }),
      }),
    );
  });
}

const number = v.pipe(v.number(), v.integer());
const CountItem = v.objectWithRest({ pk: v.string(), date: v.string(), accepted: number, repeated: number }, number);

/** Reads the counts of a project on some days, at most a hundred; days without counts are left out. */
export const eventCountReader =
  (table: Table): ReadEventCounts =>
  async (workspace, project, dates) => {
    const Keys = dates.map((date) => marshall(eventCountKey(workspace, project, date)));
    const answer = await table.client.send(new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys } } }));
    return (answer.Responses?.[table.name] ?? []).map((item) => countOf(v.parse(CountItem, unmarshall(item))));
  };

const countOf = ({ date, accepted, repeated, ...rest }: v.InferOutput<typeof CountItem>): DayOfEvents => ({
  date,
  accepted,
  repeated,
  rejected: Object.fromEntries(
    Object.entries(rest).flatMap(([name, events]) =>
      name.startsWith(rejectedPrefix) ? [[name.slice(rejectedPrefix.length), Number(events)]] : [],
    ),
  ),
});
