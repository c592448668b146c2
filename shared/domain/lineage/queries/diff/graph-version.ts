import { findOrAdd } from '../../../base/collections.ts';
import type { EdgeColumn, EdgeDetail } from '../../graph/derivation.ts';
import type { Urn } from '../../graph/node.ts';
import { reference } from '../../sql/types.ts';

export type VersionEdge = {
  readonly from: Urn;
  readonly to: Urn;
  /** What each source knows of its columns; null: nothing. */
  readonly details: readonly (Pick<EdgeDetail, 'columns' | 'unresolved'> | null)[];
};

export type GraphVersion = {
  /** By `edgeName`. */
  readonly edges: ReadonlyMap<string, VersionEdge>;
  /** Relations that are there though no edge may touch them. */
  readonly relations: ReadonlySet<Urn>;
  /** Those of them that this side makes; all, if it is left out. */
  readonly made?: ReadonlySet<Urn>;
  /** The whole column lists that are known, in lower case. */
  readonly inventory: Pick<ReadonlyMap<Urn, ReadonlySet<string>>, 'get' | 'has'>;
};

/** A source of a column: one column, or a whole relation. */
export type VersionColumnSource = Omit<EdgeColumn, 'outputColumn' | 'masking'> & { readonly relation: Urn };

export type ColumnLineage = { readonly name: string; readonly sources: ReadonlyMap<string, VersionColumnSource> };

export type RelationLineage = {
  /** By lower-cased name; columns that no source reaches are not known. */
  readonly columns: ReadonlyMap<string, ColumnLineage>;
  /** What affects every column of it. */
  readonly influences: ReadonlyMap<string, VersionColumnSource>;
  /** Why not all its columns are known; null if they are. */
  readonly unknown: string | null;
};

/** Names of columns are compared without case. */
const nameOf = ({ relation, inputColumn, type, subtype }: VersionColumnSource) =>
  JSON.stringify([relation, inputColumn.toLowerCase(), type, subtype]);

/** Relations whose columns are known to be what they were, which nobody compares. */
export type Settled = Pick<ReadonlySet<Urn>, 'has'>;

export function relationLineageOf({ edges }: GraphVersion, settled: Settled): Map<Urn, RelationLineage> {
  const lineages = new Map<
    Urn,
    { columns: Map<string, ColumnLineage>; influences: Map<string, VersionColumnSource>; unknown: string | null }
  >();
  for (const { from, to, details } of edges.values()) {
    if (settled.has(to)) continue;
    const lineage = findOrAdd(lineages, to, () => ({ columns: new Map(), influences: new Map(), unknown: null }));
    const sourcesOf = (name: string) => {
      const built = findOrAdd(lineage.columns, name.toLowerCase(), () => ({ name, sources: new Map() }));
      return built.sources as Map<string, VersionColumnSource>;
    };
    for (const detail of details) {
      if (!detail) lineage.unknown ??= 'columns_not_reported';
      for (const { outputColumn, reason } of detail?.unresolved ?? []) {
        if (outputColumn === null) lineage.unknown ??= reason;
        else sourcesOf(outputColumn);
      }
      for (const { inputColumn, outputColumn, type, subtype } of detail?.columns ?? []) {
        if (subtype === reference) continue;
        const source = { relation: from, inputColumn, type, subtype };
        (outputColumn === null ? lineage.influences : sourcesOf(outputColumn)).set(nameOf(source), source);
      }
    }
  }
  return lineages;
}

/** The columns of each relation that some edge out of it reads, by lower-cased name. */
export function columnsRead({ edges }: GraphVersion, settled: Settled): Map<Urn, Map<string, string>> {
  const read = new Map<Urn, Map<string, string>>();
  for (const { from, details } of edges.values()) {
    if (settled.has(from)) continue;
    const names = findOrAdd(read, from, () => new Map());
    for (const { inputColumn } of details.flatMap((detail) => detail?.columns ?? [])) {
      names.set(inputColumn.toLowerCase(), inputColumn);
    }
  }
  return read;
}

export const relationsOf = ({ edges, relations }: GraphVersion): Set<Urn> =>
  new Set([...relations, ...[...edges.values()].flatMap(({ from, to }) => [from, to])]);
