import type { GraphView } from '../../traversal/graph-view.ts';
import { alternativeNames, presentNames } from '../../traversal/names.ts';
import { describe, type ListContext } from './describe-relations.ts';
import { firstOf } from './rank-relations.ts';
import { byPlace, fittingNames } from './resemblance.ts';
import { matches, type RelationSearch, searchOf } from './search.ts';

/** Relations that a search finds by listed names, after a place: at most `room` are looked up, so that a page bounds the reads (C-RELATION-7). */
export async function resemblingRelations(
  view: GraphView<'nameLists', ListContext>,
  search: RelationSearch,
  { after, room }: { readonly after: string | null; readonly room: number },
) {
  const wanted = searchOf(search);
  if (wanted.words.length === 0) return { items: [], next: null, isCut: false };
  const list = await view.reader.nameLists.read(search.workspace);
  const fitting = fittingNames(list, wanted);
  const left = fitting.filter(({ fit, place }) => fit !== 0 && (after === null || place > after)).sort(byPlace);
  const names = left.slice(0, room);
  const placeOf = new Map(fitting.map(({ urn, place }) => [urn, place]));
  const present = await presentNames(
    view,
    names.map(({ urn }) => urn),
  );
  // A relation with several names that fit counts at the first.
  const found = names.flatMap(({ urn, fit, place }) => {
    const name = present.get(urn) ?? urn;
    const others = [name, ...alternativeNames(view.nodes.factsOf(name))];
    const isFirst = !matches(wanted, name) && others.every((one) => (placeOf.get(one) ?? place) >= place);
    return isFirst ? [[name, fit] as const] : [];
  });
  const fits = new Map(found);
  const ranked = await firstOf(view, [...fits.keys()], (name) => fits.get(name) ?? 0, room);
  const described = await describe(view, ranked);
  // The place of the last name that was looked up; null if there are no more.
  const next = left.length > room ? (names.at(-1)?.place ?? after ?? '') : null;
  return { items: described.map(({ item }) => item), next, isCut: list.isCut };
}
