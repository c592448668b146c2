import { LRUCache } from 'lru-cache';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { levelOfPage, pageNumber, type Side } from '../../../domain/graph/claim.ts';
import { type NodeId, nodeId } from '../../../domain/graph/ids.ts';
import type { Urn } from '../../../domain/lineage/node.ts';
import { batchGet, type Item } from '../batch-get.ts';
import { nodeKey, pageKey } from '../keys.ts';
import type { Meter, Table } from '../table.ts';
import { updateItem } from '../update-item.ts';
import { attribute, levelOf, pageOf } from './page-codec.ts';

/** Neighbours that a page aims at: a write costs a unit a KB of the page, so 4 KB is the limit. */
const neighboursAPage = 60;
/** A write that consumed more says that the page has grown too fat to be written often. */
const fatWriteUnits = 4;

/** What the claim writer keeps between calls: levels are only ever raised, so an old one is safe, never wrong. */
export type WriterState = {
  readonly levels: LRUCache<string, number>;
  readonly facts: LRUCache<string, true>;
  /** Nodes whose items have grown so large that no more observers are named on them. */
  readonly fullOfObservers: LRUCache<string, true>;
};

export const newWriterState = (): WriterState => ({
  levels: new LRUCache({ max: 100_000 }),
  facts: new LRUCache({ max: 50_000 }),
  fullOfObservers: new LRUCache({ max: 50_000 }),
});

export type Writer = {
  readonly table: Table;
  readonly state: WriterState;
  readonly workspace: WorkspaceId;
  readonly meter: Meter | undefined;
};

export type SideOfNode = { readonly side: Side; readonly urn: Urn };

const levelKey = (writer: Writer, { side, urn }: SideOfNode) => `${writer.workspace} ${side} ${nodeId(urn)}`;
const knownLevel = (writer: Writer, one: SideOfNode) => writer.state.levels.get(levelKey(writer, one)) ?? 0;

/** The pages that take neighbours at the level that is known, which is raised first where they are too many for it. */
export async function pagesFor(
  writer: Writer,
  one: SideOfNode,
  others: readonly NodeId[],
): Promise<ReadonlyMap<number, NodeId[]>> {
  let wanted = knownLevel(writer, one);
  while (others.length / 2 ** wanted > neighboursAPage) wanted++;
  if (wanted > knownLevel(writer, one)) await widen(writer, one, wanted);
  const level = knownLevel(writer, one);
  return Map.groupBy(others, (other) => pageNumber(level, other));
}

/** Raises a side's level before any page of it is written: a reader that sees the level reads those pages. */
async function widen(writer: Writer, one: SideOfNode, level: number): Promise<void> {
  const answer = await updateItem(writer, nodeKey(writer.workspace, nodeId(one.urn)), {
    UpdateExpression: 'SET #b = :b, u = :u',
    ConditionExpression: 'attribute_not_exists(#b) OR #b < :b',
    ExpressionAttributeNames: { '#b': attribute.level(one.side) },
    ExpressionAttributeValues: { ':b': { N: String(level) }, ':u': { S: one.urn } },
  });
  if (answer.refused === null) writer.state.levels.set(levelKey(writer, one), level);
  else rememberLevel(writer, one, answer.refused);
}

export function rememberLevel(writer: Writer, one: SideOfNode, item: Item): void {
  writer.state.levels.set(levelKey(writer, one), levelOf(one.side, item));
}

/**
 * Widens a side whose page has become fat by many neighbours. Fat by dead orders it is left: pruning makes it thin,
 * and a level never falls again.
 *
 * @param units what the last write of the page consumed
 */
export async function widenIfCrowded(writer: Writer, one: SideOfNode, page: number, units: number): Promise<void> {
  if (units <= fatWriteUnits) return;
  const items = await batchGet(writer.table, [pageKey(writer.workspace, one.side, nodeId(one.urn), page)]);
  const neighbours = new Set(items.flatMap((item) => pageOf(one.side, item).claims.map(({ other }) => other)));
  if (neighbours.size > neighboursAPage) await widen(writer, one, levelOfPage(page) + 1);
}
