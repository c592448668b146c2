// Names that a search finds although no part of them begins with its words: C-RELATION-7.

import type { NameList } from '../../graph/name-list.ts';
import { nameRuns, nameTails } from '../../graph/name-parts.ts';
import type { Urn } from '../../graph/node.ts';
import { isAscii, type Search } from './search.ts';

/** How well a name fits a word: a part begins with it, the name contains it, parts of it are one typo away. */
const fits = { begins: 0, contains: 1, resembles: 2 } as const;
export type Fit = (typeof fits)[keyof typeof fits];

const [shortestInfix, shortestTypo] = [3, 4];

type Name = { readonly ref: string; readonly lower: string };

/** How well a name fits all of some words; null if it does not fit one of them, or not as well as `worst`. */
export function fitOf(words: readonly string[], name: Name, worst: Fit = fits.resembles): Fit | null {
  if (!words.every((word) => mayFit(word, name, worst))) return null;
  const tails = nameTails(name.ref);
  const each = words.map((word) =>
    tails.some((tail) => tail.startsWith(word)) ? fits.begins : looseFit(word, name, worst),
  );
  return each.some((one) => one === null) ? null : (Math.max(...each.map(Number)) as Fit);
}

/** The same without regard to where parts begin. */
function looseFit(word: string, name: Name, worst: Fit): Exclude<Fit, 0> | null {
  if (word.length >= shortestInfix && name.lower.includes(word)) return fits.contains;
  if (worst < fits.resembles || word.length < shortestTypo || !mayFit(word, name, worst)) return null;
  const runs = nameRuns(name.ref, { least: word.length - 1, most: word.length + 1 });
  return runs.some((run) => isOneEditAway(word, run)) ? fits.resembles : null;
}

/** Refuses most names at a hundredth of the price: one typo leaves one half of a word whole, or swaps its middle. */
function mayFit(word: string, { ref, lower }: Name, worst: Fit): boolean {
  if (lower.includes(word) || !isAscii(ref)) return true;
  if (worst < fits.resembles || word.length < shortestTypo) return false;
  const middle = Math.floor(word.length / 2);
  const [first, second] = [word.slice(0, middle), word.slice(middle)];
  const swapped = first.slice(0, -1) + second.slice(0, 1) + first.slice(-1) + second.slice(1);
  return [first, second, swapped].some((part) => lower.includes(part));
}

/** Whether one insertion, deletion, substitution or swap of neighbours makes one text the other, or none is needed. */
export function isOneEditAway(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const isRest = (ofA: number, ofB: number) => a.slice(at + ofA) === b.slice(at + ofB);
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at];
  return isRest(1, 1) || isRest(1, 0) || isRest(0, 1) || (isSwapped && isRest(2, 2));
}

/** A name that fits, and its place in the order of such names: the better fit first, then the shorter name. */
export type FoundName = { readonly urn: Urn; readonly fit: Fit; readonly place: string };

/** All listed names that fit the words of a search, also those whose parts begin with them; typos if none fits without. */
export function fittingNames({ names }: NameList, { words, isWanted }: Search): FoundName[] {
  const found = (worst: Fit) =>
    names.flatMap(({ urn, ...name }): FoundName[] => {
      const fit = fitOf(words, name, worst);
      return fit === null || !isWanted(urn) ? [] : [{ urn, fit, place: placeOf(fit, name.ref, urn) }];
    });
  const withoutTypos = found(fits.contains);
  return withoutTypos.length > 0 ? withoutTypos : found(fits.resembles);
}

/** How well the name of a column, in the form of `indexedColumn`, resembles a text; null also if it begins with it. */
export const columnFit = (column: string, name: string, worst: Fit = fits.resembles) =>
  name.startsWith(column) ? null : looseFit(column, { ref: name, lower: name }, worst);

/** Listed columns that contain a text, else those with a typo, in their order; none that begins with another of them. */
export function fittingColumns({ columns }: NameList, column: string) {
  const worst = columns.some((name) => name.includes(column)) ? fits.contains : fits.resembles;
  const found: { readonly name: string; readonly place: string }[] = [];
  for (const name of columns) {
    const fit = columnFit(column, name, worst);
    const isBeginning = fit !== null && !name.startsWith(found.at(-1)?.name ?? `${name} `);
    if (isBeginning) found.push({ name, place: placeOf(fit, name, name) });
  }
  return found.sort(byPlace);
}

const placeOf = (fit: Fit, name: string, id: string): string => `${fit}${String(name.length).padStart(5, '0')} ${id}`;

export const byPlace = (a: { readonly place: string }, b: { readonly place: string }): number =>
  a.place < b.place ? -1 : 1;
