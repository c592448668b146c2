import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { PageSide } from '../../../../domain/graph/claim.ts';
import { type NodeId, nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import type { Micros } from '../../../../domain/graph/order.ts';
import type { Observation, ScopeIdentity } from '../../../../domain/graph/ports.ts';
import type { Item } from '../../batch-get.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { updateItem } from '../../update-item.ts';
import { levelOf } from '../codec/codec.ts';
import { type GraphWriter, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';
import { registering } from './registering.ts';
import { trimSchemas } from './trim-schemas.ts';

/** That a scope saw a neighbour, or a schema, of a node at a time. */
export type Sighting = {
  readonly side: PageSide;
  readonly other: NodeId;
  readonly scope: ScopeIdentity;
  readonly at: Micros;
};

const nodesInFlight = 24;
const pagesInFlight = 8;
/** An expression holds 4 KB. */
const registersPerUpdate = 60;
/** A job may be named anew by each of its runs: beyond so many units a write, its name is stored in its head alone. */
const maxUnitsWithObservers = 8;

/** Widens the registers of what was observed to its time: of edges on the pages of both ends. */
export async function observeNodes(writer: GraphWriter, observation: Observation): Promise<void> {
  await inParallel(nodesInFlight, [...sightingsOf(observation)], ([urn, sightings]) =>
    observeNode(writer, urn, sightings),
  );
}

function sightingsOf({ scope, at, edges, schemas }: Observation): ReadonlyMap<Urn, readonly Sighting[]> {
  const ofEdges = edges.flatMap(({ from, to }) => [
    { urn: from, sighting: { side: 'out', other: nodeId(to), scope, at } as const },
    { urn: to, sighting: { side: 'in', other: nodeId(from), scope, at } as const },
  ]);
  const ofSchemas = (schemas?.seen ?? []).map(({ node, schema, at }) => ({
    urn: node,
    sighting: { side: 'schema', other: schema, scope: schemas?.scope ?? scope, at } as const,
  }));
  const found = new Map<Urn, Map<string, Sighting>>();
  for (const { urn, sighting } of [...ofEdges, ...ofSchemas]) {
    const known = found.get(urn) ?? new Map<string, Sighting>();
    known.set(`${sighting.side}${sighting.other}`, sighting);
    found.set(urn, known);
  }
  return new Map([...found].map(([urn, sightings]) => [urn, [...sightings.values()]]));
}

async function observeNode(writer: GraphWriter, urn: Urn, sightings: readonly Sighting[]): Promise<void> {
  await inParallel(pagesInFlight, await pagesOf(writer, urn, sightings), ({ page, sightings }) =>
    observeOnPage(writer, urn, page, sightings),
  );
}

type OnPage = { readonly page: number; readonly sightings: readonly Sighting[] };

/** What goes on which page: page 0 of both sides, and the schemas, are one item; of further pages each is its side's. */
async function pagesOf(writer: GraphWriter, urn: Urn, sightings: readonly Sighting[]): Promise<OnPage[]> {
  const sides = Map.groupBy(sightings, ({ side }) => side);
  const found = await Promise.all(
    [...sides].map(async ([side, ofSide]) => {
      const byOther = new Map(ofSide.map((one) => [one.other, one]));
      const pages = await pagesFor(writer, { side, urn }, [...byOther.keys()], ofSide[0]?.scope.scope);
      return [...pages].map(([page, others]) => ({ page, sightings: others.flatMap((one) => byOther.get(one) ?? []) }));
    }),
  );
  const first = found.flat().filter(({ page }) => page === 0);
  const further = found.flat().filter(({ page }) => page > 0);
  return first.length === 0 ? further : [{ page: 0, sightings: first.flatMap((one) => one.sightings) }, ...further];
}

async function observeOnPage(
  writer: GraphWriter,
  urn: Urn,
  page: number,
  sightings: readonly Sighting[],
): Promise<void> {
  const key = pageKey(writer.workspace, sightings[0]?.side ?? 'out', nodeId(urn), page);
  const sides = new Set(sightings.map(({ side }) => side));
  const name = `${writer.workspace} ${urn}`;
  const isNamed = page === 0 && !writer.state.withoutObservers.has(name);
  let pending: readonly Sighting[] = sightings;
  let seenIn: Item = {};
  let units = 0;
  while (pending.length > 0) {
    const now = pending.slice(0, registersPerUpdate);
    const update = registering({ urn, page, isNamed }, now, seenIn);
    if (update !== null) {
      const answer = await updateItem(writer.table, key, update);
      if (answer.refused !== null) {
        const isWide =
          page === 0 && [...sides].some((side) => side !== 'schema' && levelOf(side, answer.refused ?? {}) > 0);
        for (const side of isWide ? sides : []) rememberLevel(writer, { side, urn }, answer.refused);
        if (isWide) return observeNode(writer, urn, pending);
        // Refused: some register already spans the time; what is still due follows from the item that refused.
        seenIn = answer.refused;
        continue;
      }
      units = answer.units;
    }
    pending = pending.slice(now.length);
    seenIn = {};
  }
  if (isNamed && units > maxUnitsWithObservers) writer.state.withoutObservers.set(name, true);
  if (units > maxUnitsWithObservers && sides.has('schema')) await trimSchemas(writer, urn);
  for (const side of sides) await raiseLevelIfFull(writer, { side, urn }, page, units);
}
