import { marshall } from '@aws-sdk/util-dynamodb';
import type { LRUCache } from 'lru-cache';
import type { ConnectorId } from '../../../contract/ids.ts';
import { lruCache } from '../../../domain/base/caching.ts';
import { inParallel } from '../../../domain/base/concurrency.ts';
import {
  indexedTails,
  nameTails,
  type RelationDirectory,
  type RelationEntry,
} from '../../../domain/lineage/graph/name-parts.ts';
import {
  contentDigest,
  type GraphId,
  type Node,
  type NodeId,
  nodeId,
  nodeOf,
  relationRefOf,
  type Urn,
  urnOf,
} from '../../../domain/lineage/graph/node.ts';
import { lastPartOf } from '../../../domain/lineage/names/relation-ref.ts';
import { connectorGraphKey, leadingTailKey, nameEntryKey, wideNodeKey } from '../keys/graph-keys.ts';
import { type Key, keyName, keyOf } from '../keys/registry-keys.ts';
import { batchWrite } from '../requests/batched-changes.ts';
import { coalescedBatch } from '../requests/coalesced.ts';
import { batchGet, putItem } from '../requests/items.ts';
import { beginningWith, queryEach } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { changing, exists, updateItem } from '../requests/update-item.ts';
import { type ColumnsOf, indexColumns, type PostingWriter, postingWriter } from './column-postings.ts';

export const relationDirectory = (table: Table, known: KnownRelations): RelationDirectory => ({
  add: directoryWriter(table, known),
  ...directoryReader(table),
});

export const directoryReader = (table: Table): Pick<RelationDirectory, 'named' | 'any'> => ({
  named: (graph, connector, name) => named(table, graph, connector, name),
  any: async (graph, connector) => {
    const found = await batchGet(table, [connectorGraphKey(graph, connector)], { attributes: ['pk'] });
    return found.length > 0;
  },
});

async function named(table: Table, graph: GraphId, connectorId: ConnectorId, name: string): Promise<RelationEntry[]> {
  const tails = [name, `"${name.replaceAll('"', '""')}"`].flatMap((text) => nameTails(text).slice(0, 1));
  const urns = await Promise.all([...new Set(tails)].map((tail) => urnsUnder(table, graph, tail)));
  return urns.flat().flatMap((urn) => {
    const node = nodeOf(urn);
    const isMatch = node.kind === 'relation' && node.connectorId === connectorId;
    return isMatch && lastPartOf(node.ref).toLowerCase() === name.toLowerCase()
      ? [{ connectorId, ref: node.ref, table: name }]
      : [];
  });
}

function urnsUnder(table: Table, graph: GraphId, tail: string): Promise<Urn[]> {
  const query = beginningWith(nameEntryKey(graph, tail, '' as NodeId));
  return queryEach(table, query, (item) => (item['u']?.S ?? '') as Urn);
}

/** The nodes that a process has made findable, with the columns that are indexed, and the connectors that it has marked. */
export type KnownRelations = {
  readonly names: LRUCache<string, true>;
  readonly columns: LRUCache<string, Set<string>>;
};
export const newKnownRelations = (): KnownRelations => ({
  names: lruCache(100_000),
  columns: lruCache(20_000),
});

type Writer = {
  readonly table: Table;
  readonly known: KnownRelations;
  readonly postings: PostingWriter;
  readonly graph: GraphId;
};

/** What they write is held together. */
const nodesAtOnce = 500;
const updatesInFlight = 24;
/** Of a relation: an item costs a unit a KB to write, and holds 400. */
const columnsRemembered = 4_000;

type Addition = { readonly graph: GraphId; readonly nodes: readonly Node[]; readonly columns: ColumnsOf };

/** Events come together: what several of them add is written together, and what is being added the next ones know. */
function directoryWriter(table: Table, known: KnownRelations): RelationDirectory['add'] {
  const postings = postingWriter(table);
  const addTogether = async (additions: readonly Addition[]) => {
    for (const [graph, some] of Map.groupBy(additions, (one) => one.graph))
      await addMerged({ table, known, postings, graph }, some);
  };
  const addAll = coalescedBatch(async (additions: readonly Addition[]): Promise<readonly unknown[]> => {
    const failure = await addTogether(additions).catch((error: Error) => error);
    if (!failure || additions.length === 1) return additions.map(() => failure);
    // What fails the others must not fail one.
    return inParallel(updatesInFlight, additions, (one) => addTogether([one]).catch((error: Error) => error));
  });
  return async (graph, nodes, columns = new Map()) => {
    const writer = { table, known, postings, graph };
    const isNew = unknownNodes(writer, nodes).size > 0 || furtherColumns(writer, columns).length > 0;
    if (isNew) await addAll({ graph, nodes, columns });
  };
}

