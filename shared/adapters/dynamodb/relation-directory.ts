import { BatchWriteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { LRUCache } from 'lru-cache';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { nodeId } from '../../domain/graph/ids.ts';
import { nameTails } from '../../domain/graph/name-parts.ts';
import type { RelationDirectory, RelationEntry } from '../../domain/graph/name-ports.ts';
import { type Node, relationRefOf, urnOf } from '../../domain/graph/node.ts';
import { lastPartOf } from '../../domain/identity/relation-ref.ts';
import { backoff } from './backoff.ts';
import type { Key } from './keys/key.ts';
import { connectorGraphKey, nameEntryKey, relationKey } from './keys/name-keys.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';

/** The nodes that a process has made findable, and the connectors that it has marked. */
type KnownRelations = LRUCache<string, true>;
export const newKnownRelations = (): KnownRelations => new LRUCache({ max: 100_000 });

const itemsPerRequest = 25;
const requestsInFlight = 8;
/** What they write is held together. */
const nodesAtOnce = 500;

type Row = Key & { readonly ref?: string; readonly u?: string };

/** The directory over the table; `known` spares a process writing what it has written before. */
export function relationDirectory(table: Table, known: KnownRelations): RelationDirectory {
  return {
    add: async (workspace, nodes) => {
      const fresh = nodes.filter((node) => !known.has(`${workspace} ${urnOf(node)}`));
      for (let at = 0; at < fresh.length; at += nodesAtOnce) {
        const some = fresh.slice(at, at + nodesAtOnce);
        const rows = new Map(
          some.flatMap((node) => rowsOf(workspace, node).map((row) => [`${row.pk} ${row.sk}`, row] as const)),
        );
        const unknown = [...rows].filter(([key]) => !known.has(key)).map(([, row]) => row);
        await writeAll(table, unknown);
        for (const node of some) known.set(`${workspace} ${urnOf(node)}`, true);
        for (const { pk, sk, ref, u } of unknown) if (!ref && !u) known.set(`${pk} ${sk}`, true);
      }
    },
    named: (workspace, connector, name) => named(table, workspace, connector, name),
    any: async (workspace, connector) => {
      const { pk } = connectorGraphKey(workspace, connector);
      const answer = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: pk } },
          Limit: 1,
        }),
      );
      return (answer.Count ?? 0) > 0;
    },
  };
}

/** A node's entry of each tail of its name; of a connector's relation also that of its last part. */
function rowsOf(workspace: WorkspaceId, node: Node): Row[] {
  const urn = urnOf(node);
  const entries = nameTails(relationRefOf(node)).map((tail) => ({
    ...nameEntryKey(workspace, tail, nodeId(urn)),
    u: urn,
  }));
  if (node.kind !== 'relation') return entries;
  const { connectorId, ref } = node;
  const table = lastPartOf(ref).toLowerCase();
  return [
    connectorGraphKey(workspace, connectorId),
    { ...relationKey(workspace, connectorId, table, ref), ref },
    ...entries,
  ];
}

async function named(
  table: Table,
  workspace: WorkspaceId,
  connectorId: ConnectorId,
  name: string,
): Promise<RelationEntry[]> {
  const { pk } = relationKey(workspace, connectorId, name.toLowerCase(), '');
  const found: RelationEntry[] = [];
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: pk } } };
  for await (const item of queryAll(table, query)) found.push({ connectorId, ref: item['ref']?.S ?? '', table: name });
  return found;
}

async function writeAll(table: Table, rows: readonly Row[]): Promise<void> {
  const chunks: (typeof rows)[] = [];
  for (let i = 0; i < rows.length; i += itemsPerRequest) chunks.push(rows.slice(i, i + itemsPerRequest));
  await inParallel(requestsInFlight, chunks, async (chunk) => {
    let request = chunk.map((row) => ({ PutRequest: { Item: marshall(row) } }));
    for (let attempt = 0; request.length > 0; attempt++) {
      await backoff(attempt);
      const answer = await table.client.send(new BatchWriteItemCommand({ RequestItems: { [table.name]: request } }));
      const unprocessed = (answer.UnprocessedItems?.[table.name] ?? []) as typeof request;
      if (unprocessed.length < request.length) attempt = 0;
      request = unprocessed;
    }
  });
}
