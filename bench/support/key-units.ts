import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { consumedIn, reads } from './units.ts';

/** Units by partition, by item and by index: what one partition, and one item, accepts per second is bounded. */
export type KeyUnits = Readonly<Record<'partitions' | 'items' | 'indexes', ReadonlyMap<string, number>>>;
type Access = 'read' | 'write';
type Attributes = Readonly<Record<string, { readonly S?: string } | undefined>>;
type Input = {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeValues?: Attributes;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Attributes[] } | readonly BatchedWrite[]>>;
  readonly Statements?: readonly Statement[];
  readonly TransactItems?: readonly Readonly<
    Record<string, { readonly Key?: Attributes; readonly Item?: Attributes }>
  >[];
};
type Statement = { readonly Statement?: string; readonly Parameters?: readonly { readonly S?: string }[] };
type BatchedWrite = Readonly<Record<string, { readonly Key?: Attributes; readonly Item?: Attributes }>>;

/**
 * Sums up by key what a client's requests consume, since the last call of the returned function. What a request of several
 * keys consumed is divided by them.
 */
export function countKeyUnits(client: DynamoDBClient): () => Readonly<Record<Access, KeyUnits>> {
  let counts = { read: newCounts(), write: newCounts() };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const kind = reads.test(commandName) ? 'read' : 'write';
        const input = { ...args.input, ReturnConsumedCapacity: 'INDEXES' };
        try {
          const answer = await next({ ...args, input });
          const consumed = consumedIn(answer.output);
          addTo(counts[kind], keysOf(input as Input), tableUnits(consumed));
          addIndexes(counts[kind], consumed);
          return answer;
        } catch (error) {
          // A refused write is charged as if it had been made; the store does not say how much that is.
          if (error instanceof ConditionalCheckFailedException) addTo(counts.write, keysOf(input as Input), 1);
          throw error;
        }
      },
    { step: 'initialize', name: 'keyUnits' },
  );
  return () => {
    const used = counts;
    counts = { read: newCounts(), write: newCounts() };
    return used;
  };
}

const newCounts = () => ({
  partitions: new Map<string, number>(),
  items: new Map<string, number>(),
  indexes: new Map<string, number>(),
});

function addTo(counts: ReturnType<typeof newCounts>, keys: readonly Attributes[], units: number): void {
  for (const { pk, sk } of keys) {
    const partition = pk?.S ?? '';
    const item = `${partition} ${sk?.S ?? ''}`;
    counts.partitions.set(partition, (counts.partitions.get(partition) ?? 0) + units / keys.length);
    if (sk) counts.items.set(item, (counts.items.get(item) ?? 0) + units / keys.length);
  }
}

/** The keys that a request names; of a query its partition. */
function keysOf(input: Input): readonly Attributes[] {
  if (input.Key) return [input.Key];
  if (input.Item) return [input.Item];
  if (input.Statements) return input.Statements.map(keyOfStatement);
  if (input.TransactItems) return input.TransactItems.flatMap(keysOfWrites);
  if (input.RequestItems)
    return Object.values(input.RequestItems).flatMap((ofTable): readonly Attributes[] =>
      'Keys' in ofTable ? (ofTable.Keys ?? []) : (ofTable as readonly BatchedWrite[]).flatMap(keysOfWrites),
    );
  const name = /\b\w*pk = (:\w+)/u.exec(input.KeyConditionExpression ?? '')?.[1] ?? '';
  const pk = input.ExpressionAttributeValues?.[name];
  return pk ? [{ pk }] : [];
}

/** `INSERT` has the key first, the others where they ask for it: after what they set. */
function keyOfStatement({ Statement = '', Parameters = [] }: Statement): Attributes {
  const set = Statement.split('"pk"=', 1)[0]?.split('?').length ?? 1;
  const [pk, sk] = Statement.startsWith('INSERT') ? Parameters : Parameters.slice(set - 1);
  return { pk, sk };
}

function keysOfWrites(write: BatchedWrite): readonly Attributes[] {
  return Object.values(write).flatMap(({ Key, Item }): readonly Attributes[] => [Key ?? Item ?? {}]);
}

const tableUnits = (consumed: readonly ConsumedCapacity[]): number =>
  consumed.reduce((sum, { Table, CapacityUnits = 0 }) => sum + (Table?.CapacityUnits ?? CapacityUnits), 0);

function addIndexes({ indexes }: ReturnType<typeof newCounts>, consumed: readonly ConsumedCapacity[]): void {
  for (const { GlobalSecondaryIndexes = {} } of consumed)
    for (const [name, { CapacityUnits = 0 }] of Object.entries(GlobalSecondaryIndexes))
      indexes.set(name, (indexes.get(name) ?? 0) + CapacityUnits);
}

/** A key without what is different in each of its kind. */
export const kindOf = (key: string): string => key.replaceAll(/[^# ]*[^A-Z# _][^# ]*/gu, '…');
