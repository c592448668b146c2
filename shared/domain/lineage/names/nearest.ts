import leven from 'leven';
import { nameTails } from '../graph/name-parts.ts';

/** Up to `most` names, in the order of their likeness to `query`: a name that leaves leading parts out is like the whole. */
export function nearest(query: string, names: readonly string[], most = 10): string[] {
  const target = query.toLowerCase();
  return names
    .map((name) => ({ name, distance: Math.min(...spellingsOf(name).map((one) => distance(target, one))) }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

const spellingsOf = (name: string): string[] => [name.toLowerCase(), ...nameTails(name)];

/** A name that contains the other is nearer than any that only resembles it. */
const distance = (a: string, b: string): number =>
  a.includes(b) || b.includes(a) ? Math.abs(a.length - b.length) / 1_000 : leven(a, b);
