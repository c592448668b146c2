import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../../../domain/base/caching.ts';
import { type MergedRuns, mergedRuns, type Turn } from '../../../../domain/base/concurrency.ts';
import {
  type Claim,
  levelOfPage,
  type PageSide,
  pageNumber,
  type Side,
  schemaPage,
} from '../../../../domain/lineage/graph/claim.ts';
import { type GraphId, type NodeId, nodeId, type ScopeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import { nodeKey, pageKey } from '../../keys/graph-keys.ts';
import { addWideNode } from '../../names/relation-directory.ts';
import type { ChangeTogether } from '../../requests/batched-changes.ts';
import { batchGet, type Item } from '../../requests/items.ts';
import type { Table } from '../../requests/table.ts';
import { changing, updateItem } from '../../requests/update-item.ts';
import { attribute, levelOf, pageOf } from '../codec.ts';
import type { KnownStatements } from '../details/long-details.ts';
import { mergedSightings, type Sighting } from './sighting.ts';

/** Neighbours that a page aims at: a write costs a unit a KB of the page, so 4 KB is the limit. */
const neighboursPerPage = 60;
/** A write that consumed more tells that the page has grown too large to be written often. */
export const maxWriteUnits = 4;

/** What the claim writer keeps between calls: levels are only ever raised, so an old one is safe, never wrong. */
export type WriterState = {
  readonly levels: LRUCache<string, number>;
  readonly facts: LRUCache<string, true>;
  /** Nodes whose items have grown so large that no more observers are named on them. */
  readonly withoutObservers: LRUCache<string, true>;
  /** What is known to be in the table, and small: how many writes by the batch, which returns no units, it may still get. */
  readonly known: LRUCache<string, number>;
  /** What pages hold of the details of scopes, as it was last seen; an absent value: nothing. */
  readonly details: LRUCache<string, { readonly value: AttributeValue | undefined }>;
  readonly statements: KnownStatements;
  /** Pages that are expensive to write. */
  readonly largePages: LRUCache<string, true>;
  readonly observing: MergedRuns<readonly Sighting[], void>;
};

/** Some 30,000 pages; packed statements take twenty times as much when they are unpacked. */
const [knownDetailsBytes, entryBytes, knownStatementsBytes] = [16 * 1024 * 1024, 256, 2 * 1024 * 1024];

/** @param turn when what was seen of a node is written: what is seen of it before is written with it */
export const newWriterState = (turn: Turn = (write) => write()): WriterState => ({
  levels: lruCache(100_000),
  facts: lruCache(50_000),
  withoutObservers: lruCache(50_000),
  known: lruCache(100_000),
  details: lruCache(knownDetailsBytes, ({ value }) => entryBytes + (value?.B?.length ?? 0)),
  statements: lruCache(knownStatementsBytes, ({ bytes }) => bytes),
  largePages: lruCache(50_000),
  observing: mergedRuns((all) => mergedSightings(all.flat()), { begin: turn }),
});

export type GraphWriter = {
  readonly table: Table;
  readonly state: WriterState;
  readonly changeTogether: ChangeTogether;
  readonly graph: GraphId;
};

export type SideOfNode = { readonly side: PageSide; readonly urn: Urn };
type EdgeSideOfNode = SideOfNode & { readonly side: Side };
/** Schemas are few: they are in the node's item or on one page. */
const isEdgeSide = (one: SideOfNode): one is EdgeSideOfNode => one.side !== 'schema';

/** Attributes that a node with one page of each of the sides does not have. */
export const levelNames = (sides: ReadonlySet<PageSide>): string[] =>
  [...sides].flatMap((side) => (side === 'schema' ? [] : attribute.level(side)));

const levelKey = (writer: GraphWriter, { side, urn }: EdgeSideOfNode) => `${writer.graph} ${side} ${nodeId(urn)}`;
const knownLevel = (writer: GraphWriter, one: EdgeSideOfNode) => writer.state.levels.get(levelKey(writer, one)) ?? 0;

/** The pages that take neighbours at the level that is known, which is raised first where they are too many for it. */
export async function pagesFor(
  writer: GraphWriter,
  one: SideOfNode,
  others: readonly NodeId[],
  scope: ScopeId | null = null,
): Promise<ReadonlyMap<number, readonly NodeId[]>> {
  if (!isEdgeSide(one)) return others.length > 0 ? new Map([[pageOfSchemas(writer, one.urn), others]]) : new Map();
  let target = knownLevel(writer, one);
  while (others.length / 2 ** target > neighboursPerPage) target++;
  if (target > knownLevel(writer, one)) await raiseLevel(writer, one, target);
  const level = knownLevel(writer, one);
  return Map.groupBy(others, (other) => pageNumber(level, other, scope));
}

/** Whether a side is known of no level, and needs none for this many neighbours. */
export const fitsFirstPage = (writer: GraphWriter, one: SideOfNode, others: readonly NodeId[]): boolean =>
  isEdgeSide(one)
    ? knownLevel(writer, one) === 0 && others.length <= neighboursPerPage
    : pageOfSchemas(writer, one.urn) === 0;

const pageOfSchemas = (writer: GraphWriter, urn: Urn): number =>
  (['in', 'out'] as const).some((side) => knownLevel(writer, { side, urn }) > 0) ? schemaPage : 0;

/** Raises a side's level before any page of it is written: a reader that sees the level reads those pages. */
async function raiseLevel(writer: GraphWriter, one: EdgeSideOfNode, level: number): Promise<void> {
  const [name, value] = [attribute.level(one.side), { N: String(level) }];
  const raised = changing({
    set: { [name]: value, [attribute.urn]: { S: one.urn } },
    where: [{ name, is: '<', value, orMissing: true }],
  });
  const answer = await updateItem(writer.table, nodeKey(writer.graph, nodeId(one.urn)), raised);
  if (answer.refused === null) {
    writer.state.levels.set(levelKey(writer, one), level);
    await addWideNode(writer.table, writer.graph, one.urn, level);
  } else rememberLevel(writer, one, answer.refused);
}

export function rememberLevel(writer: GraphWriter, one: SideOfNode, item: Item): void {
  if (!isEdgeSide(one)) return;
  writer.state.levels.set(levelKey(writer, one), levelOf(one.side, item));
}

/** Raises the level of a page grown by neighbours or scopes, not by retired orders: pruning shrinks it again. */
export async function raiseLevelIfFull(
  writer: GraphWriter,
  one: SideOfNode,
  page: number,
  units: number,
): Promise<void> {
  if (units <= maxWriteUnits || !isEdgeSide(one)) return;
  const items = await batchGet(writer.table, [pageKey(writer.graph, one.side, nodeId(one.urn), page)]);
  const claims = items.flatMap((item) => pageOf(one.side, item).claims);
  const distinct = new Set(claims.map((claim) => `${claim.other}${scopeOf(claim) ?? ''}`));
  const next = levelOfPage(page) + 1;
  // What a higher level would keep together stays where it is.
  const pages = new Set(claims.map((claim) => pageNumber(next, claim.other, scopeOf(claim))));
  if (distinct.size > neighboursPerPage && pages.size > 1) await raiseLevel(writer, one, next);
}

const scopeOf = (claim: Claim): ScopeId | null => (claim.kind === 'observed' ? claim.scope : null);
