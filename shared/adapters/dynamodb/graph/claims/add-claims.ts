import { findOrAdd } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { PageSide } from '../../../../domain/lineage/graph/claim.ts';
import type { ClaimWriter } from '../../../../domain/lineage/graph/claim-writer.ts';
import {
  type HasTakenEffect,
  noDetailsByEdge,
  type StatedDetail,
  withStated,
} from '../../../../domain/lineage/graph/edge-details.ts';
import { type NodeId, nodeId, type ScopeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import { nodeKey, pageKey } from '../../keys/graph-keys.ts';
import { keyOf } from '../../keys/registry-keys.ts';
import { insertMissing } from '../../requests/batched-changes.ts';
import { batchGet, type Item } from '../../requests/items.ts';
import { writeStamp } from '../../requests/update-item.ts';
import { attribute, nodeIdOf } from '../codec.ts';
import { fitsPage, packDetails } from '../details/packed-details.ts';
import { pageSides } from './claim-pages.ts';
import { fitsFirstPage, type GraphWriter, levelNames, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';
import { knowsDetails, planDetails, rememberDetails, type StatedByScope, updatePage } from './page-details.ts';

/** What an order claims of a node, and states of the edges to it. */
type NodeClaims = Readonly<Record<PageSide, readonly NodeId[]>> & { readonly stated: readonly StatedDetail[] };
type PageWrite = { readonly number: number; readonly claims: Partial<NodeClaims> };

const nodesInFlight = 24;
const pagesInFlight = 8;

type Claims = Parameters<ClaimWriter['claim']>[1];

/** The set of (scope, order) on each side, and whose details are written beside it. */
type Claiming = {
  readonly setOn: (side: PageSide) => string;
  readonly scope: ScopeId;
  readonly hasTakenEffect: HasTakenEffect | null;
};

/** Adds edges and schemas to the sets of one (scope, order): all of a node that fits its item goes in one write. */
export async function addClaims(writer: GraphWriter, claims: Claims): Promise<void> {
  const { kind, scope, order, hasTakenEffect = null } = claims;
  const claiming = { setOn: (side: PageSide) => attribute.claims(side, kind, scope, order), scope, hasTakenEffect };
  const left = await insertMissing(writer.table, [...claimsByNode(claims)], {
    keyOf: ([urn]) => nodeKey(writer.graph, nodeId(urn)),
    attributesOf: ([urn, ofNode]) => firstClaims(writer, urn, ofNode, claiming),
    found: {
      attributes: [attribute.details(scope)],
      see: (item) => rememberDetails(writer, { node: nodeIdOf(item), key: keyOf(item) }, item, [scope]),
    },
  });
  await inParallel(nodesInFlight, left, ([urn, ofNode]) => addToNode(writer, urn, ofNode, claiming));
}

/** What a node's item holds at first; null if not all goes into it. */
function firstClaims(
  writer: GraphWriter,
  urn: Urn,
  claims: NodeClaims,
  { setOn, scope, hasTakenEffect }: Claiming,
): Item | null {
  const used = pageSides.filter((side) => claims[side].length > 0);
  if (!used.every((side) => fitsFirstPage(writer, { side, urn }, claims[side]))) return null;
  const sets = used.map((side) => [setOn(side), { SS: [...new Set(claims[side])] }] as const);
  const item = { [attribute.urn]: { S: urn }, [attribute.written]: writeStamp(), ...Object.fromEntries(sets) };
  if (claims.stated.length === 0) return item;
  const details = packDetails(withStated(noDetailsByEdge, claims.stated, hasTakenEffect));
  return fitsPage(details) ? { ...item, [attribute.details(scope)]: details } : null;
}

function claimsByNode({ edges, described = [], stated = [], order }: Claims): ReadonlyMap<Urn, NodeClaims> {
  const found = new Map<Urn, Record<PageSide, NodeId[]> & { stated: StatedDetail[] }>();
  const of = (urn: Urn) => findOrAdd(found, urn, () => ({ out: [], in: [], schema: [], stated: [] }));
  for (const { from, to } of edges) {
    of(from).out.push(nodeId(to));
    of(to).in.push(nodeId(from));
  }
  for (const { node, schema } of described) of(node).schema.push(schema);
  for (const { from, to, detail } of stated) of(to).stated.push({ from: nodeId(from), order, detail });
  return found;
}

async function addToNode(writer: GraphWriter, urn: Urn, claims: NodeClaims, claiming: Claiming): Promise<void> {
  const { setOn, scope, hasTakenEffect } = claiming;
  await inParallel(pagesInFlight, await pageWrites(writer, urn, claims), async ({ number, claims }) => {
    const used = pageSides.filter((side) => claims[side]);
    const { stated: details = [] } = claims;
    const sides = new Set(details.length > 0 ? [...used, 'in' as const] : used);
    const page = { node: nodeId(urn), key: pageKey(writer.graph, used[0] ?? 'in', nodeId(urn), number) };
    const stated: StatedByScope = details.length > 0 ? new Map([[scope, details]]) : new Map();
    if (!knowsDetails(writer, page, stated)) {
      const names = ['pk', 'sk', attribute.details(scope)];
      const [read = {}] = await batchGet(writer.table, [page.key], { attributes: names });
      rememberDetails(writer, page, read, [scope]);
    }
    const plan = await planDetails(writer, page, stated, hasTakenEffect);
    if (used.length === 0 && plan.where.length === 0) return;
    const levels = levelNames(sides);
    const change = {
      set: { ...(number === 0 && { u: { S: urn } }), w: writeStamp() },
      add: Object.fromEntries(used.map((side) => [setOn(side), { SS: [...new Set(claims[side])] }])),
      where: number === 0 ? levels.map((name) => ({ name, is: 'missing' as const })) : [],
    };
    const { refused, units } = await updatePage(writer, page, { change, stated, plan });
    for (const side of sides) {
      if (refused === null) await raiseLevelIfFull(writer, { side, urn }, number, units);
      else rememberLevel(writer, { side, urn }, refused);
    }
    if (refused !== null)
      await addToNode(writer, urn, { out: [], in: [], schema: [], stated: [], ...claims }, claiming);
  });
}

/** What goes on which page: page 0 of all is one item. */
async function pageWrites(writer: GraphWriter, urn: Urn, { stated, ...claims }: NodeClaims): Promise<PageWrite[]> {
  const parts: (PageWrite & { readonly side: PageSide })[] = [];
  for (const side of pageSides)
    for (const [number, others] of await pagesFor(writer, { side, urn }, claims[side]))
      parts.push({ side, number, claims: { [side]: others } });
  const byFrom = new Map(stated.map((one) => [one.from, one]));
  for (const [number, froms] of await pagesFor(writer, { side: 'in', urn }, [...byFrom.keys()]))
    parts.push({ side: 'in', number, claims: { stated: froms.flatMap((from) => byFrom.get(from) ?? []) } });
  const pages = Map.groupBy(parts, ({ side, number }) => (number === 0 ? '' : `${side}${number}`));
  return [...pages.values()].map((ofPage) => ({
    number: ofPage[0]?.number ?? 0,
    claims: Object.assign({}, ...ofPage.map(({ claims }) => claims)),
  }));
}
