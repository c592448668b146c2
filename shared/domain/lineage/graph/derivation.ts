import type { ExposureFacts } from '../../../contract/impact.ts';
import type { ColumnChange, StatementKind } from '../../../contract/vocabulary.ts';
import { type GraphId, type Node, type NodeId, nodeId, type ScopeId, type Urn, urnOf } from './node.ts';
import type { Order, ParentRun } from './order.ts';
import type { SchemaStar } from './schema.ts';
import { openSorted, packSorted } from './sorted-blocks.ts';

export type TransformationType = 'DIRECT' | 'INDIRECT';

/** One use of an input column by an output: OpenLineage's ColumnLineageDatasetFacet 1-2-0. */
export type ColumnMapping = {
  readonly input: Node;
  readonly inputColumn: string;
  /** The path within the input column if only a field of it is read: a schema says whether it is a column (C-COLUMNS-13). */
  readonly inputField?: string;
  /** Null: the input column affects every column of the output (a filter, a join, a sort). */
  readonly outputColumn: string | null;
  readonly type: TransformationType;
  /** IDENTITY, TRANSFORMATION, AGGREGATION, FILTER, JOIN, GROUP_BY, SORT, WINDOW, CONDITIONAL; null if the source does not say. */
  readonly subtype: string | null;
  readonly masking: boolean;
  /** The expression that computes with the column, at most 500 characters; absent where it is only passed on. */
  readonly expression?: string;
};

/** What happens to the value on its way (C-COLUMNS-8); null if the source does not say, or no value is passed. */
export function changeOf({
  inputColumn,
  outputColumn,
  type,
  subtype,
}: Pick<ColumnMapping, 'inputColumn' | 'outputColumn' | 'type' | 'subtype'>): ColumnChange | null {
  if (type === 'INDIRECT') return null;
  if (subtype === 'AGGREGATION') return 'aggregated';
  if (subtype === 'TRANSFORMATION') return 'derived';
  if (subtype !== 'IDENTITY') return null;
  return outputColumn === null || outputColumn.toLowerCase() === inputColumn.toLowerCase() ? 'passthrough' : 'renamed';
}

/** Why a column's sources are not, or not all, known: a null column represents the whole output. */
export type Unresolved = {
  readonly outputColumn: string | null;
  readonly reason: string;
  /** `INDIRECT`: only columns that influence rows or their order are unknown. */
  readonly type?: TransformationType;
  /** What a schema would settle: it is looked up by who reads the graph, as of the moment that he asks about (C-COLUMNS-6). */
  readonly open?: OpenColumns;
};

/** The statement's columns without a name or a known relation. */
export type OpenColumns =
  /** Every column of a relation, as it is. */
  | { readonly kind: 'star'; readonly star: SchemaStar }
  /** The columns of the output itself that its source leaves out. */
  | { readonly kind: 'rest'; readonly star: SchemaStar }
  /** One of several relations has the column. */
  | { readonly kind: 'choice'; readonly options: readonly ColumnOption[] }
  /** Those of several branches, place by place, with the names of the first. */
  | { readonly kind: 'places'; readonly branches: readonly (readonly PlacedColumns[])[] };

/** What is at one place of a branch, or at as many as a star has columns. */
export type PlacedColumns =
  | { readonly star: SchemaStar }
  | { readonly column: string | null; readonly sources: readonly ColumnOption[] };

export type ColumnOption = { readonly of: Urn; readonly column: string } & Pick<
  ColumnMapping,
  'type' | 'subtype' | 'masking' | 'expression'
>;

/** The statement of a model of dbt or SQLMesh, which several sources may report (C-EVIDENCE-7). */
export type ProducingStatement = {
  /** The tool, and the model by the tool's own id. */
  readonly model: string;
  /** Digest of the statement's text; absent where the source does not show it. */
  readonly version?: string;
};

