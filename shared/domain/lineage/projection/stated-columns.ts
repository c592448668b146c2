import { indexedColumn } from '../graph/name-parts.ts';
import type { Urn } from '../graph/node.ts';
import type { Described, RelationSchema, SchemaId } from '../graph/schema.ts';
import type { EdgeStatement } from './edges.ts';

/** Of a relation: a list of a hundred thousand names would cost more to index than all else of it. */
const mostColumns = 2_000;

type Stated = {
  readonly edges?: readonly EdgeStatement[];
  readonly described?: readonly Described[];
  readonly contents?: ReadonlyMap<SchemaId, RelationSchema>;
};

/** The columns that statements name, by relation, as they are indexed. */
export function statedColumns({ edges = [], described = [], contents }: Stated): Map<Urn, Set<string>> {
  const found = new Map<Urn, Set<string>>();
  const add = (relation: Urn, name: string | null) => {
    const column = name === null ? '' : indexedColumn(name);
    const known = found.get(relation) ?? new Set();
    found.set(relation, known);
    if (column !== '' && known.size < mostColumns) known.add(column);
  };
  for (const { from, to, detail } of edges)
    for (const { inputColumn, outputColumn } of detail.columns) {
      add(from, inputColumn);
      add(to, outputColumn);
    }
  for (const { node, schema } of described)
    for (const { name } of contents?.get(schema)?.columns ?? []) add(node, name);
  return found;
}
