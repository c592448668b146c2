import type { FieldError } from '../../../contract/problems.ts';
import type { Derivation } from '../../graph/derivation.ts';
import type { Node, Urn } from '../../graph/node.ts';
import type { RelationSchema } from '../../graph/schema.ts';
import type { KnownColumns, SqlAnalysis, SqlOptions } from '../../sql/types.ts';
import type { UnresolvedCount } from './count-reasons.ts';

/** An item that cannot be read: a partial delivery goes on without it, a complete snapshot is refused. */
export type InvalidItem = { readonly index: number; readonly code: string; readonly errors: readonly FieldError[] };

/** What reading a declared document found: its items, and what in it cannot be read. */
export type ParsedDocument<Document> = {
  readonly document: Document;
  readonly itemCount: number;
  readonly invalidItems: readonly InvalidItem[];
  /** Why a complete snapshot of this document would retract evidence that was not withdrawn. */
  readonly shapeErrors: readonly FieldError[];
};

/** What a receipt says of a project, counted without parsing SQL: C-INGEST-1. */
export type ProjectCounts = {
  readonly models: number;
  /** Relations that the document describes: models, seeds, snapshots, sources, external models. */
  readonly nodes: number;
  /** Dependencies as declared, before inlined models are collapsed. */
  readonly dependencies: number;
  /** Models whose statement is there to be mapped to columns; how many could be is known after projection. */
  readonly column_maps: number;
  /** Edges that are claimed. */
  readonly observations: number;
};

export type CatalogCounts = {
  readonly edges_received: number;
  readonly unresolved: number;
  readonly observations: number;
};

/** What a declared document states, ready for projection. */
export type Declared = {
  readonly derivations: readonly Derivation[];
  /** Each reason why something was not resolved, with the models or entries it holds for. */
  readonly unresolved: readonly UnresolvedCount[];
  /** Every relation that the document describes, and whether it says how it is made. */
  readonly relations: readonly { readonly node: Node; readonly isMade: boolean }[];
  /** The columns of relations as the document states or implies them. */
  readonly schemas: ReadonlyMap<Urn, RelationSchema>;
};

export type ColumnPorts = {
  /** Column lineage of a statement; `analyseSql` over a parser. Never throws. */
  readonly analyse: (statement: string, options: SqlOptions) => SqlAnalysis;
  /** The columns of a relation by what its graph knows; null where none is known. */
  readonly knownColumns?: (node: Node) => KnownColumns | null;
  /** Columns that a relation had and has not any more: statements that still read them can be analysed. */
  readonly formerColumns?: (node: Node) => readonly string[];
};
