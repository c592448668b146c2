import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Micros, micros } from '../../../domain/graph/order.ts';
import type { Heard, RunRecord, RunStore } from '../../../domain/graph/runs.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { type Key, runKey } from '../keys.ts';
import { pack, unpack } from '../packed.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem } from '../update-item.ts';

/** What a run's events said, each content once under its digest, with the registers of its first and last time. */
const attribute = {
  content: (digest: string) => `e${digest}`,
  first: (digest: string) => `f${digest}`,
  last: (digest: string) => `l${digest}`,
} as const;

/** Runs over the table: one item a run. */
export function runStore<Content>(table: Table, meter?: Meter): RunStore<Content> {
  return {
    add: async (workspace, job, { runId, heard, expiresAt }) => {
      const key = runKey(workspace, job, runId);
      let known: Item = {};
      for (let due = dueOf(known, heard); due.length > 0; due = dueOf(known, heard)) {
        const answer = await updateItem({ table, meter }, key, addition(due, expiresAt));
        if (answer.refused === null) return recordOf(answer.item ?? {});
        // Refused: some register already spans its time; what is still due follows from the item that refused.
        known = answer.refused;
      }
      return recordOf(known);
    },
    read: async (workspace, job, runId) => {
      const options = { consistent: true, ...(meter && { meter }) };
      const items = await batchGet(table, [runKey(workspace, job, runId)], options);
      return recordOf(items[0] ?? {});
    },
    others: (workspace, job, runId) => otherRuns(table, runKey(workspace, job, runId)),
  };
}

type Due<Content> = Heard<Content> & { readonly digest: string; readonly part: 'content' | 'first' | 'last' };

function dueOf<Content>(item: Item, heard: RunRecord<Content>): Due<Content>[] {
  return [...heard].flatMap(([digest, one]): Due<Content>[] => {
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (first === undefined || last === undefined) return [{ ...one, digest, part: 'content' }];
    return [
      ...(BigInt(first) > BigInt(one.first) ? [{ ...one, digest, part: 'first' as const }] : []),
      ...(BigInt(last) < BigInt(one.last) ? [{ ...one, digest, part: 'last' as const }] : []),
    ];
  });
}

function addition<Content>(due: readonly Due<Content>[], expiresAt: number) {
  const names: Record<string, string> = { '#ttl': 'ttl' };
  const values: Record<string, AttributeValue> = { ':ttl': { N: String(expiresAt) } };
  const sets = ['#ttl = :ttl'];
  const conditions: string[] = [];
  due.forEach(({ digest, part, content, first, last }, i) => {
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
      values[`:e${i}`] = pack(content);
      sets.push(`#e${i} = :e${i}`);
      conditions.push(`attribute_not_exists(#l${i})`);
    } else conditions.push(part === 'first' ? `#f${i} > :f${i}` : `#l${i} < :l${i}`);
  });
  return {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValues: 'ALL_NEW' as const,
  };
}

function recordOf<Content>(item: Item): RunRecord<Content> {
  const found = new Map<string, Heard<Content>>();
  for (const name in item) {
    const digest = name.slice(1);
    const [first, last] = [item[attribute.first(digest)]?.N, item[attribute.last(digest)]?.N];
    if (name.charAt(0) !== 'e' || first === undefined || last === undefined) continue;
    found.set(digest, { content: unpack(item[name]) as Content, first: time(first), last: time(last) });
  }
  return found;
}

const time = (text: string): Micros => micros(BigInt(text));

async function otherRuns<Content>(table: Table, key: Key): Promise<RunRecord<Content>[]> {
  const found: RunRecord<Content>[] = [];
  let start: Item | undefined;
  do {
    const answer = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :runs)',
        ExpressionAttributeValues: { ':pk': { S: key.pk }, ':runs': { S: 'R#' } },
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    for (const item of answer.Items ?? []) if (item['sk']?.S !== key.sk) found.push(recordOf(item));
    start = answer.LastEvaluatedKey;
  } while (start);
  return found;
}