async function addMerged(writer: Writer, additions: readonly Addition[]): Promise<void> {
  const columns = new Map<Urn, ReadonlySet<string>>();
  for (const one of additions)
    for (const [urn, names] of one.columns) {
      const others = columns.get(urn);
      columns.set(urn, others ? new Set([...others, ...names]) : names);
    }
  const unknown = unknownNodes(
    writer,
    additions.flatMap(({ nodes }) => nodes),
  );
  const entries = [...unknown.values()].map((node) => entriesOf(writer.graph, node));
  await addNames(writer, entries, columns);
  await addFurther(writer, columns);
}

/** By their ids. All are requested, so that what is used stays known. */
function unknownNodes({ known, graph }: Writer, nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const unknown = new Map(nodes.map((node) => [entriesId(graph, node), node] as const));
  for (const id of unknown.keys()) if (known.names.get(id)) unknown.delete(id);
  return unknown;
}

async function addNames(writer: Writer, entries: readonly Entries[], columns: ColumnsOf): Promise<void> {
  for (let at = 0; at < entries.length; at += nodesAtOnce) {
    const some = entries.slice(at, at + nodesAtOnce);
    await addMissing(writer, some, columns);
    for (const { id } of some) writer.known.names.set(id, true);
  }
}

/** Columns that relations have since their names were indexed. */
async function addFurther(writer: Writer, columns: ColumnsOf): Promise<void> {
  const due = furtherColumns(writer, columns);
  for (let at = 0; at < due.length; at += nodesAtOnce)
    await addColumns(writer, new Map(due.slice(at, at + nodesAtOnce)));
}

const furtherColumns = (writer: Writer, columns: ColumnsOf) =>
  [...columns]
    .map(([urn, names]) => [urn, unindexed(writer, urn, names)] as const)
    .filter(([, names]) => names.size > 0);

const idOf = ({ graph }: Writer, urn: Urn) => `${graph} ${urn}`;

function unindexed(writer: Writer, urn: Urn, columns: ReadonlySet<string>): ReadonlySet<string> {
  const known = writer.known.columns.get(idOf(writer, urn));
  if (!known) return columns;
  const further = new Set<string>();
  for (const column of columns) if (!known.has(column)) further.add(column);
  return further;
}

function noteIndexed(writer: Writer, urn: Urn, columns: Iterable<string>): void {
  const [id, { columns: known }] = [idOf(writer, urn), writer.known];
  known.set(id, new Set([...(known.get(id) ?? []), ...columns]));
}

