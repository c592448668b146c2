import type { Diff } from '../api/queries.ts';
import type { Address } from '../lineage/address.ts';
import type { EdgeOfAnswer, Shown } from '../lineage/answer.ts';
import type { Marks } from '../lineage/flow-elements.ts';
import type { Picture } from '../lineage/groups.ts';

/** The changes as the explorer draws lineage: what came, went and changed, and the ends of changed edges. */
export function diffPicture(diff: Diff): { readonly shown: Shown; readonly picture: Picture; readonly marks: Marks } {
  const edges = diff.edges.map(edgeOf);
  const relations = new Set([
    ...diff.relations.map(({ relation_ref }) => relation_ref),
    ...diff.edges.flatMap(({ upstream, downstream }) => [upstream, downstream]),
  ]);
  const columns = Map.groupBy(diff.columns, ({ relation_ref }) => relation_ref);
  return {
    shown: { root: '', rows: [], edges, paths: [], hidden: 0, answers: [] },
    picture: {
      relations: [...relations].map((relation) => ({
        id: relation,
        relation,
        row: null,
        columns: (columns.get(relation) ?? []).map(({ column }) => column),
      })),
      groups: [],
      lines: edges.map((edge) => ({
        id: `${edge.upstream}\n${edge.downstream}`,
        source: edge.upstream,
        target: edge.downstream,
        edges: [edge],
      })),
    },
    marks: {
      relations: new Map(diff.relations.map(({ relation_ref, change }) => [relation_ref, change])),
      edges: new Map(diff.edges.map(({ upstream, downstream, change }) => [`${upstream}\n${downstream}`, change])),
    },
  };
}

const edgeOf = ({ upstream, downstream }: Diff['edges'][number]): EdgeOfAnswer => ({
  upstream,
  downstream,
  status: 'active',
  dispositions: [],
  confidence: 1,
  columns: [],
  evidence: [],
});

/** As if the explorer were asked for nothing: a link from the picture leads to the relation that it names. */
export const addressOf = (connector: string): Address => ({
  connector,
  relation: '',
  column: [],
  direction: 'both',
  depth: null,
  as_of: null,
  view: 'graph',
  stale: false,
  up: [],
  down: [],
  hide: [],
  open: [],
  edge: null,
  to: null,
});
