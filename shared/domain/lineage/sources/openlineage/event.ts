/** OpenLineage 2-0-2 as far as lineage depends on it; standard facets here hold only once their own check passed. */
export type Named = { readonly namespace: string; readonly name: string };

type Tombstone = { readonly _deleted?: boolean };
type Facets<Known> = { readonly [Key in keyof Known]?: Known[Key] & Tombstone } & {
  readonly [custom: string]: unknown;
};

export type Transformation = {
  readonly type: string;
  readonly subtype?: string;
  readonly description?: string;
  readonly masking?: boolean;
};

export type InputField = Named & { readonly field: string; readonly transformations?: readonly Transformation[] };

/** ColumnLineageDatasetFacet 1-2-0, and what its predecessors stated in addition to the input fields. */
export type ColumnLineageFacet = {
  readonly fields?: Readonly<
    Record<
      string,
      {
        readonly inputFields: readonly InputField[];
        readonly transformationType?: string;
        readonly transformationDescription?: string;
      }
    >
  >;
  readonly dataset?: readonly InputField[];
};

export type LineageInput =
  | (Named & {
      readonly type: 'DATASET';
      readonly field?: string;
      readonly transformations?: readonly Transformation[];
    })
  | (Partial<Named> & { readonly type: 'JOB' });

/** LineageDatasetFacet 1-0-0: what feeds the dataset that it stands on. */
export type DatasetLineageFacet = {
  readonly inputs?: readonly LineageInput[];
  readonly fields?: Readonly<Record<string, { readonly inputs: readonly LineageInput[] }>>;
};

type LineageEntry =
  | (Named & { readonly type: 'DATASET' } & DatasetLineageFacet)
  | (Partial<Named> & { readonly type: 'JOB'; readonly inputs?: readonly LineageInput[] });

/** LineageJobFacet 1-0-0: what feeds each target of the job. */
export type JobLineageFacet = { readonly entries?: readonly LineageEntry[] };

export type Symlink = Named & { readonly type: string };

type DatasetFacets = Facets<{
  columnLineage: ColumnLineageFacet;
  lineage: DatasetLineageFacet;
  schema: { readonly fields?: readonly { readonly name: string; readonly type?: string }[] };
  symlinks: { readonly identifiers?: readonly Symlink[] };
  lifecycleStateChange: { readonly lifecycleStateChange?: string; readonly previousIdentifier?: Named };
}>;

type JobFacets = Facets<{
  lineage: JobLineageFacet;
  jobType: { readonly processingType?: string; readonly integration?: string };
  sql: { readonly query?: string; readonly dialect?: string };
  ownership: { readonly owners?: readonly { readonly name: string; readonly type?: string }[] };
  /** Of a history of statements: the database that it ran in, and whether a query counts as a reader. Its shape is not checked. */
  tributary_session: { readonly database?: unknown; readonly reads?: unknown };
}>;

/** The key of what the service read from the job's statement. It is a symbol, so that no sender can set it in JSON. */
export const readKey: unique symbol = Symbol('read from the statement');

type StatementReading = {
  /** The statement was understood whole. */
  readonly isWhole?: boolean;
  /** Nobody reported the columns, and they are those of the statement. */
  readonly isDerived?: boolean;
  /** Of one of several outputs: only these feed it. */
  readonly ownInputs?: readonly Named[];
};

export type Dataset = Named & { readonly facets?: DatasetFacets; readonly [readKey]?: StatementReading };
type InputDataset = Dataset & { readonly inputFacets?: Readonly<Record<string, unknown>> };
export type OutputDataset = Dataset & { readonly outputFacets?: Readonly<Record<string, unknown>> };
export type Job = Named & { readonly facets?: JobFacets };
type Run = { readonly runId: string; readonly facets?: Readonly<Record<string, unknown>> };

export type BaseEvent = { readonly eventTime: string; readonly producer: string; readonly schemaURL: string };
type JobIO = {
  readonly job: Job;
  readonly inputs?: readonly InputDataset[];
  readonly outputs?: readonly OutputDataset[];
};

export type EventType = 'START' | 'RUNNING' | 'COMPLETE' | 'ABORT' | 'FAIL' | 'OTHER';
export type RunEvent = BaseEvent & JobIO & { readonly run: Run; readonly eventType?: EventType };
export type JobEvent = BaseEvent & JobIO;
export type DatasetEvent = BaseEvent & { readonly dataset: Dataset };
