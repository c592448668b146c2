import { type DetailStore, edgeInScopeName } from '../../graph/detail-store.ts';

type Details = Pick<DetailStore, 'get'>;
type Found = Awaited<ReturnType<Details['get']>>[number];

/** The same details, each read once: many walks of one request go over the same edges. */
export function cached(details: Details): Details {
  const known = new Map<string, Found | null>();
  return {
    get: async (workspace, edges) => {
      const missing = edges.filter((edge) => !known.has(edgeInScopeName(edge)));
      for (const edge of missing) known.set(edgeInScopeName(edge), null);
      for (const one of await details.get(workspace, missing)) known.set(edgeInScopeName(one), one);
      return edges.flatMap((edge) => known.get(edgeInScopeName(edge)) ?? []);
    },
  };
}
