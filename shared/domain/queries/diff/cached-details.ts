import type { DetailStore, EdgeInScope } from '../../graph/detail-store.ts';

type Details = Pick<DetailStore, 'get'>;
type Found = Awaited<ReturnType<Details['get']>>[number];

const nameOf = ({ from, to, scope }: EdgeInScope) => `${from}${to}${scope}`;

/** The same details, each read once: many walks of one request go over the same edges. */
export function cached(details: Details): Details {
  const known = new Map<string, Found | null>();
  return {
    get: async (workspace, edges) => {
      const missing = edges.filter((edge) => !known.has(nameOf(edge)));
      for (const edge of missing) known.set(nameOf(edge), null);
      for (const one of await details.get(workspace, missing)) known.set(nameOf(one), one);
      return edges.flatMap((edge) => known.get(nameOf(edge)) ?? []);
    },
  };
}
