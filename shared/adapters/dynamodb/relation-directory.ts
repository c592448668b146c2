import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { LRUCache } from 'lru-cache';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { inParallel } from '../../domain/concurrency/in-parallel.ts';
import { type NodeId, nodeId } from '../../domain/graph/ids.ts';
import { indexedTails, nameTails } from '../../domain/graph/name-parts.ts';
import type { RelationDirectory, RelationEntry } from '../../domain/graph/name-ports.ts';
import { type Node, nodeOf, relationRefOf, type Urn, urnOf } from '../../domain/graph/node.ts';
import { lastPartOf } from '../../domain/identity/relation-ref.ts';
import { backoff } from './backoff.ts';
import { batchGet } from './batch-get.ts';
import { type Key, keyName, keyOf } from './keys/key.ts';
import { connectorGraphKey, leadingTailKey, nameEntryKey } from './keys/name-keys.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';

/** The nodes that a process has made findable, and the connectors that it has marked. */
type KnownRelations = LRUCache<string, true>;
export const newKnownRelations = (): KnownRelations => new LRUCache({ max: 100_000 });

const itemsPerRequest = 25;
const requestsInFlight = 8;
/** What they write is held together. */
const nodesAtOnce = 500;

type Row = Key & { readonly u?: string };

/** The directory over the table; `known` spares a process asking for what it has found or written before. */
export function relationDirectory(table: Table, known: KnownRelations): RelationDirectory {
  return {
    add: async (workspace, nodes, { anew } = { anew: false }) => {
      const entries = nodes.map((node) => entriesOf(workspace, node)).filter(({ id }) => anew || !known.has(id));
      const distinct = [...new Map(entries.map((one) => [one.id, one])).values()];
      for (let at = 0; at < distinct.length; at += nodesAtOnce) {
        const some = distinct.slice(at, at + nodesAtOnce);
        await addEntries(table, known, anew ? some : await missing(table, some));
        for (const { id } of some) known.set(id, true);
      }
    },
    named: (workspace, connector, name) => named(table, workspace, connector, name),
    any: async (workspace, connector) => {
      const found = await batchGet(table, [connectorGraphKey(workspace, connector)], { attributes: ['pk'] });
      return found.length > 0;
    },
  };
}

async function missing(table: Table, entries: readonly Entries[]): Promise<readonly Entries[]> {
  const keys = entries.map(({ last: { pk, sk } }) => ({ pk, sk }));
  const found = new Set(
    (await batchGet(table, keys, { attributes: ['pk', 'sk'] })).map((item) => keyName(keyOf(item))),
  );
  return entries.filter(({ last }) => !found.has(keyName(last)));
}

/** The last entry of a node says that there are all: it is written when they are. */
async function addEntries(table: Table, known: KnownRelations, entries: readonly Entries[]): Promise<void> {
  const shared = new Map(entries.flatMap((one) => one.shared.map((row) => [keyName(row), row] as const)));
  const unknown = [...shared].filter(([name]) => !known.has(name));
  await writeAll(table, [...unknown.map(([, row]) => row), ...entries.flatMap(({ first }) => first)]);
  await writeAll(
    table,
    entries.map(({ last }) => last),
  );
  for (const [name] of unknown) known.set(name, true);
}

type Entries = {
  readonly id: string;
  /** What names share: the tails of their leading part, and that their connector has a graph. */
  readonly shared: readonly Row[];
  readonly first: readonly Row[];
  readonly last: Row;
};

function entriesOf(workspace: WorkspaceId, node: Node): Entries {
  const urn = urnOf(node);
  const { own, leading } = indexedTails(relationRefOf(node));
  const rows = own.map((tail) => ({ ...nameEntryKey(workspace, tail, nodeId(urn)), u: urn }));
  const shared = leading.map((tail) => leadingTailKey(workspace, tail));
  return {
    id: `${workspace} ${urn}`,
    shared: node.kind === 'relation' ? [connectorGraphKey(workspace, node.connectorId), ...shared] : shared,
    first: rows.slice(0, -1),
    last: rows.at(-1) ?? { ...nameEntryKey(workspace, urn, nodeId(urn)), u: urn },
  };
}

/** Where a node is listed, with what it shares with others. */
export function directoryKeysOf(workspace: WorkspaceId, node: Node): Key[] {
  const { shared, first, last } = entriesOf(workspace, node);
  return [...shared, ...first, last].map(({ pk, sk }) => ({ pk, sk }));
}

/** The relations of a connector with a last part, by the entries of the first tail of that part, quoted or not. */
async function named(
  table: Table,
  workspace: WorkspaceId,
  connectorId: ConnectorId,
  name: string,
): Promise<RelationEntry[]> {
  const tails = [name, `"${name.replaceAll('"', '""')}"`].flatMap((text) => nameTails(text).slice(0, 1));
  const urns = await Promise.all([...new Set(tails)].map((tail) => urnsUnder(table, workspace, tail)));
  return urns.flat().flatMap((urn) => {
    const node = nodeOf(urn);
    const isMeant = node.kind === 'relation' && node.connectorId === connectorId;
    return isMeant && lastPartOf(node.ref).toLowerCase() === name.toLowerCase()
      ? [{ connectorId, ref: node.ref, table: name }]
      : [];
  });
}

async function urnsUnder(table: Table, workspace: WorkspaceId, tail: string): Promise<Urn[]> {
  const { pk, sk } = nameEntryKey(workspace, tail, '' as NodeId);
  const query = {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :tail)',
    ExpressionAttributeValues: { ':pk': { S: pk }, ':tail': { S: sk } },
  };
  const found: Urn[] = [];
  for await (const item of queryAll(table, query)) found.push((item['u']?.S ?? '') as Urn);
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