/** Digests of the columns that last entries remember, by their keys; without those that are not there. */
async function remembered(table: Table, keys: readonly Key[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const items = await batchGet(table, keys, { attributes: ['pk', 'sk', 'h'] });
  return new Map(items.map((item) => [keyName(keyOf(item)), new Set(item['h']?.SS)]));
}

const digestOf = (column: string): string => contentDigest(column).slice(0, 10);

/** A last entry that is there says that all are: the columns of the others are indexed with their names. */
async function addMissing(writer: Writer, entries: readonly Entries[], columns: ColumnsOf): Promise<void> {
  const found = await remembered(
    writer.table,
    entries.map(({ last }) => last),
  );
  const fresh: Entries[] = [];
  const ofFresh = new Map<Urn, ReadonlySet<string>>();
  for (const one of entries) {
    const [names, digests] = [columns.get(one.urn) ?? new Set<string>(), found.get(keyName(one.last))];
    if (digests)
      noteIndexed(
        writer,
        one.urn,
        [...names].filter((name) => digests.has(digestOf(name))),
      );
    else fresh.push(withColumns(one, [...names].map(digestOf)));
    if (!digests && names.size > 0) ofFresh.set(one.urn, names);
  }
  await indexColumns(writer.postings, writer.graph, ofFresh);
  await addEntries(writer, fresh);
  for (const [urn, names] of ofFresh) noteIndexed(writer, urn, names);
}

const withColumns = (entries: Entries, digests: readonly string[]): Entries =>
  digests.length === 0 ? entries : { ...entries, last: { ...entries.last, h: new Set(digests) } };

async function addColumns(writer: Writer, columns: ColumnsOf): Promise<void> {
  const { table, graph } = writer;
  const keyOfUrn = (urn: Urn) => lastEntryKey(graph, nodeOf(urn));
  const found = await remembered(table, [...columns.keys()].map(keyOfUrn));
  const fresh = [...columns].flatMap(([urn, names]): [Urn, Set<string>][] => {
    const digests = found.get(keyName(keyOfUrn(urn)));
    const some = [...names].filter((name) => !digests?.has(digestOf(name)));
    return some.length === 0 ? [] : [[urn, new Set(some)]];
  });
  await indexColumns(writer.postings, graph, new Map(fresh));
  await inParallel(updatesInFlight, fresh, ([urn, names]) =>
    updateItem(
      table,
      keyOfUrn(urn),
      changing({
        add: { h: { SS: [...names].map(digestOf) } },
        // Without its other entries a relation must not look as if it had all. One that is full has its columns indexed again.
        where: [exists, { name: 'h', is: 'smaller', than: columnsRemembered }],
      }),
    ),
  );
  for (const [urn, names] of columns) noteIndexed(writer, urn, names);
}

/** The last entry of a node says that there are all: it is written when they are. */
async function addEntries({ table, known: { names } }: Writer, entries: readonly Entries[]): Promise<void> {
  const shared = new Map(entries.flatMap((one) => one.shared.map((row) => [keyName(row), row] as const)));
  const unknown = [...shared].filter(([name]) => !names.has(name));
  await putRows(table, [...unknown.map(([, row]) => row), ...entries.flatMap(({ first }) => first)]);
  await putRows(
    table,
    entries.map(({ last }) => last),
  );
  for (const [name] of unknown) names.set(name, true);
}

const putRows = (table: Table, rows: readonly NameRow[]): Promise<void> =>
  batchWrite(
    table,
    rows.map((row) => ({ PutRequest: { Item: marshall(row) } })),
  );

/** `h` of a last entry: digests of the node's indexed columns. */
type NameRow = Key & { readonly u?: string; readonly h?: ReadonlySet<string> };

type Entries = {
  readonly id: string;
  readonly urn: Urn;
  /** What names share: the tails of their leading part, and that their connector has a graph. */
  readonly shared: readonly NameRow[];
  readonly first: readonly NameRow[];
  readonly last: NameRow;
};

const entriesId = (graph: GraphId, node: Node): string => `${graph} ${urnOf(node)}`;

function entriesOf(graph: GraphId, node: Node): Entries {
  const urn = urnOf(node);
  const { own, leading } = indexedTails(relationRefOf(node));
  const rows = own.map((tail) => ({ ...nameEntryKey(graph, tail, nodeId(urn)), u: urn }));
  const shared = leading.map((tail) => leadingTailKey(graph, tail));
  return {
    id: entriesId(graph, node),
    urn,
    shared: node.kind === 'relation' ? [connectorGraphKey(graph, node.connectorId), ...shared] : shared,
    first: rows.slice(0, -1),
    last: rows.at(-1) ?? { ...nameEntryKey(graph, urn, nodeId(urn)), u: urn },
  };
}

export function directoryKeysOf(graph: GraphId, node: Node): Key[] {
  const { shared, first, last } = entriesOf(graph, node);
  return [...shared, ...first, last].map(({ pk, sk }) => ({ pk, sk }));
}

function lastEntryKey(graph: GraphId, node: Node): Key {
  const { pk, sk } = entriesOf(graph, node).last;
  return { pk, sk };
}

/** Lists a node as wide at a level; listing it again changes nothing. */
export async function addWideNode(table: Table, graph: GraphId, urn: Urn, level: number): Promise<void> {
  await putItem(table, marshall({ ...wideNodeKey(graph, level, nodeId(urn)), u: urn }));
}