export type Derivation = {
  readonly output: Node;
  /** Table-level inputs; every input of `columns` is among them. */
  readonly inputs: readonly Node[];
  readonly columns: readonly ColumnMapping[];
  /** Why columns are not, or not all, known: a null column represents the whole output. Empty where all are mapped. */
  readonly unresolved: readonly Unresolved[];
  /** The statement was understood whole: an input without mapped columns contributes none. */
  readonly isWhole?: true;
  /** Inputs that a model declares and its statement does not read: what else reads them is not known. */
  readonly unread?: readonly Urn[];
  /** The job, model or catalog entry that says so. */
  readonly producer: { readonly namespace: string; readonly name: string };
  /** Absent where the producer runs no model of dbt or SQLMesh. */
  readonly statement?: ProducingStatement;
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
  /** The engine that worked it, in lower case; absent where nothing names one (C-POLICY-12). */
  readonly engine?: string;
  /** Of an output that is an exposure; of a dbt model or a dataset of DataHub only its owners. */
  readonly exposure?: ExposureFacts;
  /** JSON pointer into the delivery's payload. */
  readonly location: string;
};

export type StatementText = { readonly text: string; readonly truncated: boolean; readonly pointer: string };

export type StatedDerivation = Derivation & {
  /** The place of the item among those of its delivery. */
  readonly itemIndex: number | null;
  readonly sql: StatementText | null;
};

type OrderOfScope = { readonly scope: ScopeId; readonly order: Order };

export type DerivationStore = {
  /** Keeps it until the order is forgotten. */
  readonly put: (graph: GraphId, place: OrderOfScope, packed: Uint8Array) => Promise<void>;
  /** Bytes of it, fewer where it ends before; null if nothing is kept, as of small documents. */
  readonly range: (
    graph: GraphId,
    place: OrderOfScope & { readonly from: number; readonly bytes: number },
  ) => Promise<Uint8Array | null>;
  readonly remove: (graph: GraphId, place: OrderOfScope) => Promise<void>;
};

export const packDerivations = (stated: readonly StatedDerivation[]): Uint8Array =>
  packSorted(Map.groupBy(stated, ({ output }) => nodeId(urnOf(output))));

/** The derivations of a node; none if the document states none. */
export type DerivationsOf<D extends Derivation = StatedDerivation> = (node: NodeId) => Promise<readonly D[]>;

export async function openDerivations(
  { derivations }: { readonly derivations: Pick<DerivationStore, 'range'> },
  graph: GraphId,
  place: OrderOfScope,
): Promise<DerivationsOf | null> {
  const find = await openSorted((from, bytes) => derivations.range(graph, { ...place, from, bytes }));
  return find && (async (node) => ((await find(node)) ?? []) as readonly StatedDerivation[]);
}

/** What one scope knows of one edge beyond its existence. */
export type EdgeDetail = Omit<Derivation, 'output' | 'inputs' | 'columns' | 'isWhole' | 'unread'> & {
  /** Null where it is not known which delivery said so by the moment that is asked about. */
  readonly deliveryId: string | null;
  readonly observedAt: string;
  /** Of a run that another run started: the columns of its siblings count too (C-OPENLINEAGE-28). */
  readonly parentRun?: ParentRun;
  readonly columns: readonly EdgeColumn[];
  /** The same before lists of columns settled it, which others may replace; absent if none did. */
  readonly unsettled?: readonly Unresolved[];
};

export type EdgeColumn = Omit<ColumnMapping, 'input'>;

export type EdgeInScope = { readonly from: NodeId; readonly to: NodeId; readonly scope: ScopeId };

/** Tells edges in scopes apart: no id has a space. */
export const edgeInScopeName = ({ from, to, scope }: EdgeInScope): string => `${from} ${to} ${scope}`;

/** The same as live claims name it. */
export type ClaimedEdge = EdgeInScope & {
  /** The newest order that claims it at the moment of a view, null if it was observed. */
  readonly order: Order | null;
  /** The claim is history, and newer partial orders may have been merged into it. */
  readonly joined?: true;
};

export type DetailVersion = { readonly order: Order; readonly detail: EdgeDetail };

/** The newest detail of an edge, and where it replaced others that readers may still see, all of them, newest first. */
export type FoundDetail = EdgeInScope & DetailVersion & { readonly versions?: readonly DetailVersion[] };
