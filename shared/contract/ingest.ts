import { limits } from './limits.ts';
import {
  CatalogReceipt,
  DatahubAcquisition,
  DbtAcquisition,
  DeclaredHeaders,
  LineageDeliveryReceipt,
  OpenLineageBatchBody,
  OpenLineageEventBody,
  OpenLineageHeaders,
  OpenLineageQuery,
  ProjectReceipt,
  SqlmeshAcquisition,
} from './lineage.ts';
import { type FunctionRoutes, type Route, servedBy } from './route.ts';

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
    'invalid_content_length',
    'lineage_idempotency_conflict',
    'lineage_provider_scope_conflict',
    'lineage_provider_paused',
    'lineage_provider_disabled',
    'openlineage_body_too_large',
    'unsupported_media_type',
    'openlineage_content_encoding_unsupported',
    'openlineage_workspace_required',
    'validation_error',
    'rate_limited',
  ],
} as const satisfies Partial<Route>;

const declared = {
  method: 'POST',
  access: { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' },
  headers: DeclaredHeaders,
  problems: [
    'invalid_json',
    'invalid_compression',
    'invalid_content_length',
    'not_found',
    'lineage_idempotency_conflict',
    'lineage_provider_scope_conflict',
    'body_too_large',
    'unsupported_media_type',
    'unsupported_content_encoding',
    'validation_error',
    'lineage_snapshot_invalid',
    'lineage_connector_mismatch',
    'rate_limited',
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
