import type { Urn } from '../../../../domain/graph/node.ts';
import type { Micros } from '../../../../domain/graph/order.ts';
import type { ScopeIdentity } from '../../../../domain/graph/scope-store.ts';
import type { Item } from '../../batch-get.ts';
import type { Change } from '../../batched-changes.ts';
import { type UpdateExpression, writeStamp } from '../../update-item.ts';
import { attribute, observerText } from '../codec/codec.ts';
import type { Sighting } from './sighting.ts';

/** A reader finds the scope's head where its name is too long to be stored on each node that the scope writes. */
const maxObserverLength = 300;

export type RegisterPlace = { readonly urn: Urn; readonly page: number; readonly isNamed: boolean };

/**
 * The update that makes registers span the times of sightings, seen against an item; null where all do.
 *
 * @param item empty where it was not read: then every register is taken to be behind
 */
export function registering(
  { urn, page, isNamed }: RegisterPlace,
  seen: readonly Sighting[],
  item: Item,
): UpdateExpression | null {
  const due = seen.flatMap((one) => dueOf(item, one));
  if (due.length === 0) return null;
  const observers = isNamed ? observersOf(seen) : [];
  const times = [...new Set(due.flatMap(({ sighting: { span } }) => [span.first, span.last]))];
  const registers = due.map((one, i) => registerOf(one, i, (at) => `:t${times.indexOf(at)}`));
  const sets = ['w = :w', ...(page === 0 ? ['u = :u'] : []), ...observers.map((_, i) => `#k${i} = :k${i}`)];
  const used = new Set(registers.flatMap((one) => one.times));
  const conditions = page === 0 ? levelsOf(seen).map((name) => `attribute_not_exists(${name})`) : [];
  for (const register of registers) {
    sets.push(...register.sets);
    conditions.push(...register.conditions);
  }
  return {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([
      ...observers.map(({ name }, i) => [`#k${i}`, name] as const),
      ...registers.flatMap(({ names }) => names),
    ]),
    ExpressionAttributeValues: {
      ':w': writeStamp(),
      ...(page === 0 && { ':u': { S: urn } }),
      ...Object.fromEntries(observers.map(({ text }, i) => [`:k${i}`, { S: text }])),
      ...Object.fromEntries(times.flatMap((at, i) => (used.has(`:t${i}`) ? [[`:t${i}`, timeValue(at)]] : []))),
    },
  };
}

/** The change that moves the last times of sightings, where all registers are there and begin no later. */
export function moving({ page, isNamed }: RegisterPlace, seen: readonly Sighting[]): Omit<Change, 'key'> {
  const observers = isNamed ? observersOf(seen) : [];
  const registers = seen.map(({ side, other, scope, span }) => ({
    first: { name: attribute.first(side, other, scope.scope), value: timeValue(span.first) },
    last: { name: attribute.last(side, other, scope.scope), value: timeValue(span.last) },
  }));
  const levels = page === 0 ? levelsOf(seen) : [];
  return {
    set: [
      [attribute.written, writeStamp()],
      ...observers.map(({ name, text }) => [name, { S: text }] as const),
      ...registers.map(({ last }) => [last.name, last.value] as const),
    ],
    where: [
      ...levels.map((name) => ({ name, is: 'missing' }) as const),
      ...registers.flatMap(({ first, last }) => [{ ...last, is: '<' } as const, { ...first, is: '<=' } as const]),
    ],
  };
}

const timeValue = (at: Micros) => ({ N: BigInt(at).toString() });

type Register = {
  readonly sets: readonly string[];
  readonly conditions: readonly string[];
  /** The values that are used. */
  readonly times: readonly string[];
  readonly names: readonly (readonly [string, string])[];
};

/** Moves what is due of an observation, where it has not moved meanwhile. */
function registerOf({ sighting, ends }: Due, index: number, timeOf: (at: Micros) => string): Register {
  const { side, other, scope, span } = sighting;
  const [f, l] = [`#f${index}`, `#l${index}`];
  const [first, last] = [timeOf(span.first), timeOf(span.last)];
  const names = [
    [f, attribute.first(side, other, scope.scope)],
    [l, attribute.last(side, other, scope.scope)],
  ] as const;
  const isLater = `(attribute_not_exists(${l}) OR ${l} < ${last})`;
  const isEarlier = `(attribute_not_exists(${f}) OR ${f} > ${first})`;
  switch (ends) {
    case 'first':
      return { sets: [`${f} = ${first}`], conditions: [isEarlier], names: names.slice(0, 1), times: [first] };
    case 'both':
      return {
        sets: [`${f} = ${first}`, `${l} = ${last}`],
        conditions: [isEarlier, isLater],
        names,
        times: [first, last],
      };
    case 'last': {
      // An end that is there is no later than the other; between two times it may still be later than the first.
      const isSpanned = first === last ? [] : [`(attribute_not_exists(${f}) OR ${f} <= ${first})`];
      const sets = [`${l} = ${last}`, `${f} = if_not_exists(${f}, ${first})`];
      return { sets, conditions: [isLater, ...isSpanned], names, times: [first, last] };
    }
  }
}

/** Attributes that a node with one page of each of the sides has not. */
const levelsOf = (seen: readonly Sighting[]): string[] =>
  [...new Set(seen.map(({ side }) => side))].flatMap((side) => (side === 'schema' ? [] : attribute.level(side)));

type Due = { readonly sighting: Sighting; readonly ends: 'first' | 'last' | 'both' };

/** Which registers must still move to span the times. */
function dueOf(item: Item, sighting: Sighting): Due[] {
  const { side, other, scope, span } = sighting;
  const last = item[attribute.last(side, other, scope.scope)]?.N;
  if (last === undefined) return [{ sighting, ends: 'last' }];
  const first = item[attribute.first(side, other, scope.scope)]?.N ?? last;
  const isEarlier = BigInt(first) > BigInt(span.first);
  if (BigInt(last) < BigInt(span.last)) return [{ sighting, ends: isEarlier ? 'both' : 'last' }];
  return isEarlier ? [{ sighting, ends: 'first' }] : [];
}

/** Who observes what is upstream of the node, or its schema: a reader of either need not read the heads. */
function observersOf(seen: readonly Sighting[]): { readonly name: string; readonly text: string }[] {
  const scopes = new Map<string, ScopeIdentity>();
  for (const { side, scope } of seen) if (side !== 'out') scopes.set(scope.scope, scope);
  return [...scopes.values()].flatMap((identity) => {
    const text = observerText(identity);
    return text.length > maxObserverLength ? [] : [{ name: attribute.observer(identity.scope), text }];
  });
}
