import type { EdgeColumn, EdgeDetail } from '../graph/ports.ts';
import type { Urn } from '../lineage/node.ts';

/** One edge of a graph that is compared. */
export type SideEdge = {
  readonly from: Urn;
  readonly to: Urn;
  /** What each source knows of its columns; null: nothing. */
  readonly details: readonly (Pick<EdgeDetail, 'columns' | 'unresolved'> | null)[];
};

/** One of the two graphs that are compared. */
export type Side = {
  /** By `edgeName`. */
  readonly edges: ReadonlyMap<string, SideEdge>;
  /** Relations that are there though no edge may touch them. */
  readonly relations: ReadonlySet<Urn>;
  /** The whole column lists that are known, in lower case. */
  readonly inventory: ReadonlyMap<Urn, ReadonlySet<string>>;
};

/** One column, or a whole relation, that a column is made of. */
export type ColumnSource = Omit<EdgeColumn, 'outputColumn' | 'masking'> & { readonly relation: Urn };

export type ColumnMade = { readonly name: string; readonly sources: ReadonlyMap<string, ColumnSource> };

/** How a relation is made. */
export type Making = {
  /** By lower-cased name; columns that no source reaches are not known. */
  readonly columns: ReadonlyMap<string, ColumnMade>;
  /** What affects every column of it. */
  readonly influences: ReadonlyMap<string, ColumnSource>;
  /** Why not all its columns are known; null where they are. */
  readonly unknown: string | null;
};

const nameOf = (source: ColumnSource) => JSON.stringify(Object.values(source));

/** How each relation is made that some edge leads to. */
export function makingsOf({ edges }: Side): Map<Urn, Making> {
  const makings = new Map<
    Urn,
    { columns: Map<string, ColumnMade>; influences: Map<string, ColumnSource>; unknown: string | null }
  >();
  for (const { from, to, details } of edges.values()) {
    const making = makings.get(to) ?? { columns: new Map(), influences: new Map(), unknown: null };
    makings.set(to, making);
    const sourcesOf = (name: string) => {
      const made = making.columns.get(name.toLowerCase()) ?? { name, sources: new Map() };
      making.columns.set(name.toLowerCase(), made);
      return made.sources as Map<string, ColumnSource>;
    };
    for (const detail of details) {
      if (!detail) making.unknown ??= 'columns_not_reported';
      for (const { outputColumn, reason } of detail?.unresolved ?? []) {
        if (outputColumn === null) making.unknown ??= reason;
        else sourcesOf(outputColumn);
      }
      for (const { inputColumn, outputColumn, type, subtype } of detail?.columns ?? []) {
        const source = { relation: from, inputColumn, type, subtype };
        (outputColumn === null ? making.influences : sourcesOf(outputColumn)).set(nameOf(source), source);
      }
    }
  }
  return makings;
}

/** The columns of each relation that some edge out of it reads, by lower-cased name. */
export function columnsRead({ edges }: Side): Map<Urn, Map<string, string>> {
  const read = new Map<Urn, Map<string, string>>();
  for (const { from, details } of edges.values()) {
    const names = read.get(from) ?? new Map<string, string>();
    read.set(from, names);
    for (const { inputColumn } of details.flatMap((detail) => detail?.columns ?? [])) {
      names.set(inputColumn.toLowerCase(), inputColumn);
    }
  }
  return read;
}

/** Every relation of a side. */
export const relationsOn = ({ edges, relations }: Side): Set<Urn> =>
  new Set([...relations, ...[...edges.values()].flatMap(({ from, to }) => [from, to])]);
