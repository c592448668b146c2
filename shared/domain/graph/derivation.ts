import type { StatementKind } from '../../contract/vocabulary.ts';
import type { Node } from './node.ts';

export type TransformationType = 'DIRECT' | 'INDIRECT';

/** One way in which a column of an input reaches an output: OpenLineage's ColumnLineageDatasetFacet 1-2-0. */
export type ColumnMapping = {
  readonly input: Node;
  readonly inputColumn: string;
  /** Null: the input column affects every column of the output (a filter, a join, a sort). */
  readonly outputColumn: string | null;
  readonly type: TransformationType;
  /** IDENTITY, TRANSFORMATION, AGGREGATION, FILTER, JOIN, GROUP_BY, SORT, WINDOW, CONDITIONAL; null where the source does not say. */
  readonly subtype: string | null;
  readonly masking: boolean;
};

export type Unresolved = { readonly outputColumn: string | null; readonly reason: string };

/** What one producer says of one output: the one form that every kind of evidence is brought into before projection. */
export type Derivation = {
  readonly output: Node;
  /** Table-level inputs; every input of `columns` is among them. */
  readonly inputs: readonly Node[];
  readonly columns: readonly ColumnMapping[];
  /** Why columns are not, or not all, known: a null column stands for the whole output. Empty where all are mapped. */
  readonly unresolved: readonly Unresolved[];
  /** The job, model or catalog entry that says so. */
  readonly producer: { readonly namespace: string; readonly name: string };
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
  /** The engine that worked it, in lower case; absent where nothing names one (C-POLICY-12). */
  readonly engine?: string;
  /** JSON pointer into the delivery's payload. */
  readonly location: string;
};
