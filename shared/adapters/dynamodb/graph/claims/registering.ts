import type { Urn } from '../../../../domain/graph/node.ts';
import type { ScopeIdentity } from '../../../../domain/graph/scope-store.ts';
import type { Item } from '../../batch-get.ts';
import { type UpdateExpression, writeStamp } from '../../update-item.ts';
import { attribute, observerText } from '../codec/codec.ts';
import type { Sighting } from './observe.ts';

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
  const times = [...new Set(due.map(({ sighting }) => sighting.at))];
  const registers = due.map((one, i) => registerOf(one, i, times.indexOf(one.sighting.at)));
  const sets = ['w = :w', ...(page === 0 ? ['u = :u'] : []), ...observers.map((_, i) => `#k${i} = :k${i}`)];
  const conditions = page === 0 ? levelConditions(seen) : [];
  for (const register of registers) {
    sets.push(...register.sets);
    conditions.push(register.condition);
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
      ...Object.fromEntries(times.map((at, i) => [`:t${i}`, { N: BigInt(at).toString() }])),
    },
  };
}

type Register = {
  readonly sets: readonly string[];
  readonly condition: string;
  readonly names: readonly (readonly [string, string])[];
};

/** Moves one end of an observation to a time, where it is not there already. */
function registerOf({ sighting, end }: Due, index: number, time: number): Register {
  const [f, l, t] = [`#f${index}`, `#l${index}`, `:t${time}`];
  const { side, other, scope } = sighting;
  const first = [f, attribute.first(side, other, scope.scope)] as const;
  if (end === 'first')
    return { sets: [`${f} = ${t}`], condition: `(attribute_not_exists(${f}) OR ${f} > ${t})`, names: [first] };
  return {
    sets: [`${l} = ${t}`, `${f} = if_not_exists(${f}, ${t})`],
    condition: `(attribute_not_exists(${l}) OR ${l} < ${t})`,
    names: [first, [l, attribute.last(side, other, scope.scope)]],
  };
}

const levelConditions = (seen: readonly Sighting[]): string[] =>
  [...new Set(seen.map(({ side }) => side))].flatMap((side) =>
    side === 'schema' ? [] : `attribute_not_exists(${attribute.level(side)})`,
  );

type Due = { readonly sighting: Sighting; readonly end: 'first' | 'last' };

/** Which register must still move to span the time. */
function dueOf(item: Item, sighting: Sighting): Due[] {
  const { side, other, scope, at } = sighting;
  const last = item[attribute.last(side, other, scope.scope)]?.N;
  if (last === undefined || BigInt(last) < BigInt(at)) return [{ sighting, end: 'last' }];
  const first = item[attribute.first(side, other, scope.scope)]?.N ?? last;
  return BigInt(first) > BigInt(at) ? [{ sighting, end: 'first' }] : [];
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
