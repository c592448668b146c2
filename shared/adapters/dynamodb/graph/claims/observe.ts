import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { PageSide } from '../../../../domain/graph/claim.ts';
import type { Observation } from '../../../../domain/graph/claim-writer.ts';
import { type NodeId, nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import type { Micros } from '../../../../domain/graph/order.ts';
import type { ScopeIdentity } from '../../../../domain/graph/scope-store.ts';
import type { Item } from '../../batch-get.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { updateItem } from '../../update-item.ts';
import { levelOf } from '../codec/codec.ts';
import { type GraphWriter, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';
import { type RegisterPlace, registering } from './registering.ts';
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

/** What goes on which page: page 0 of both sides, and of the schemas, is one item; of further pages each is its side's. */
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
  const name = `${writer.workspace} ${urn}`;
  const place = { urn, page, isNamed: page === 0 && !writer.state.withoutObservers.has(name) };
  const sides = new Set(sightings.map(({ side }) => side));
  let units = 0;
  for (let from = 0; from < sightings.length; from += registersPerUpdate) {
    const written = await widenRegisters(writer, place, sightings.slice(from, from + registersPerUpdate));
    if (written.widened) {
      for (const side of sides) rememberLevel(writer, { side, urn }, written.widened);
      return observeNode(writer, urn, sightings.slice(from));
    }
    units = written.units || units;
  }
  if (place.isNamed && units > maxUnitsWithObservers) writer.state.withoutObservers.set(name, true);
  if (units > maxUnitsWithObservers && sides.has('schema')) await trimSchemas(writer, urn, page);
  for (const side of sides) await raiseLevelIfFull(writer, { side, urn }, page, units);
}

/**
 * Widens registers by as many updates as others' writes make necessary; `units` are of the last, 0 where none was due.
 * `widened` is the item of page 0, where a side has more pages than this process knew: then nothing was written.
 */
async function widenRegisters(
  writer: GraphWriter,
  place: RegisterPlace,
  sightings: readonly Sighting[],
): Promise<{ readonly units: number; readonly widened: Item | null }> {
  const key = pageKey(writer.workspace, sightings[0]?.side ?? 'out', nodeId(place.urn), place.page);
  let item: Item = {};
  for (;;) {
    const update = registering(place, sightings, item);
    if (update === null) return { units: 0, widened: null };
    const { refused, units } = await updateItem(writer.table, key, update);
    if (refused === null) return { units, widened: null };
    // Refused: some register already spans the time; what is still due follows from the item that refused.
    item = refused;
    const isWide = sightings.some(({ side }) => side !== 'schema' && levelOf(side, refused) > 0);
    if (place.page === 0 && isWide) return { units: 0, widened: refused };
  }
}
