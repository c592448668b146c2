import { findOrAdd } from '../../../base/collections.ts';
import type { RelationName } from '../../sql/types.ts';
import type { ReadableNames } from './model-project.ts';

type Named = { readonly id: string; readonly names: ReadableNames };

/** Answers which member a statement's relation name means, or null where none, or no one, is meant. */
export type ReadMatcher<M> = (read: RelationName) => M | null;

/** More parts than any platform's names have: only this many are indexed, as each adds a key of all after it. */
const mostParts = 8;

/** Names may lack leading parts; case only breaks ties. By look-up: there may be as many reads as members. */
export function readMatcher<M extends Named>(members: readonly M[]): ReadMatcher<M> {
  const folded = indexOf(members, (part) => part.toLowerCase());
  const exact = indexOf(members, (part) => part);
  const known = new Map<string, M | null>();
  const memberOf = (written: readonly string[]): M | null => {
    const lower = written.map((part) => part.toLowerCase());
    const alike = firstTwo(ending(folded, lower));
    if (alike.length <= 1) return alike[0] ?? null;
    const whole = folded.whole.get(keyOf(lower));
    const same = firstTwo(inBoth(ending(exact, written), whole));
    return same.length === 1 ? (same[0] ?? null) : null;
  };
  return (read) => {
    const written = read.map(({ text }) => text);
    return findOrAdd(known, keyOf(written), () => memberOf(written));
  };
}

type Index<M> = {
  readonly whole: ReadonlyMap<string, ReadonlySet<M>>;
  /** By the last parts of names, whole names among them. */
  readonly endings: ReadonlyMap<string, ReadonlySet<M>>;
};

function indexOf<M extends Named>(members: readonly M[], fold: (part: string) => string): Index<M> {
  const whole = new Map<string, Set<M>>();
  const endings = new Map<string, Set<M>>();
  for (const member of members)
    for (const name of member.names) {
      const parts = name.map(fold);
      findOrAdd(whole, keyOf(parts), () => new Set()).add(member);
      for (const ending of endingsOf(parts)) findOrAdd(endings, ending, () => new Set()).add(member);
    }
  return { whole, endings };
}

/** The members with a name that ends the written name, or the reverse. */
function* ending<M>({ whole, endings }: Index<M>, written: readonly string[]): Generator<M> {
  yield* endings.get(keyOf(written)) ?? [];
  for (const shorter of endingsOf(written.slice(1))) yield* whole.get(shorter) ?? [];
}

const keyOf = (parts: readonly string[]): string => JSON.stringify(parts);

function endingsOf(parts: readonly string[]): string[] {
  const last = parts.slice(-mostParts);
  const endings = last.map((_, from) => keyOf(last.slice(from)));
  return parts.length > mostParts ? [keyOf(parts), ...endings] : endings;
}

/** Two are enough to know that no one is meant. */
function firstTwo<M>(found: Iterable<M>): M[] {
  const distinct = new Set<M>();
  for (const member of found) if (distinct.add(member).size === 2) break;
  return [...distinct];
}

function* inBoth<M>(found: Iterable<M>, requested: ReadonlySet<M> | undefined): Generator<M> {
  for (const member of found) if (requested?.has(member) ?? true) yield member;
}
