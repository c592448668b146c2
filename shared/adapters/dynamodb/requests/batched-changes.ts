import {
  type AttributeValue,
  type BatchStatementRequest,
  type BatchStatementResponse,
  BatchWriteItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { chunksOf } from '../../../domain/base/collections.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import { type Key, keyName, keyOf } from '../keys/key.ts';
import { type BatchGetOptions, batchGet, type Item } from './batch-get.ts';
import { executeBatched } from './batch-statements.ts';
import { coalescedBatch } from './coalesced.ts';
import type { Table } from './table.ts';
import { backoff } from './transact.ts';

/** What an attribute must be; `missing` is that it is not there, the others that it is and compares so. */
type Requirement =
  | { readonly name: string; readonly is: '<' | '<='; readonly value: AttributeValue }
  | { readonly name: string; readonly is: 'missing' };

/** What is to become of an item that is there, where its attributes are as they must be. */
export type Change = {
  readonly key: Key;
  readonly set: readonly (readonly [name: string, value: AttributeValue])[];
  readonly where: readonly Requirement[];
};

/** Answers whether a change is known to be made; where it is not, for whatever reason, the item is to be updated by itself. */
export type ChangeTogether = (change: Change) => Promise<boolean>;

/** Changes items by the batch (ADR 13): all that are asked for in one turn of the event loop, or while others are written. */
export function batchedChanges(table: Table): ChangeTogether {
  const forms = formsOf(table);
  return coalescedBatch(async (changes: readonly Change[]) => {
    const form = forms.current();
    // Of two of one item the first is made, and the other is not known to be.
    const distinct = new Map(changes.toReversed().map((one) => [keyName(one.key), one]));
    const writes = [...distinct.values()].map((one) => ({ one, statement: statementOf(table, one, form) }));
    const left = new Set(await executeBatched(table, writes, (responses) => forms.learn(form, responses)));
    return changes.map((one) => distinct.get(keyName(one.key)) === one && !left.has(one));
  });
}

const formsOfClients = new WeakMap<Table['client'], ReturnType<typeof newForms>>();

function formsOf({ client }: Table): ReturnType<typeof newForms> {
  const forms = formsOfClients.get(client) ?? newForms();
  formsOfClients.set(client, forms);
  return forms;
}

/** Several assignments as one text. */
type Form = (assignments: readonly string[]) => string;

function statementOf({ name }: Table, { key, set, where }: Change, form: Form): BatchStatementRequest {
  const sets = form(set.map(([attribute]) => `"${attribute}"=?`));
  const conditions = where.map((one) =>
    one.is === 'missing' ? `"${one.name}" IS MISSING` : `"${one.name}"${one.is}?`,
  );
  return {
    Statement: `UPDATE "${name}" ${sets} WHERE ${['"pk"=?', '"sk"=?', ...conditions].join(' AND ')}`,
    Parameters: [
      ...set.map(([, value]) => value),
      { S: key.pk },
      { S: key.sk },
      ...where.flatMap((one) => (one.is === 'missing' ? [] : [one.value])),
    ],
  };
}

const repeated: Form = (assignments) => assignments.map((one) => `SET ${one}`).join(' ');
const listed: Form = (assignments) => `SET ${assignments.join(', ')}`;

/**
 * How a store takes several assignments: DynamoDB documents them as repeated, and the embedded emulator takes them listed
 * alone. Until one statement was understood, what is invalid in one form is tried in the other.
 */
function newForms() {
  let [form, isUnderstood] = [repeated, false];
  return {
    current: (): Form => form,
    learn: (used: Form, responses: readonly BatchStatementResponse[]): void => {
      const codes = responses.map(({ Error: error }) => error?.Code);
      isUnderstood ||= codes.some((code) => code === undefined || code === 'ConditionalCheckFailed');
      if (!isUnderstood && codes.includes('ValidationError')) form = used === repeated ? listed : repeated;
    },
  };
}

const itemsPerRequest = 25;
const requestsInFlight = 8;

/** Puts and deletes items without conditions, 25 a request; no two of them may have one key. */
export async function batchWrite(table: Table, requests: readonly WriteRequest[]): Promise<void> {
  await inParallel(requestsInFlight, chunksOf(requests, itemsPerRequest), (chunk) => writeChunk(table, chunk));
}

async function writeChunk(table: Table, chunk: WriteRequest[]): Promise<void> {
  let request = chunk;
  for (let attempt = 0; request.length > 0; attempt++) {
    await backoff(attempt);
    const answer = await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: request } }));
    const unprocessed = answer.UnprocessedItems?.[table.name] ?? [];
    // A large request leaves items unprocessed too: only attempts without progress count.
    if (unprocessed.length < request.length) attempt = 0;
    request = unprocessed;
  }
}

/**
 * Items by their keys, read by one request for all who wait, and consistently unless asked otherwise; null where there is
 * none. For workers, not for answers: what one request costs would depend on its neighbours.
 */
export const batchedItems = (
  table: Table,
  { consistent = true }: Pick<BatchGetOptions, 'consistent'> = {},
): ((key: Key) => Promise<Item | null>) =>
  coalescedBatch(async (keys) => {
    const distinct = new Map(keys.map((key) => [keyName(key), key]));
    const read = await batchGet(table, [...distinct.values()], { consistent });
    const found = new Map(read.map((item) => [keyName(keyOf(item)), item]));
    return keys.map((key) => found.get(keyName(key)) ?? null);
  });
