import { GetItemCommand, type QueryCommandInput, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type {
  AuditEntry,
  Collection,
  Listed,
  ListedRecords,
  Records,
  StoredRecord,
  Write,
} from '../../../domain/workspaces/access/records.ts';
import { auditKey, type Key, type Registered, registeredKey, registeredList } from '../keys/registry-keys.ts';
import { attributes, getItem, type Item, ifAbsent } from '../requests/items.ts';
import { beginningWith, queryAll } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { transactedUpdate } from '../requests/transact.ts';
import { changing } from '../requests/update-item.ts';

export type RecordShape<R, Place> = {
  readonly schema: v.GenericSchema<unknown, R>;
  readonly key: (place: Place) => Key;
  /** Attributes that only the table needs: its indexes and its time to live. */
  readonly extra?: (record: R) => Readonly<Record<string, string | number>>;
};

/** A record that a workspace lists with those of its kind. */
export type ListedShape<R, Place> = RecordShape<R, Place> & { readonly kind: Registered };

type InWorkspace = { readonly workspace_id: WorkspaceId };

/** Records of a kind that lie under the values of some of their fields. */
export const listedBy = <R extends InWorkspace & Readonly<Record<Field, string>>, Field extends keyof R>(
  kind: Registered,
  schema: v.GenericSchema<unknown, R>,
  ...fields: readonly Field[]
): ListedShape<R, InWorkspace & Pick<R, Field>> => ({
  kind,
  schema,
  key: (place) => registeredKey(place.workspace_id, kind, fields.map((field) => place[field]).join('#')),
});

export const records = <Place, R extends Place & object>(
  table: Table,
  { schema, key }: RecordShape<R, Place>,
): Records<R, Place> => ({
  find: async (place) => {
    const answer = await table.client.send(
      new GetItemCommand({ TableName: table.name, Key: marshall(key(place)), ConsistentRead: true }),
    );
    return answer.Item ? foundOf(schema, answer.Item) : null;
  },
});

export async function findRecord<R>(
  table: Table,
  schema: v.GenericSchema<unknown, R>,
  key: Key,
): Promise<StoredRecord<R> | null> {
  const item = await getItem(table, key);
  return item && foundOf(schema, item);
}

type Read = Pick<StoredRecord<unknown>, 'revision'> | null;

/** The item is as it was read, or is not there if it was not. */
export const unchanged = (before: Read): Condition =>
  before === null
    ? ifAbsent
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: attributes({ ':read': before.revision }) };

export const recordPut = (table: Table, item: object, before: Read): TransactWriteItem => ({
  Put: {
    TableName: table.name,
    Item: marshall({ ...item, revision: (before?.revision ?? 0) + 1 }, { removeUndefinedValues: true }),
    ...unchanged(before),
  },
});

export const auditPut = (table: Table, audit: AuditEntry): TransactWriteItem =>
  recordPut(table, { ...auditKey(audit.workspace_id, audit.at, audit.id), ...audit }, null);

/** Records of one kind as items: their own attributes, the keys, and a revision that each write raises. */
export function collection<Place, R extends Place & object>(
  table: Table,
  shape: RecordShape<R, Place>,
): Collection<R, Place> {
  const { key, extra = () => ({}) } = shape;
  const put = (record: R, before: Read): Write =>
    written(recordPut(table, { ...record, ...key(record), ...extra(record) }, before));
  return {
    ...records(table, shape),
    create: (record) => put(record, null),
    replace: (before, record) => put(record, before),
    remove: (record) => written({ Delete: { TableName: table.name, Key: marshall(key(record)) } }),
  };
}

export const listedCollection = <Place, R extends Place & object>(
  table: Table,
  shape: ListedShape<R, Place>,
): Listed<R, Place> => ({
  ...collection<Place, R>(table, shape),
  ...listedRecords<Place, R>(table, shape),
});

export const listedRecords = <Place, R extends Place & object>(
  table: Table,
  shape: ListedShape<R, Place>,
): ListedRecords<R, Place> => ({
  ...records<Place, R>(table, shape),
  list: async (workspace: WorkspaceId) => {
    const query = { ...beginningWith(registeredList(workspace, shape.kind)), ConsistentRead: true };
    return queryRecords(table, shape.schema, query);
  },
});

export async function queryRecords<R>(
  table: Table,
  schema: v.GenericSchema<unknown, R>,
  query: Omit<QueryCommandInput, 'TableName'>,
): Promise<readonly R[]> {
  const records: R[] = [];
  for await (const item of queryAll(table, query)) {
    records.push(v.parse(schema, unmarshall(item)));
    if (records.length === query.Limit) break;
  }
  return records;
}

/** Changes the stored number of records of a kind: at most `max`, however many requests come at once. */
export const countChange = (table: Table, key: Key, { change, max }: Count): TransactWriteItem => {
  const isBelow = { name: 'count', is: '<', value: { N: String(max) }, orMissing: true } as const;
  const counting = changing({ add: attributes({ count: change }), where: change > 0 ? [isBelow] : [] });
  return transactedUpdate(table, key, counting);
};

type Count = { readonly change: number; readonly max: number };

export const indexed = <R>(table: Table, schema: v.GenericSchema<unknown, R>, partition: string) =>
  queryRecords(table, schema, {
    IndexName: 'gsi1',
    KeyConditionExpression: 'gsi1pk = :partition',
    ExpressionAttributeValues: { ':partition': { S: partition } },
  });

type Condition = Pick<NonNullable<TransactWriteItem['Put']>, 'ConditionExpression' | 'ExpressionAttributeValues'>;

/** The registry hands its writes through the domain, which does not look into them. */
const written = (item: TransactWriteItem): Write => ({ ...item });

const foundOf = <R>(schema: v.GenericSchema<unknown, R>, item: Item): StoredRecord<R> => ({
  record: v.parse(schema, unmarshall(item)),
  revision: Number(item['revision']?.N),
});
