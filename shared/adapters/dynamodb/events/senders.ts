import { BatchGetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { limits } from '../../../contract/limits.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { sha256 } from '../../../domain/base/digest.ts';
import {
  type DayOfEvents,
  type EventCount,
  type Sender,
  senderKey,
  sumOfOne,
  sumSenders,
} from '../../../domain/events/event-counts.ts';
import { eventSendersKey } from '../keys/registry-keys.ts';
import { attributes } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';
import { attempted } from '../requests/transact.ts';
import { changing } from '../requests/update-item.ts';

const retentionSeconds = 100 * 86_400;
const writesInFlight = 8;
const bounds = limits.senders;

type Place = Pick<EventCount, 'workspace_id' | 'project_id' | 'date'>;

/** Who broke rules on a day, in one item of bounded size. Senders that it has no room for are counted together. */
export async function addSenders(table: Table, place: Place, found: NonNullable<EventCount['senders']>): Promise<void> {
  const senders = sumSenders(found);
  const isAdded = await inParallel(writesInFlight, senders.slice(0, bounds.atOnce), (one) =>
    addSender(table, place, one),
  );
  const others = sumOfOne(senders.filter((_, index) => !isAdded[index]));
  if (others) await add(table, place, { name: 'others', ...others });
}

async function addSender(
  table: Table,
  place: Place,
  { isAllowed, ...sender }: NonNullable<EventCount['senders']>[number],
): Promise<boolean> {
  const key = senderKey(sender);
  const counted = { name: nameOf(key), ...sender };
  if (await add(table, place, counted, [{ name: `events_${counted.name}`, is: 'present' }])) return true;
  const than = isAllowed ? bounds.most : bounds.notAllowed;
  return add(table, place, { ...counted, key }, [{ name: 'senders', is: 'smaller', than }]);
}

/** Attributes are named by a digest: they would hold the key three times. */
const nameOf = (key: string): string => sha256(key).toString('base64url').slice(0, 12);

type Counted = Pick<Sender, 'events' | 'last_at'> & { readonly name: string; readonly key?: string };

async function add(
  table: Table,
  { workspace_id, project_id, date }: Place,
  { name, events, last_at, key }: Counted,
  where: Parameters<typeof changing>[0]['where'] = [],
): Promise<boolean> {
  const ttl = Math.ceil(Date.parse(date) / 1_000) + retentionSeconds;
  const change = changing({
    set: attributes({ date, ttl, [`last_${name}`]: last_at }),
    add: { ...attributes({ [`events_${name}`]: events }), ...(key !== undefined && { senders: { SS: [key] } }) },
    where,
  });
  const Key = marshall(eventSendersKey(workspace_id, project_id, date));
  const command = new UpdateItemCommand({ TableName: table.name, Key, ...change });
  return (await attempted(table.client.send(command))).refusal === null;
}

const Item = v.looseObject({ date: v.string(), senders: v.optional(v.set(v.string()), () => new Set<string>()) });
const text = v.nullable(v.string());
const Key = v.pipe(v.string(), v.parseJson(), v.tuple([v.string(), text, text, text]));
const Last = v.string();

type OfDay = Pick<DayOfEvents, 'senders' | 'other_senders'>;

/** Reads the senders of some days, at most a hundred, by date. */
export async function readSenders(
  table: Table,
  keys: readonly ReturnType<typeof eventSendersKey>[],
): Promise<ReadonlyMap<string, OfDay>> {
  const Keys = keys.map((key) => marshall(key));
  const answer = await table.client.send(new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys } } }));
  const items = (answer.Responses?.[table.name] ?? []).map((item) => v.parse(Item, unmarshall(item)));
  return new Map(items.map((item) => [item.date, ofDay(item)]));
}

function ofDay(item: v.InferOutput<typeof Item>): OfDay {
  const counted = (name: string) => ({
    events: Number(item[`events_${name}`]),
    last_at: v.parse(Last, item[`last_${name}`]),
  });
  const senders = [...item.senders].map((key) => {
    const [rule, library, version, origin] = v.parse(Key, key);
    return { rule, library, version, origin, ...counted(nameOf(key)) };
  });
  return { senders, other_senders: 'events_others' in item ? counted('others') : null };
}
