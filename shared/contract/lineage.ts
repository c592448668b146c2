import * as v from 'valibot';
import { datahubFormat, dbtCatalogFormat, dbtFormat, dbtInfoSchemaFormat, sqlmeshFormat } from './document-formats.ts';
import { count, documentedAs, jsonObject, jsonObjectAs, notBlank, text } from './fields.ts';
import { limits } from './limits.ts';
import { editorAccess, type FunctionRoutes, type Route, servedBy } from './route.ts';
import { completenesses, standings } from './vocabulary.ts';

/** C-INGEST-1: the receipt of the OpenLineage routes. */
export const LineageDeliveryReceipt = v.object({
  delivery_id: v.string(),
  state: v.literal('accepted'),
  duplicate: v.boolean(),
  item_count: count,
  invalid_item_count: count,
});
export type LineageDeliveryReceipt = v.InferOutput<typeof LineageDeliveryReceipt>;

const OpenLineageQuery = v.object({
  workspace_id: v.optional(text(200)),
  connector_id: v.optional(text(200)),
  provider_key: v.optional(text(limits.openlineage.providerKey)),
});

/** A header that is sent twice arrives as one, its values joined by a comma and a space. */
const keyHeader = (max: number) =>
  v.optional(
    v.pipe(
      text(max),
      v.check((key) => !key.includes(', '), 'must be given once'),
    ),
  );

const OpenLineageHeaders = v.object({ 'idempotency-key': keyHeader(limits.openlineage.idempotencyKey) });

const specification = { url: 'https://openlineage.io/spec/2-0-2/OpenLineage.json' };
const event = {
  type: 'object',
  description: 'A RunEvent, JobEvent or DatasetEvent of OpenLineage 2-0-2.',
  externalDocs: specification,
};

/** What the bytes of the OpenLineage routes hold; the events are validated by the worker. */
const OpenLineageEventBody = v.pipe(v.unknown(), documentedAs(event));
const OpenLineageBatchBody = v.pipe(v.unknown(), documentedAs({ oneOf: [batchOf(event), enveloped(event)] }));

function batchOf(items: object) {
  const { min: minItems, max: maxItems } = limits.openlineage.batch;
  return { type: 'array', minItems, maxItems, items };
}

function enveloped(items: object) {
  return { type: 'object', properties: { events: batchOf(items) }, required: ['events'], additionalProperties: false };
}

const declaredFields = {
  workspace_id: text(200),
  connector_id: text(200),
  completeness: v.optional(v.picklist(completenesses), 'partial'),
  source_event_key: v.optional(text(limits.declared.idempotencyKey)),
  /** Takes the document although its platform is not the connector's (C-DECLARED-18). */
  force: v.optional(
    v.pipe(
      v.boolean(),
      documentedAs({
        type: 'boolean',
        default: false,
        description:
          'Accepts the document even if it describes a different platform than the connector. Not part of the content.',
      }),
    ),
  ),
};

/** What only a complete delivery must have, for the API description: C-DECLARED-4 and C-DECLARED-5. */
const ifComplete = <Input>(then: object) =>
  v.metadata<Input, Record<string, unknown>>({
    if: { properties: { completeness: { const: 'complete' } }, required: ['completeness'] },
    then,
  });

const DatahubFields = v.strictObject({
  ...declaredFields,
  export: v.pipe(
    v.union([v.array(v.unknown()), jsonObject], 'must be an object or an array'),
    documentedAs(datahubFormat),
  ),
  import_source: v.optional(notBlank(text(limits.declared.importSource))),
});
export const DatahubAcquisition = v.pipe(DatahubFields, ifComplete({ required: ['import_source'] }));

export type DatahubAcquisition = v.InferOutput<typeof DatahubAcquisition>;

const SqlmeshFields = v.strictObject({
  ...declaredFields,
  project: jsonObjectAs(sqlmeshFormat),
  project_id: v.optional(notBlank(text(limits.declared.projectId))),
});
export const SqlmeshAcquisition = v.pipe(
  SqlmeshFields,
  ifComplete({ required: ['project_id'], properties: { project: { required: ['models'] } } }),
);

export type SqlmeshAcquisition = v.InferOutput<typeof SqlmeshAcquisition>;

const DbtFields = v.strictObject({
  ...declaredFields,
  manifest: jsonObjectAs(dbtFormat),
  /** dbt's `catalog.json` of the same project: the columns that its relations have. */
  catalog: v.optional(jsonObjectAs(dbtCatalogFormat)),
  /** What the static analysis of dbt 2 says of columns, from the Parquet files of `target/info_schema/v1`. */
  info_schema: v.optional(jsonObjectAs(dbtInfoSchemaFormat)),
  project_id: v.optional(notBlank(text(limits.declared.projectId))),
});
export const DbtAcquisition = v.pipe(
  DbtFields,
  ifComplete({ required: ['project_id'], properties: { manifest: { required: ['nodes', 'sources'] } } }),
);

export type DbtAcquisition = v.InferOutput<typeof DbtAcquisition>;

/** The body of any intake route. */
export const IntakeBody = v.union([
  OpenLineageEventBody,
  OpenLineageBatchBody,
  DatahubAcquisition,
  SqlmeshAcquisition,
  DbtAcquisition,
]);

const DeclaredHeaders = v.object({ 'idempotency-key': keyHeader(limits.declared.idempotencyKey) });

