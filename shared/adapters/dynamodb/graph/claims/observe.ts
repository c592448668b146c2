import { inParallel } from '../../../../domain/concurrency/in-parallel.ts';
import type { Observation } from '../../../../domain/graph/claim-writer.ts';
import { nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import type { Item } from '../../batch-get.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { changeKnown } from '../../known-items.ts';
import { updateItem } from '../../update-item.ts';
import { levelOf } from '../codec/codec.ts';
import { type GraphWriter, maxWriteUnits, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';
import { moving, type RegisterPlace, registering } from './registering.ts';
import { type Sighting, sightingsOf } from './sighting.ts';
import { trimSchemas } from './trim-schemas.ts';

const pagesInFlight = 8;
/** Of which both ends are one time: an expression holds 4 KB and 300 operators, and others take twice as much. */
const registersPerUpdate = 60;
/** A job may be named anew by each of its runs: beyond so many units a write, its name is stored in its head alone. */
const maxUnitsWithObservers = 8;

/**
 * Widens the registers of what was observed to its time: of edges on the pages of both ends. What is observed of a node
 * while it is written is written together afterwards: many runs read one relation.
 */
export async function observeNodes(writer: GraphWriter, observation: Observation): Promise<void> {
  await Promise.all(
    [...sightingsOf(observation)].map(([urn, sightings]) =>
      writer.state.observing(`${writer.workspace} ${urn}`, sightings, (merged) => observeNode(writer, urn, merged)),
    ),
  );
}

async function observeNode(writer: GraphWriter, urn: Urn, sightings: readonly Sighting[]): Promise<void> {
  await inParallel(pagesInFlight, await pagesOf(writer, urn, sightings), ({ page, sightings }) =>
    observeOnPage(writer, urn, page, sightings),
  );
}

type OnPage = { readonly page: number; readonly sightings: readonly Sighting[] };

/** What goes on which page: page 0 of both sides, and of the schemas, is one item; of further pages each is its side's. */
async function pagesOf(writer: GraphWriter, urn: Urn, sightings: readonly Sighting[]): Promise<OnPage[]> {
  const groups = Map.groupBy(sightings, ({ side, scope }) => `${side}${scope.scope}`);
  const placed = await Promise.all([...groups.values()].map((group) => placedOf(writer, urn, group)));
  const items = Map.groupBy(placed.flat(), ({ page, sighting }) => (page === 0 ? '' : `${sighting.side}${page}`));
  return [...items.values()].map((onItem) => ({
    page: onItem[0]?.page ?? 0,
    sightings: onItem.map(({ sighting }) => sighting),
  }));
}

/** The page of each sighting on one side by one scope. */
async function placedOf(writer: GraphWriter, urn: Urn, group: readonly Sighting[]) {
  const [first] = group;
  if (!first) return [];
  const byOther = new Map(group.map((one) => [one.other, one]));
  const pages = await pagesFor(writer, { side: first.side, urn }, [...byOther.keys()], first.scope.scope);
  return [...pages].flatMap(([page, others]) =>
    others.flatMap((other) => {
      const sighting = byOther.get(other);
      return sighting ? [{ page, sighting }] : [];
    }),
  );
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
  const atOnce = sightings.every(({ span }) => span.first === span.last) ? registersPerUpdate : registersPerUpdate / 2;
  let units = 0;
  for (let from = 0; from < sightings.length; from += atOnce) {
    const some = sightings.slice(from, from + atOnce);
    const names = knownNames(writer, place, some);
    if (await moveTogether(writer, place, some, names)) continue;
    const written = await widenRegisters(writer, place, some);
    if (written.widened) {
      for (const side of sides) rememberLevel(writer, { side, urn }, written.widened);
      return observeNode(writer, urn, sightings.slice(from));
    }
    units = written.units || units;
    if (written.units > 0 && written.units <= maxWriteUnits) writer.state.known.note(names);
  }
  if (place.isNamed && units > maxUnitsWithObservers) writer.state.withoutObservers.set(name, true);
  if (units > maxUnitsWithObservers && sides.has('schema')) await trimSchemas(writer, urn, page);
  for (const side of sides) await raiseLevelIfFull(writer, { side, urn }, page, units);
}

/** Moves registers by the batch, which the process has seen before by these names; answers whether it did. */
const moveTogether = (
  writer: GraphWriter,
  place: RegisterPlace,
  sightings: readonly Sighting[],
  names: readonly string[],
): Promise<boolean> =>
  changeKnown({ known: writer.state.known, changeTogether: writer.changeTogether }, names, () => ({
    key: keyOf(writer, place, sightings),
    ...moving(place, sightings),
  }));

/** What the scopes of sightings have on a page, by name. */
const knownNames = (
  { workspace }: GraphWriter,
  { urn, page }: RegisterPlace,
  sightings: readonly Sighting[],
): readonly string[] => [
  ...new Set(sightings.map(({ side, scope }) => `${workspace} ${urn} ${page === 0 ? '' : side}${page} ${scope.scope}`)),
];

const keyOf = ({ workspace }: GraphWriter, { urn, page }: RegisterPlace, sightings: readonly Sighting[]) =>
  pageKey(workspace, sightings[0]?.side ?? 'out', nodeId(urn), page);

/**
 * Widens registers by as many updates as others' writes make necessary; `units` are of the last, 0 where none was due.
 * `widened` is the item of page 0, where a side has more pages than this process knew: then nothing was written.
 */
async function widenRegisters(
  writer: GraphWriter,
  place: RegisterPlace,
  sightings: readonly Sighting[],
): Promise<{ readonly units: number; readonly widened: Item | null }> {
  const key = keyOf(writer, place, sightings);
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
