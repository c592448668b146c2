import type { RelationName } from '../../sql/types.ts';
import type { ReadableNames } from './model-project.ts';

type Named = { readonly id: string; readonly names: ReadableNames };

/**
 * Which of the declared members a statement's relation name means, or null where none, or no one, is meant.
 * Either name may leave out leading parts; case decides only where two members differ in nothing else.
 */
export function matchRead<M extends Named>(members: readonly M[], read: RelationName): M | null {
  const written = read.map(({ text }) => text);
  const folded = written.map((part) => part.toLowerCase());
  const alike = members.filter(({ names }) => names.some((name) => endsAlike(lower(name), folded)));
  if (alike.length <= 1) return alike[0] ?? null;
  const whole = alike.filter(({ names }) => names.some((name) => name.length === written.length));
  const same = (whole.length > 0 ? whole : alike).filter(({ names }) => names.some((name) => endsAlike(name, written)));
  return same.length === 1 ? (same[0] ?? null) : null;
}

const lower = (name: readonly string[]): string[] => name.map((part) => part.toLowerCase());

function endsAlike(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  return length > 0 && a.slice(-length).every((part, i) => part === b.at(i - length));
}
