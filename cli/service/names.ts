import { nearest } from '../../shared/domain/lineage/names/nearest.ts';
import { notFound } from '../outcome.ts';
import { printable } from '../terminal/terminal.ts';

/** What to do if there is none. */
const remedies = {
  workspace: 'You are not a member of any. An admin can add you: tributary admin members add',
  connector: 'An operator can create one: tributary admin connectors create',
  project: 'An operator can create one: tributary admin projects create',
} as const;

type Named = { readonly id: string; readonly name: string };

/** The one of an id or a name; without either, the only one. Throws CommandError: not found, with the nearest names. */
export function chosen<T extends Named>(
  all: readonly T[],
  requested: string | undefined,
  what: keyof typeof remedies,
): T {
  const [first, ...others] = all;
  if (requested === undefined && first !== undefined && others.length === 0) return first;
  const found = all.find(({ id, name }) => requested === id || requested === name);
  if (found !== undefined) return found;
  const names = all.map(({ name }) => name);
  if (requested === undefined && first !== undefined)
    throw notFound(`Which ${what}? There are ${all.length}.`, [
      `Choose one with --${what}: ${printable(nearest('', names).join(', '))}`,
    ]);
  throw notFound(
    requested === undefined ? `There is no ${what}.` : `There is no ${what} ${printable(JSON.stringify(requested))}.`,
    [nearestNames(requested ?? '', names, remedies[what])],
  );
}

/** A hint: the names that are nearest to the requested one, or what to do if there is none. */
export const nearestNames = (requested: string, names: readonly string[], remedy: string): string =>
  names.length > 0 ? `There are: ${printable(nearest(requested, names).join(', '))}` : remedy;
