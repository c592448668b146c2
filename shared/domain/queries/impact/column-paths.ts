import type { ImpactAnswer } from '../../../contract/impact.ts';
import { sortedBy } from '../../sorted-by.ts';

type Path = ImpactAnswer['column_lineage']['paths'][number];

/** The mappings of an answer's edges, each with the relations of its columns; what is alike stays in the edges' order. */
export const columnPaths = (edges: ImpactAnswer['edges']): Path[] =>
  sortedBy(
    edges.flatMap(({ upstream, downstream, columns }) =>
      columns.map(({ upstream: from, downstream: to, ...transformation }) => ({
        upstream: { relation_ref: upstream, column: from },
        downstream: { relation_ref: downstream, column: to },
        ...transformation,
      })),
    ),
    (one) => one.upstream.relation_ref,
    (one) => one.upstream.column,
    (one) => one.downstream.relation_ref,
  );
