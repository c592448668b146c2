import { findOrAdd, sortedBy } from '../../../../domain/base/collections.ts';
import { inParallel } from '../../../../domain/base/concurrency.ts';
import type { ObservedClaim } from '../../../../domain/lineage/graph/claim.ts';
import type { Observation } from '../../../../domain/lineage/graph/claim-writer.ts';
import type { StatedDetail } from '../../../../domain/lineage/graph/edge-details.ts';
import { nodeId, type ScopeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import { readWithoutOutput } from '../../../../domain/lineage/graph/schema.ts';
import { pageKey } from '../../keys/graph-keys.ts';
import { batchGet, type Item } from '../../requests/items.ts';
import { type Change, type Requirement, writeStamp } from '../../requests/update-item.ts';
import { attribute, claimsOn, levelOf, observerText, timeValue } from '../codec.ts';
import { type GraphWriter, levelNames, maxWriteUnits, pagesFor, raiseLevelIfFull, rememberLevel } from './levels.ts';
import {
  knowsDetails,
  noteWritten,
  planDetails,
  type StatedByScope,
  updatePage,
  type WrittenPage,
} from './page-details.ts';
import { changeRegisters, removalOf } from './registers.ts';
import { type Sighting, sightingsOf } from './sighting.ts';

/** A reader finds the scope's head where its name is too long to be stored on each node that the scope writes. */
const maxObserverLength = 300;

type RegisterPlace = WrittenPage & { readonly urn: Urn; readonly page: number; readonly isNamed: boolean };

/** Widens registers unless they moved meanwhile. By the batch it moves only last times of registers that exist. */
function widening({ urn, page, isNamed }: RegisterPlace, seen: readonly Sighting[], due: readonly Due[]): Change {
  const set: Item = { [attribute.written]: writeStamp() };
  const setIfMissing: Item = page === 0 ? { [attribute.urn]: { S: urn } } : {};
  const where =
    page === 0
      ? levelNames(new Set(seen.map(({ side }) => side))).map((name): Requirement => ({ name, is: 'missing' }))
      : [];
  if (isNamed) for (const { name, text } of observersOf(seen)) set[name] = { S: text };
  for (const { sighting, ends } of due) {
    const { side, other, scope, span } = sighting;
    const names = attribute.registers(side, other, scope.scope);
    const first = { name: names.first, value: timeValue(span.first), orMissing: true } as const;
    const last = { name: names.last, value: timeValue(span.last), orMissing: true } as const;
    (ends === 'last' ? setIfMissing : set)[first.name] = first.value;
    if (ends !== 'last') where.push({ ...first, is: '>' });
    // An end that is there is no later than the other; between two times it may still be later than the first.
    else if (span.first !== span.last) where.push({ ...first, is: '<=' });
    if (ends === 'first') continue;
    set[last.name] = last.value;
    where.push({ ...last, is: '<' });
  }
  return { set, setIfMissing, where };
}

type Due = { readonly sighting: Sighting; readonly ends: 'first' | 'last' | 'both' };

function dueOf(item: Item, sighting: Sighting): Due[] {
  const { side, other, scope, span } = sighting;
  const names = attribute.registers(side, other, scope.scope);
  const last = item[names.last]?.N;
  if (last === undefined) return [{ sighting, ends: 'last' }];
  const first = item[names.first]?.N ?? last;
  const isEarlier = BigInt(first) > BigInt(span.first);
  if (BigInt(last) < BigInt(span.last)) return [{ sighting, ends: isEarlier ? 'both' : 'last' }];
  return isEarlier ? [{ sighting, ends: 'first' }] : [];
}

const dueIn = (item: Item, seen: readonly Sighting[]): Due[] => seen.flatMap((one) => dueOf(item, one));

/** Who observes what is upstream of the node: a reader of it need not read the heads. Who observes its schema follows. */
function observersOf(seen: readonly Sighting[]): { readonly name: string; readonly text: string }[] {
  const scopes = new Map(seen.flatMap(({ side, scope }) => (side === 'in' ? [[scope.scope, scope] as const] : [])));
  return [...scopes.values()].flatMap((identity) => {
    const text = observerText(identity);
    return text.length > maxObserverLength ? [] : [{ name: attribute.observer(identity.scope), text }];
  });
}

const pagesInFlight = 8;
/** With equal ends, each of another scope: an expression holds 4 KB and 300 operators, and others take twice as much. */
const registersPerUpdate = 40;
/** A job may be named anew by each of its runs: beyond this many units a write, its name is stored only in its head. */
const maxUnitsWithObservers = 8;

/** Widens registers on the pages of both ends. Many runs read one relation, so waiting observations share one write. */
export async function observeNodes(writer: GraphWriter, observation: Observation): Promise<void> {
  await Promise.all(
    [...sightingsOf(observation)].map(([urn, sightings]) =>
      writer.state.observing(`${writer.graph} ${urn}`, sightings, (merged) => observeNode(writer, urn, merged)),
    ),
  );
}

async function observeNode(writer: GraphWriter, urn: Urn, sightings: readonly Sighting[]): Promise<void> {
  await inParallel(pagesInFlight, await pagesOf(writer, urn, sightings), ({ page, sightings }) =>
    observeOnPage(writer, urn, page, sightings),
  );
}

type OnPage = { readonly page: number; readonly sightings: readonly Sighting[] };

async function pagesOf(writer: GraphWriter, urn: Urn, sightings: readonly Sighting[]): Promise<OnPage[]> {
  const groups = Map.groupBy(sightings, ({ side, scope }) => `${side}${scope.scope}`);
  const placed = await Promise.all([...groups.values()].map((group) => placedOf(writer, urn, group)));
  const items = Map.groupBy(placed.flat(), ({ page, sighting }) => (page === 0 ? '' : `${sighting.side}${page}`));
  return [...items.values()].map((onItem) => ({
    page: onItem[0]?.page ?? 0,
    sightings: onItem.map(({ sighting }) => sighting),
  }));
}

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
  const name = `${writer.graph} ${urn}`;
  const key = pageKey(writer.graph, sightings[0]?.side ?? 'out', nodeId(urn), page);
  const isNamed = page === 0 && !writer.state.withoutObservers.has(name);
  const place = { urn, page, node: nodeId(urn), key, isNamed };
  const sides = new Set(sightings.map(({ side }) => side));
  const atOnce = sightings.every(({ span }) => span.first === span.last) ? registersPerUpdate : registersPerUpdate / 2;
  let units = 0;
  for (let from = 0; from < sightings.length; from += atOnce) {
    const some = sightings.slice(from, from + atOnce);
    const names = knownNames(writer, place, some);
    const stated = statedIn(some);
    if (await moveTogether(writer, place, some, { names, stated })) continue;
    const written = await widenRegisters(writer, place, some, stated);
    if (written.widened) {
      for (const side of sides) rememberLevel(writer, { side, urn }, written.widened);
      return observeNode(writer, urn, sightings.slice(from));
    }
    units = written.units || units;
    if (written.units > 0 && written.units <= maxWriteUnits)
      for (const known of names) writer.state.known.set(known, writesUnseen);
  }
  if (place.isNamed && units > maxUnitsWithObservers) writer.state.withoutObservers.set(name, true);
  if (units > maxUnitsWithObservers && sides.has('schema')) await trimSchemas(writer, urn, page);
  for (const side of sides) await raiseLevelIfFull(writer, { side, urn }, page, units);
}

