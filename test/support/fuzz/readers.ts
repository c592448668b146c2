import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { isStorable } from '../../../shared/contract/fields.ts';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { intakeRoutes } from '../../../shared/contract/lineage.ts';
import { PutPolicy } from '../../../shared/contract/policy.ts';
import type { DeclaredKind } from '../../../shared/contract/vocabulary.ts';
import { parseExpectation } from '../../../shared/domain/agents/checks/expectation.ts';
import { readJson } from '../../../shared/domain/base/json/read-json.ts';
import { parsePosthogBatch } from '../../../shared/domain/events/posthog/body.ts';
import { parseNativeBatch } from '../../../shared/domain/events/receive/validate-events.ts';
import { nameTails } from '../../../shared/domain/lineage/graph/name-parts.ts';
import { urnOf } from '../../../shared/domain/lineage/graph/node.ts';
import { eventsOf, readBatch } from '../../../shared/domain/lineage/ingest/accept-openlineage.ts';
import { type Connector, connectorDefaults } from '../../../shared/domain/lineage/names/connector.ts';
import { resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';
import { referencePlan } from '../../../shared/domain/lineage/names/resolve-reference.ts';
import { policyEvaluator } from '../../../shared/domain/lineage/policy/policy.ts';
import { edgesOf } from '../../../shared/domain/lineage/projection/edges.ts';
import { documentOf } from '../../../shared/domain/lineage/sources/item-index.ts';
import { contributionOf } from '../../../shared/domain/lineage/sources/openlineage/contribution.ts';
import type { Resolve } from '../../../shared/domain/lineage/sources/openlineage/event-names.ts';
import { datasetEventOf, jobEventOf } from '../../../shared/domain/lineage/sources/openlineage/run.ts';
import { settleColumnSources } from '../../../shared/domain/lineage/sources/openlineage/settle-column-sources.ts';
import { validateEvent } from '../../../shared/domain/lineage/sources/openlineage/validate.ts';
import {
  declaredFieldErrors,
  readDeclared,
  readDeclaredBody,
} from '../../../shared/domain/lineage/sources/read-body.ts';
import { analyseScript, analyseSql } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import { readFieldsAndBody } from '../../../shared/runtime/body.ts';

/** Reads bodies of one kind as far as no store is needed. Only a `Problem` may be thrown. */
export type Reader = {
  readonly name: string;
  readonly seeds: readonly string[];
  readonly read: (text: string) => unknown;
};

const connector: Connector = {
  ...connectorDefaults,
  id: 'c' as ConnectorId,
  workspace_id: 'w' as WorkspaceId,
  kind: 'postgres',
  name: 'warehouse',
  namespaces: [],
  datahub_platform_instances: [],
};
const connectors = [connector];
const parser = await loadSqlParser();
const receivedAt = '2026-11-20T12:00:00.000Z';

const fixture = (file: string): string => readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8');
const request = {
  method: 'POST',
  resource: '',
  path: '',
  params: {},
  query: {},
  headers: {},
  bytes: Buffer.alloc(0),
  gatewayId: '',
  base: 'https://service.test',
};
const head = { workspace_id: 'ws_1', connector_id: 'con_1' };
const wrapped = (field: string, file: string, more: object = {}): string =>
  JSON.stringify({ ...head, [field]: JSON.parse(fixture(file)), ...more });

const route = {
  dbt_manifest: intakeRoutes.postDbtManifest,
  sqlmesh_project: intakeRoutes.postSqlmeshProject,
  datahub_catalog: intakeRoutes.postDatahubExport,
} as const;

/** A declared body from its bytes to the edges that it states. */
async function readDocument(kind: DeclaredKind, text: string): Promise<void> {
  const read = await readDeclaredBody(kind, [Buffer.from(text)]);
  if (!read.ok) return;
  const { body } = readFieldsAndBody(route[kind], request, read.body);
  const { document, importSource } = documentOf(kind, body);
  if (declaredFieldErrors(document).length > 0) return;
  const { derivations } = readDeclared({ connector, connectors, importSource }, document).derive({
    analyse: (sql, options) => analyseSql(parser, sql, options),
    knownColumns: () => null,
  });
  edgesOf(derivations, { deliveryId: 'd', observedAt: receivedAt, unmappedIsUnknown: true });
}

const resolve: Resolve = (dataset) => resolveDataset(connectors, dataset);

function readEvents(text: string): void {
  const bytes = Buffer.from(text);
  readBatch(bytes);
  for (const event of eventsOf(readJson(bytes).value) ?? []) {
    const checked = validateEvent(event);
    if (!checked.valid) continue;
    if (checked.kind === 'DatasetEvent') datasetEventOf(checked.event, resolve, '');
    else {
      const settled = settleColumnSources((sql, options) => analyseSql(parser, sql, options), checked.event);
      if ('run' in settled) contributionOf(settled, resolve);
      else jobEventOf(settled, resolve, '');
    }
  }
}

const facet = { _producer: 'https://p.test/', _schemaURL: 'https://p.test/s' };
const dataset = (name: string, facets: object = {}) => ({ namespace: 'postgres://db.test:5432', name, facets });
const event = {
  eventType: 'COMPLETE',
  eventTime: receivedAt,
  producer: 'https://p.test/',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
  run: { runId: '0198c0de-0000-7000-8000-000000000001' },
  job: { namespace: 'n', name: 'j', facets: { sql: { ...facet, query: 'insert into c.o select a as x from c.i' } } },
  inputs: [
    dataset('d.c.i', {
      schema: { ...facet, fields: [{ name: 'a', type: 'int' }] },
      symlinks: { ...facet, identifiers: [{ namespace: 's3://b', name: 'p/i', type: 'LOCATION' }] },
    }),
  ],
  outputs: [
    dataset('d.c.o', {
      columnLineage: {
        ...facet,
        fields: { x: { inputFields: [{ namespace: 'postgres://db.test:5432', name: 'd.c.i', field: 'a' }] } },
      },
      lifecycleStateChange: { ...facet, lifecycleStateChange: 'CREATE' },
    }),
  ],
};
const { run: _run, eventType: _type, ...jobEvent } = event;
const datasetEvent = { ...jobEvent, job: undefined, inputs: undefined, outputs: undefined, dataset: dataset('d.c.o') };

const native = {
  project_key: 'k',
  events: [
    { id: '1', type: 'track', event: 'e', user_id: 'u', timestamp: receivedAt, properties: { a: [1, { b: 'c' }] } },
    {
      id: '2',
      type: 'group',
      group_type: 't',
      group_key: 'g',
      user_id: 'u',
      timestamp: receivedAt,
      groups: { t: 'g' },
    },
  ],
};
const compatible = {
  api_key: 'k',
  sent_at: receivedAt,
  batch: [
    { event: '$identify', distinct_id: 'u', properties: { $anon_distinct_id: 'a', $set: { x: 1 }, $groups: { t: 5 } } },
    {
      event: '$groupidentify',
      distinct_id: 'u',
      properties: { $group_type: 't', $group_key: 'g', $group_set: { a: 1 } },
    },
    { event: '$pageview', distinct_id: 'u', timestamp: receivedAt, properties: { $current_url: 'x', title: 'y' } },
  ],
};
const policy = {
  workspace_id: 'ws_1',
  filters: {
    schema_scope: { include: ['d.*', 'x.[a-z]?_*'], exclude: ['*.tmp_*'] },
    principals: { mode: 'exclude', patterns: ['svc_*'], unmatched: 'admit' },
    statement_kinds: ['merge'],
    provider_rules: [{ provider_type: 'dbt_manifest', action: 'include', engines: ['spark'] }],
  },
};
const facts = { upstream: 'd.a.b', providerType: 'dbt_manifest', engine: null, statementKind: null, principal: null };

function readPolicy(text: string): void {
  const read = readJson(Buffer.from(text));
  const put = v.safeParse(PutPolicy, read.value);
  if (put.success) policyEvaluator(put.output).evaluate({ ...facts, downstream: text.slice(0, 100) });
}

/** Text that stores cannot hold is refused in every field. */
function readName(text: string): void {
  if (!isStorable(text)) return;
  nameTails(text);
  referencePlan(connectors, connector, text);
  urnOf(resolveDataset(connectors, { namespace: text, name: text, symlinks: [] }).node);
  parseExpectation(text);
}

const sql = fixture('sql/queries.sql')
  .split(/;\s*\n/)
  .slice(0, 40);
const dialects = ['postgres', 'snowflake', 'bigquery', 'spark', 'duckdb'] as const;

export const readers: readonly Reader[] = [
  {
    name: 'dbt manifests',
    seeds: [wrapped('manifest', 'dbt/crm-manifest.json', { project_id: 'p' })],
    read: (text) => readDocument('dbt_manifest', text),
  },
  {
    name: 'SQLMesh projects',
    seeds: [wrapped('project', 'sqlmesh/crm-export.json')],
    read: (text) => readDocument('sqlmesh_project', text),
  },
  {
    name: 'DataHub exports',
    seeds: [wrapped('export', 'datahub/crm-catalog.json')],
    read: (text) => readDocument('datahub_catalog', text),
  },
  { name: 'OpenLineage batches', seeds: [JSON.stringify([event, jobEvent, datasetEvent])], read: readEvents },
  {
    name: 'event batches',
    seeds: [JSON.stringify(native)],
    read: (text) => parseNativeBatch(text).lines({ receivedAt, attempt: '' }),
  },
  {
    name: 'PostHog batches',
    seeds: [JSON.stringify(compatible), JSON.stringify(compatible.batch)],
    read: (text) => parsePosthogBatch(text).lines({ receivedAt, attempt: '' }),
  },
  { name: 'policies', seeds: [JSON.stringify(policy)], read: readPolicy },
  {
    name: 'names and expectations',
    seeds: [
      'd."My Schema".orders',
      's3://bucket/a/b',
      'urn:li:dataset:(urn:li:dataPlatform:hive,a.b,PROD)',
      'no new upstream',
    ],
    read: readName,
  },
  {
    name: 'SQL',
    seeds: sql,
    read: (text) =>
      analyseScript(parser, text, {
        dialect: dialects[text.length % dialects.length] ?? 'postgres',
        columnsOf: () => null,
      }),
  },
];