/** Given where `duplicate` is true: whether the first delivery is what stands (C-INGEST-16). */
export const DuplicateOf = v.object({ delivery_id: v.string(), state: v.picklist(standings) });
export type DuplicateOf = v.InferOutput<typeof DuplicateOf>;

const AcceptedAcquisition = v.object({
  ok: v.literal(true),
  delivery_id: v.string(),
  status: v.literal('accepted'),
  accepted: v.literal(true),
  duplicate: v.boolean(),
  duplicate_of: v.optional(DuplicateOf),
  item_count: count,
  invalid_item_count: count,
  dispatch_requested: v.boolean(),
  completeness: v.picklist(completenesses),
  scope_key: v.string(),
});
export type AcceptedAcquisition = v.InferOutput<typeof AcceptedAcquisition>;

const SkippedAcquisition = v.object({
  ok: v.literal(true),
  accepted: v.literal(false),
  skipped: v.picklist(['provider_paused', 'provider_disabled']),
});
export type SkippedAcquisition = v.InferOutput<typeof SkippedAcquisition>;

/** What a receipt counts, without any SQL being parsed: C-INGEST-1. */
const CatalogCounts = v.object({ observations: count, edges_received: count, unresolved: count });
export type CatalogCounts = v.InferOutput<typeof CatalogCounts>;

const ProjectCounts = v.object({
  observations: count,
  models: count,
  /** Relations that the document describes: models, seeds, snapshots, sources, external models. */
  nodes: count,
  /** Dependencies as declared, before inlined models are collapsed. */
  dependencies: count,
  /** Models whose statement is there to be mapped to columns; how many could be is known after projection. */
  column_maps: count,
});
export type ProjectCounts = v.InferOutput<typeof ProjectCounts>;

/** C-INGEST-1, C-INGEST-11: the receipts of the declared routes. */
export const CatalogReceipt = v.union([
  v.object({ ...AcceptedAcquisition.entries, ...CatalogCounts.entries }),
  SkippedAcquisition,
]);
export const ProjectReceipt = v.union([
  v.object({ ...AcceptedAcquisition.entries, ...ProjectCounts.entries }),
  SkippedAcquisition,
]);

const openlineage = {
  method: 'POST',
  access: { kind: 'member', scope: 'write', role: 'editor', workspace: 'query_or_token' },
  query: OpenLineageQuery,
  headers: OpenLineageHeaders,
  body: { kind: 'bytes', maxBytes: limits.openlineage.bodyBytes },
  familyCodes: {
    invalid_json: 'openlineage_invalid_json',
    body_too_large: 'openlineage_body_too_large',
    unsupported_content_encoding: 'openlineage_content_encoding_unsupported',
  },
  replies: { 202: { description: 'Durably accepted.', schema: LineageDeliveryReceipt } },
  problems: [
    'openlineage_body_required',
    'openlineage_invalid_json',
    'lineage_idempotency_conflict',
    'lineage_provider_scope_conflict',
    'lineage_provider_paused',
    'lineage_provider_disabled',
    'openlineage_workspace_required',
  ],
} as const satisfies Partial<Route>;

const declared = {
  method: 'POST',
  access: editorAccess,
  headers: DeclaredHeaders,
  problems: [
    'not_found',
    'lineage_idempotency_conflict',
    'lineage_provider_scope_conflict',
    'lineage_snapshot_invalid',
    'lineage_connector_mismatch',
  ],
} as const satisfies Partial<Route>;

const document = { kind: 'json', maxBytes: limits.declared.bodyBytes, gzip: true } as const;

/** Lineage intake: C-OPENLINEAGE-1, C-DECLARED-1. */
export const intakeRoutes = servedBy('ingest', {
  postOpenLineageEvent: {
    ...openlineage,
    path: '/api/v1/lineage',
    summary: 'Accepts one OpenLineage event.',
    body: { ...openlineage.body, schema: OpenLineageEventBody },
    problems: [...openlineage.problems, 'openlineage_invalid_event'],
  },
  postOpenLineageBatch: {
    ...openlineage,
    path: '/api/v1/lineage/batch',
    summary: 'Accepts 1 to 1,000 OpenLineage events.',
    body: { ...openlineage.body, schema: OpenLineageBatchBody },
    problems: [...openlineage.problems, 'openlineage_invalid_batch', 'openlineage_batch_too_large'],
  },
  postDatahubExport: {
    ...declared,
    path: '/v1/lineage/datahub',
    summary: 'Accepts lineage exported from DataHub.',
    body: { ...document, document: 'datahub_catalog', schema: DatahubAcquisition },
    replies: { 202: { description: 'Durably accepted.', schema: CatalogReceipt } },
  },
  postSqlmeshProject: {
    ...declared,
    path: '/v1/lineage/sqlmesh/project',
    aliases: ['/v1/pipelines/sqlmesh/project'],
    summary: 'Accepts a rendered SQLMesh project.',
    body: { ...document, document: 'sqlmesh_project', schema: SqlmeshAcquisition },
    replies: { 202: { description: 'Durably accepted.', schema: ProjectReceipt } },
  },
  postDbtManifest: {
    ...declared,
    path: '/v1/lineage/dbt/manifest',
    aliases: ['/v1/pipelines/dbt/manifest'],
    summary: 'Accepts a dbt manifest.',
    body: { ...document, document: 'dbt_manifest', schema: DbtAcquisition },
    replies: { 202: { description: 'Durably accepted.', schema: ProjectReceipt } },
  },
} as const satisfies FunctionRoutes);
