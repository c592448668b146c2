import { refOf, type Urn } from '../../graph/node.ts';
import { lastPartOf } from '../../names/relation-ref.ts';
import type { BareView } from '../../traversal/graph-view.ts';
import { mostNeighboursOf, type Neighbourhood, neighbourhoodsOf } from './neighbourhood.ts';

export type RankedRelation = { readonly urn: Urn; readonly neighbourhood: Neighbourhood };

type Place = { readonly urn: Urn; readonly ref: string; readonly exactness: number; readonly degree: number };

/** Few more than a page shows: what heads of scopes cost is the greater part of ranking a relation. */
const rankedAtOnce = 25;

/** Exact names first, then the most connected (C-RELATION-2). Page sizes bound that, so few need ranking. */
export async function firstOf(
  view: BareView,
  names: readonly Urn[],
  exactnessOf: (name: Urn) => number,
  requested: number,
): Promise<RankedRelation[]> {
  const places = [...(await mostNeighboursOf(view, names))].map(
    ([urn, degree]): Place => ({ urn, ref: refOf(urn), exactness: exactnessOf(urn), degree }),
  );
  const open = places.sort(byPlace);
  const ranked: (Place & RankedRelation)[] = [];
  for (let at = 0; at < open.length; ) {
    const last = ranked[requested - 1];
    const next = open[at];
    if (last && next && byPlace(last, next) < 0) break;
    const some = open.slice(at, at + Math.max(rankedAtOnce, requested));
    at += some.length;
    ranked.push(...(await rankedPlaces(view, some)));
    ranked.sort(byPlace);
  }
  return ranked.slice(0, requested);
}

async function rankedPlaces(view: BareView, places: readonly Place[]): Promise<(Place & RankedRelation)[]> {
  const found = await neighbourhoodsOf(
    view,
    places.map(({ urn }) => urn),
    0,
  );
  return places.flatMap((place) => {
    const neighbourhood = found.get(place.urn);
    const degree = neighbourhood ? neighbourhood.counts.in + neighbourhood.counts.out : 0;
    return neighbourhood && (degree > 0 || neighbourhood.isDescribed) ? [{ ...place, degree, neighbourhood }] : [];
  });
}

const byPlace = (a: Place, b: Place): number =>
  a.exactness - b.exactness || b.degree - a.degree || (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : 0);

/** How well a name fits what is searched for: 0 the whole name, 1 its last part, 2 a part's beginning. */
export const exactnessFor = (query: string) => {
  const text = query.trim().toLowerCase();
  return (name: Urn): number => {
    const ref = refOf(name);
    if (text === '') return 2;
    if (ref.toLowerCase() === text) return 0;
    return lastPartOf(ref).toLowerCase() === text ? 1 : 2;
  };
};