/** Writes of an item by the batch, which does not return the units, before a single one tells how large it is. */
const writesUnseen = 16;

/** Moves registers by the batch, which the process has seen before by these names; answers whether it did. */
async function moveTogether(
  writer: GraphWriter,
  place: RegisterPlace,
  sightings: readonly Sighting[],
  { names, stated }: { readonly names: readonly string[]; readonly stated: StatedByScope },
): Promise<boolean> {
  if (!knowsDetails(writer, place, stated)) return false;
  const { set, where, long } = await planDetails(writer, place, stated, null);
  // Nobody would learn whether the page names the item.
  if (long.size > 0) return false;
  const { known } = writer.state;
  if (!names.every((name) => (known.get(name) ?? 0) > 0)) return false;
  const change = widening(place, sightings, dueIn({}, sightings));
  const whole = { ...change, key: place.key, set: { ...change.set, ...set }, where: [...change.where, ...where] };
  const isDone = await writer.changeTogether(whole);
  for (const name of names) known.set(name, isDone ? (known.get(name) ?? 1) - 1 : 0);
  if (isDone) noteWritten(writer, place, stated, set);
  return isDone;
}

/** What sightings state of edges, by scope. */
function statedIn(sightings: readonly Sighting[]): StatedByScope {
  const found = new Map<ScopeId, StatedDetail[]>();
  for (const { scope, other: from, stated } of sightings)
    if (stated) findOrAdd(found, scope.scope, () => []).push(...stated.map((one) => ({ from, ...one })));
  return found;
}

const knownNames = (
  { graph }: GraphWriter,
  { urn, page }: RegisterPlace,
  sightings: readonly Sighting[],
): readonly string[] => [
  ...new Set(sightings.map(({ side, scope }) => `${graph} ${urn} ${page === 0 ? '' : side}${page} ${scope.scope}`)),
];

/** `units` are of the last update, 0 if none was due. `widened`: page 0 had further pages, so nothing was written. */
async function widenRegisters(
  writer: GraphWriter,
  place: RegisterPlace,
  sightings: readonly Sighting[],
  stated: StatedByScope,
): Promise<{ readonly units: number; readonly widened: Item | null }> {
  for (let due = dueIn({}, sightings); ; ) {
    const plan = await planDetails(writer, place, stated, null);
    if (due.length === 0 && plan.where.length === 0) return { units: 0, widened: null };
    const { refused, units } = await updatePage(writer, place, {
      change: widening(place, sightings, due),
      stated,
      plan,
    });
    if (refused === null) return { units, widened: null };
    // Refused: some register already spans the time; what is still due follows from the item that refused.
    due = dueIn(refused, sightings);
    const isWide = sightings.some(({ side }) => side !== 'schema' && levelOf(side, refused) > 0);
    if (place.page === 0 && isWide) return { units: 0, widened: refused };
  }
}

/** How many of the schemas that one feed has observed of a relation, and of the jobs that only read it, stay where the item has grown large. */
const mostSchemas = 20;

/** Forgets the oldest of them: a producer that lists its columns anew, or a job that is named anew, by each run must not fill the item. */
async function trimSchemas({ table, graph }: GraphWriter, urn: Urn, page: number): Promise<void> {
  const key = pageKey(graph, 'schema', nodeId(urn), page);
  const [item] = await batchGet(table, [key], { consistent: true });
  if (!item) return;
  const observed = claimsOn('schema', item).flatMap((claim) => (claim.kind === 'observed' ? [claim] : []));
  const groupOf = ({ scope, other }: ObservedClaim) => (other === readWithoutOutput ? other : scope);
  const old = [...Map.groupBy(observed, groupOf).values()].flatMap((ofScope) =>
    sortedBy(ofScope, ({ last }) => last).slice(0, -mostSchemas),
  );
  await changeRegisters(
    table,
    key,
    old.map((one) => removalOf('schema', one)),
  );
}
