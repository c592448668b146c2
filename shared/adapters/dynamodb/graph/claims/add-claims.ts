import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { PageSide } from '../../../../domain/lineage/graph/claim.ts';
import type { Edge } from '../../../../domain/lineage/graph/claim-writer.ts';
import { type NodeId, nodeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import type { Described } from '../../../../domain/lineage/graph/schema.ts';
import { nodeKey, pageKey } from '../../keys/graph-keys.ts';
import { insertMissing } from '../../requests/batched-changes.ts';
import type { Item } from '../../requests/items.ts';
import { changing, updateItem, writeStamp } from '../../requests/update-item.ts';
import { attribute } from '../codec.ts';
import { pageSides } from './claim-pages.ts';
import { fitsFirstPage, type GraphWriter, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';

type Neighbours = Readonly<Record<PageSide, readonly NodeId[]>>;
type PageWrite = { readonly number: number; readonly neighbours: Partial<Neighbours> };

const nodesInFlight = 24;
const pagesInFlight = 8;

type Claims = { readonly edges: readonly Edge[]; readonly described?: readonly Described[] };

/** Adds edges and schemas to the sets of one (scope, order): all of a node that fits its item goes in one write. */
export async function addClaims(writer: GraphWriter, claims: Claims, setOn: (side: PageSide) => string): Promise<void> {
  const left = await insertMissing(writer.table, [...neighbourhoods(claims)], {
    keyOf: ([urn]) => nodeKey(writer.graph, nodeId(urn)),
    attributesOf: ([urn, neighbours]) => firstClaims(writer, urn, neighbours, setOn),
  });
  await inParallel(nodesInFlight, left, ([urn, neighbours]) => addToNode(writer, urn, neighbours, setOn));
}

/** What a node's item holds at first; null if the claims do not all go into it. */
function firstClaims(
  writer: GraphWriter,
  urn: Urn,
  neighbours: Neighbours,
  setOn: (side: PageSide) => string,
): Item | null {
  const used = pageSides.filter((side) => neighbours[side].length > 0);
  if (!used.every((side) => fitsFirstPage(writer, { side, urn }, neighbours[side]))) return null;
  const sets = used.map((side) => [setOn(side), { SS: [...new Set(neighbours[side])] }] as const);
  return { [attribute.urn]: { S: urn }, [attribute.written]: writeStamp(), ...Object.fromEntries(sets) };
}

function neighbourhoods({ edges, described = [] }: Claims): ReadonlyMap<Urn, Neighbours> {
  const found = new Map<Urn, Record<PageSide, NodeId[]>>();
  const of = (urn: Urn) => {
    const known = found.get(urn) ?? { out: [], in: [], schema: [] };
    found.set(urn, known);
    return known;
  };
  for (const { from, to } of edges) {
    of(from).out.push(nodeId(to));
    of(to).in.push(nodeId(from));
  }
  for (const { node, schema } of described) of(node).schema.push(schema);
  return found;
}

async function addToNode(
  writer: GraphWriter,
  urn: Urn,
  neighbours: Neighbours,
  setOn: (side: PageSide) => string,
): Promise<void> {
  await inParallel(pagesInFlight, await pageWrites(writer, urn, neighbours), async ({ number, neighbours }) => {
    const used = pageSides.filter((side) => neighbours[side]);
    const levels = used.flatMap((side) => (side === 'schema' ? [] : attribute.level(side)));
    const key = pageKey(writer.graph, used[0] ?? 'out', nodeId(urn), number);
    const change = changing({
      set: { ...(number === 0 && { u: { S: urn } }), w: writeStamp() },
      add: Object.fromEntries(used.map((side) => [setOn(side), { SS: [...new Set(neighbours[side])] }])),
      where: number === 0 ? levels.map((name) => ({ name, is: 'missing' })) : [],
    });
    const { refused, units } = await updateItem(writer.table, key, change);
    for (const side of used) {
      if (refused === null) await raiseLevelIfFull(writer, { side, urn }, number, units);
      else rememberLevel(writer, { side, urn }, refused);
    }
    if (refused !== null) await addToNode(writer, urn, { out: [], in: [], schema: [], ...neighbours }, setOn);
  });
}

/** What goes on which page: page 0 of all is one item. */
async function pageWrites(writer: GraphWriter, urn: Urn, neighbours: Neighbours): Promise<PageWrite[]> {
  const found = await Promise.all(
    pageSides.map(async (side) => [...(await pagesFor(writer, { side, urn }, neighbours[side]))] as const),
  );
  const pages = found.flatMap((ofSide, i) =>
    ofSide.map(([number, others]) => ({ number, neighbours: { [pageSides[i] ?? 'out']: others } })),
  );
  const first = pages.filter(({ number }) => number === 0);
  const further = pages.filter(({ number }) => number > 0);
  if (first.length === 0) return further;
  return [{ number: 0, neighbours: Object.assign({}, ...first.map((one) => one.neighbours)) }, ...further];
}
