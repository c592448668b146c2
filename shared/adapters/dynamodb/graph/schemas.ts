import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { lruCache } from '../../../domain/base/caching.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import type { RelationSchema, SchemaId, SchemaStore } from '../../../domain/lineage/graph/schema.ts';
import { schemaKey } from '../keys/graph-keys.ts';
import { batchGet, type Item } from '../requests/batch-get.ts';
import { pack, unpack } from '../requests/parts.ts';
import type { Table } from '../requests/table.ts';

const writesInFlight = 16;
/** A process works for few workspaces, whose jobs repeat their schemas. */
const schemasRemembered = 20_000;

/** Contents of schemas, each an item that never changes: what a process has stored it does not look for again. */
export function schemaStore(table: Table): SchemaStore {
  const stored = lruCache<string, true>(schemasRemembered);
  const present = async (workspace: WorkspaceId, ids: readonly SchemaId[]) => {
    const keys = ids.map((id) => schemaKey(workspace, id));
    const items = await batchGet(table, keys, { attributes: ['sk'] });
    return new Set(items.map((item) => idOf(item)));
  };
  return {
    put: async (workspace, schemas) => {
      const fresh = [...schemas].filter(([id]) => !stored.has(`${workspace} ${id}`));
      if (fresh.length === 0) return;
      const known = await present(workspace, [...schemas.keys()]);
      await inParallel(writesInFlight, fresh, async ([id, schema]) => {
        if (!known.has(id)) await putSchema(table, workspace, id, schema);
        stored.set(`${workspace} ${id}`, true);
      });
    },
    ...schemaReader(table),
  };
}

export const schemaReader = (table: Table): Pick<SchemaStore, 'get'> => ({
  get: async (workspace, ids) => {
    const items = await batchGet(
      table,
      [...new Set(ids)].map((id) => schemaKey(workspace, id)),
    );
    return new Map(items.map((item) => [idOf(item), unpack(item['content']) as RelationSchema]));
  },
});

const idOf = (item: Item) => (item['sk']?.S ?? '') as SchemaId;

async function putSchema(table: Table, workspace: WorkspaceId, id: SchemaId, schema: RelationSchema): Promise<void> {
  const { pk, sk } = schemaKey(workspace, id);
  try {
    await table.client.send(
      new PutItemCommand({
        TableName: table.name,
        Item: { pk: { S: pk }, sk: { S: sk }, content: pack(schema) },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    // Another worker stored the same content.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
