import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { Side } from '../../../../domain/graph/claim.ts';
import { type NodeId, nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import type { Edge } from '../../../../domain/graph/ports.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { updateItem, writeStamp } from '../../update-item.ts';
import { attribute } from '../codec/codec.ts';
import { type GraphWriter, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';

type Neighbours = Readonly<Record<Side, readonly NodeId[]>>;
type PageWrite = { readonly number: number; readonly neighbours: Partial<Neighbours> };

const nodesInFlight = 24;
const pagesInFlight = 8;
const sides = ['out', 'in'] as const;

/** Adds edges to the sets of one (scope, order): all neighbours of a node that fit its item go in one write. */
export async function addClaims(
  writer: GraphWriter,
  edges: readonly Edge[],
  setOn: (side: Side) => string,
): Promise<void> {
  await inParallel(nodesInFlight, [...neighbourhoods(edges)], ([urn, neighbours]) =>
    addToNode(writer, urn, neighbours, setOn),
  );
}

function neighbourhoods(edges: readonly Edge[]): ReadonlyMap<Urn, Neighbours> {
  const found = new Map<Urn, Record<Side, NodeId[]>>();
  const of = (urn: Urn) => {
    const known = found.get(urn) ?? { out: [], in: [] };
    found.set(urn, known);
    return known;
  };
  for (const { from, to } of edges) {
    of(from).out.push(nodeId(to));
    of(to).in.push(nodeId(from));
  }
  return found;
}

async function addToNode(
  writer: GraphWriter,
  urn: Urn,
  neighbours: Neighbours,
  setOn: (side: Side) => string,
): Promise<void> {
  await inParallel(pagesInFlight, await pageWrites(writer, urn, neighbours), async ({ number, neighbours }) => {
    const taken = sides.filter((side) => neighbours[side]);
    const key = pageKey(writer.workspace, taken[0] ?? 'out', nodeId(urn), number);
    const { refused, units } = await updateItem(writer.table, key, {
      UpdateExpression: `SET ${number === 0 ? 'u = :u, ' : ''}w = :w ADD ${taken.map((side) => `#${side} :${side}`).join(', ')}`,
      ...(number === 0 && {
        ConditionExpression: taken.map((side) => `attribute_not_exists(${attribute.level(side)})`).join(' AND '),
      }),
      ExpressionAttributeNames: Object.fromEntries(taken.map((side) => [`#${side}`, setOn(side)])),
      ExpressionAttributeValues: {
        ...(number === 0 && { ':u': { S: urn } }),
        ':w': writeStamp(),
        ...Object.fromEntries(taken.map((side) => [`:${side}`, { SS: [...new Set(neighbours[side])] }])),
      },
    });
    for (const side of taken) {
      if (refused === null) await raiseLevelIfFull(writer, { side, urn }, number, units);
      else rememberLevel(writer, { side, urn }, refused);
    }
    if (refused !== null) await addToNode(writer, urn, { out: [], in: [], ...neighbours }, setOn);
  });
}

/** What goes on which page: both sides' page 0 is one item. */
async function pageWrites(writer: GraphWriter, urn: Urn, neighbours: Neighbours): Promise<PageWrite[]> {
  const found = await Promise.all(
    sides.map(async (side) => [...(await pagesFor(writer, { side, urn }, neighbours[side]))] as const),
  );
  const pages = found.flatMap((ofSide, i) =>
    ofSide.map(([number, others]) => ({ number, neighbours: { [sides[i] ?? 'out']: others } })),
  );
  const first = pages.filter(({ number }) => number === 0);
  const further = pages.filter(({ number }) => number > 0);
  if (first.length === 0) return further;
  return [{ number: 0, neighbours: Object.assign({}, ...first.map((one) => one.neighbours)) }, ...further];
}
