/** The closed sets of words of the interface, each written once. */
/** Which influences of a column a question follows: those only on values, or on rows too. */
export const influences = ['direct', 'all'] as const;
export type Influence = (typeof influences)[number];

/** What happens to a column's value on its way; `passthrough` keeps its name too. */
export const columnChanges = ['passthrough', 'renamed', 'derived', 'aggregated'] as const;
export type ColumnChange = (typeof columnChanges)[number];

/** What declarations and runs together say of an edge (C-VERDICT). */
export const verdicts = ['confirmed', 'declared_only', 'observed_only', 'contradicted'] as const;
export type Verdict = (typeof verdicts)[number];

/** Verdicts as people read them. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  confirmed: 'confirmed by runs',
  declared_only: 'only declared',
  observed_only: 'only observed',
  contradicted: 'observed against the declaration',
};

/** Why no run confirms a declaration. */
export const declaredOnlyReasons = ['never_observed', 'not_covered'] as const;
export type DeclaredOnlyReason = (typeof declaredOnlyReasons)[number];

const reasonWords: Readonly<Record<DeclaredOnlyReason, string>> = {
  never_observed: 'no run of its model had it',
  not_covered: 'no run of its model was reported',
};

/** A verdict and its reason as people read them. */
export const verdictText = (verdict: Verdict, reason: DeclaredOnlyReason | null): string =>
  [verdictWords[verdict], ...(reason ? [reasonWords[reason]] : [])].join(': ');

/** How a source knows what it states: its evidence's default weight and its side in verdicts follow from it (C-FEED-2). */
export const evidenceClasses = ['declared', 'runtime', 'catalog', 'query_log'] as const;
export type EvidenceClass = (typeof evidenceClasses)[number];

/** The types of documents, and the types of feeds that need no class. */
export const providerTypeClasses: ReadonlyMap<string, EvidenceClass> = new Map([
  ['dbt_manifest', 'declared'],
  ['sqlmesh_project', 'declared'],
  ['datahub_catalog', 'catalog'],
  ['collection', 'catalog'],
  ['openlineage', 'runtime'],
  ['spark', 'runtime'],
  ['flink', 'runtime'],
  ['airflow', 'runtime'],
  ['query_log', 'query_log'],
  ['google_data_lineage', 'catalog'],
]);

export const tokenScopes = ['read', 'write', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** In rising order: each role may do what the ones before it may. */
export const roles = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** How much a failed check or a request weighs, in rising order. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

export const connectorKinds = [
  'postgres',
  'snowflake',
  'bigquery',
  'redshift',
  'databricks',
  'duckdb',
  'trino',
  'mysql',
  'sqlserver',
  'oracle',
  'clickhouse',
  'spark',
  'athena',
  'other',
] as const;
export type ConnectorKind = (typeof connectorKinds)[number];

/** What is left of a declared delivery that a request repeats: C-INGEST-16. */
export const standings = ['in_effect', 'superseded', 'forgotten'] as const;
export type Standing = (typeof standings)[number];

export const completenesses = ['partial', 'complete'] as const;
export type Completeness = (typeof completenesses)[number];

export const directions = ['upstream', 'downstream', 'both'] as const;
export type Direction = (typeof directions)[number];

export const deliveryStates = [
  'accepted',
  'processing',
  'projected',
  'partially_projected',
  'quarantined',
  'failed',
  'superseded',
  'held',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const openLineageKinds = ['openlineage_event', 'openlineage_batch'] as const;
export const declaredKinds = ['dbt_manifest', 'sqlmesh_project', 'datahub_catalog'] as const;
export type DeclaredKind = (typeof declaredKinds)[number];
/** Documents that state a scope: those that senders declare, and what the service states of a collection project. */
export const documentKinds = [...declaredKinds, 'collection'] as const;
/** Types that a feed can be registered with by name, without a class. */
export const feedTypes = [...providerTypeClasses.keys()].filter((type) => !documentKinds.some((kind) => kind === type));
/** What senders deliver. */
export const sentKinds = [...openLineageKinds, ...declaredKinds] as const;
export const deliveryKinds = [...openLineageKinds, ...documentKinds] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export const providerStatuses = ['active', 'paused', 'disabled', 'error'] as const;
export type ProviderStatus = (typeof providerStatuses)[number];

/** Why a feed may have left evidence out. */
export const quietReasons = ['paused', 'disabled', 'error', 'silent'] as const;
export type QuietReason = (typeof quietReasons)[number];

export const gapStatuses = ['open', 'resolved', 'ignored'] as const;
export type GapStatus = (typeof gapStatuses)[number];

export const gapTypes = [
  'silent_provider',
  'backlog',
  'unresolved_assets',
  'quarantined_items',
  'outdated_normalizer',
  'snapshot_shrank',
  'unowned_namespace',
  'undeclared_lineage',
  'unfinished_runs',
  'abandoned_scope',
  'names_look_alike',
] as const;
export type GapType = (typeof gapTypes)[number];

export const statementKinds = [
  'create_table_as',
  'create_view',
  'create_materialized_view',
  'insert',
  'insert_overwrite',
  'merge',
  'update',
  'delete',
  'copy',
  'select_into',
  'other',
] as const;
export type StatementKind = (typeof statementKinds)[number];

export const clientKinds = ['cli', 'ci', 'agent', 'service', 'other'] as const;

export const resolutionMethods = [
  'exact',
  'case_folded',
  'default_qualified',
  'unique_suffix',
  'alias',
  'unresolved',
] as const;
export type ResolutionMethod = (typeof resolutionMethods)[number];

export const notificationTypes = [
  'delivery.failed',
  'delivery.held',
  'gap.opened',
  'check.failed',
  'diff.breaking',
  'shape.changed',
] as const;

export const webhookFormats = ['json', 'slack'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

export const webhookStates = ['pending', 'delivered', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** Spreadsheets run a cell that begins so as a formula, full-width signs and quoted cells too. An apostrophe makes it a text. */
export const inertCell = (text: string): string => (/^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text);
