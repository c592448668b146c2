import leven from 'leven';
import { nameRuns, nameTails } from '../graph/name-parts.ts';

/** Up to `most` names, in the order of their likeness to `query`: a name that leaves leading parts out is like the whole. */
export function nearest(query: string, names: readonly string[], most = 10): string[] {
  const target = query.toLowerCase();
  return names
    .map((name) => ({ name, distance: Math.min(...spellingsOf(name).map((one) => distance(target, one))) }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** The same of the names that resemble the query: others help nobody who misspelt one. */
export const alike = (query: string, names: readonly string[], most = 10): string[] =>
  nearest(query, names.filter(resembles(query)), most);

const spellingsOf = (name: string): string[] => [name.toLowerCase(), ...nameTails(name)];

/** A name that contains the other is nearer than any that only resembles it, unless the other contains it by chance. */
const distance = (a: string, b: string): number =>
  b.includes(a) || (a.includes(b) && 2 * b.length > a.length) ? Math.abs(a.length - b.length) / 1_000 : leven(a, b);

/** Whether a name has parts like the last part of the query, with a third of its letters otherwise or swapped, or its leading parts. */
function resembles(query: string): (name: string) => boolean {
  const target = query.toLowerCase();
  const parts = target.split(/[./\s]/);
  const last = parts.at(-1) ?? '';
  const leading = parts.length > 1 ? `.${parts.slice(0, -1).join('.')}.` : null;
  const edits = Math.floor((last.length + 1) / 3);
  const swapped = Array.from(
    { length: Math.max(0, last.length - 1) },
    (_, at) => last.slice(0, at) + (last[at + 1] ?? '') + (last[at] ?? '') + last.slice(at + 2),
  );
  const isLike = (run: string) => leven(last, run) <= edits || swapped.some((one) => leven(one, run) < edits);
  const size = { least: Math.max(1, last.length - edits), most: last.length + edits };
  return (name) =>
    name.toLowerCase().includes(target) ||
    (leading !== null && `.${name.toLowerCase()}`.includes(leading)) ||
    nameRuns(name, size).some(isLike);
}
