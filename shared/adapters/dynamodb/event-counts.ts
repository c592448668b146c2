import { BatchGetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import type { DayOfEvents, EventCount, ReadEventCounts } from '../../domain/events/event-counts.ts';
import { eventCountKey } from './keys/ledger-keys.ts';
import type { Table } from './table.ts';

const writesInFlight = 8;
const keptSeconds = 400 * 86_400;
const rejectedPrefix = 'rejected_';

/** Adds to the item of each project and day, an update each, whoever else adds meanwhile. */
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
          ':ttl': Math.ceil(Date.parse(date) / 1_000) + keptSeconds,
          ...Object.fromEntries(added.map(([, events], i) => [`:v${i}`, events])),
        }),
      }),
    );
  });
}

const number = v.pipe(v.number(), v.integer());
const CountItem = v.objectWithRest({ pk: v.string(), date: v.string(), accepted: number, repeated: number }, number);

/** Reads the counts of a project on some days, at most a hundred; a day of which nothing is known is left out. */
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
