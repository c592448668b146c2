import { randomUUID } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { policyImplementations } from '../../functions/policy/policy.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { deliveryKey } from '../../shared/adapters/dynamodb/keys/delivery-keys.ts';
import type { EdgeExplanation } from '../../shared/contract/explain.ts';
import { type PolicyFilters, policyRoutes } from '../../shared/contract/policy.ts';
import { safeDefaults } from '../../shared/domain/lineage/policy/policy.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { policyPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { request } from '../support/access-world.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const ends = { upstream: 'crm.core.stg_accounts', downstream: 'crm.core.accounts' };
const explain = async (query: Record<string, string> = ends, from = place): Promise<EdgeExplanation> => {
  const { status, json } = await from.ask('/v1/lineage/edges/explain', query);
  expect(status).toBe(200);
  return json;
};
const manifest = () => place.declare('/v1/lineage/dbt/manifest', { manifest: crm });
const observed = () =>
  runEvent(place.namespace, [ends.upstream], [ends.downstream], {
    job: 'nightly',
    sql: 'insert into core.accounts select account_id from core.stg_accounts',
    columns: { account_id: [[ends.upstream, 'account_id']] },
  });

async function putPolicy(filters: Partial<PolicyFilters>): Promise<void> {
  const put = responder(policyRoutes, policyImplementations(policyPorts()), httpPorts());
  const { status } = await put(
    request('PUT', '/v1/connectors/{connector_id}/lineage-policy', {
      token: place.tokens.admin,
      params: { connector_id: place.connector.id },
      body: { workspace_id: place.workspace, filters: { ...safeDefaults, ...filters } },
    }),
  );
  expect(status).toBe(200);
}

describe('the evidence of an edge', () => {
  it('is every source that says so, with its delivery, its place in the payload, and the statement (C-EXPLAIN-1, C-EVIDENCE-1, C-EVIDENCE-2)', async () => {
    const { json: declared } = await manifest();
    const event = observed();
    const { json: emitted } = await place.emit([runEvent(place.namespace, ['crm.core.x'], ['crm.core.y']), event]);
    const answer = await explain();
    expect(answer).toMatchObject({
      found: true,
      status: 'active',
      confidence: 0.98,
      truncated: false,
      upstream: { relation_ref: ends.upstream, lineage_resolution: { method: 'exact', fallback_reason: null } },
      cost: { requests: expect.any(Number) },
    });
    const [dbt, run] = answer.evidence;
    const place_ = '/manifest/nodes/model.crm.accounts';
    expect(dbt).toMatchObject({
      provider_type: 'dbt_manifest',
      disposition: 'admitted',
      weight: 0.9,
      producer: { namespace: 'crm', name: 'model.crm.accounts' },
      statement_kind: 'create_table_as',
      delivery: {
        delivery_id: declared.delivery_id,
        kind: 'dbt_manifest',
        payload: {
          href: `/v1/lineage/deliveries/${declared.delivery_id}/payload?workspace_id=${place.workspace}`,
          item_index: Object.keys(crm.nodes).indexOf('model.crm.accounts'),
          pointer: place_,
          unread_reason: null,
        },
      },
      said_by: [
        { kind: 'declared_dependency', name: null, pointer: `${place_}/depends_on/nodes` },
        { kind: 'sql', name: null, pointer: `${place_}/compiled_code` },
      ],
      sql: { text: crm.nodes['model.crm.accounts'].compiled_code, truncated: false },
    });
    expect(dbt?.why).toEqual({
      message: 'Every policy that concerns the edge admits it.',
      connector_id: null,
      policy_revision: null,
      rule: null,
    });
    expect(run).toMatchObject({
      provider_type: 'openlineage',
      weight: 0.8,
      producer: { namespace: 'jobs', name: 'nightly' },
      delivery: { delivery_id: emitted.delivery_id, payload: { item_index: 1, pointer: '/1' } },
      said_by: [{ kind: 'facet', name: 'columnLineage', pointer: '/1/outputs/0/facets/columnLineage' }],
      sql: { text: event.job.facets?.sql.query, pointer: '/1/job/facets/sql/query' },
      columns: [
        { upstream: 'account_id', downstream: 'account_id', type: 'DIRECT', subtype: 'IDENTITY', masking: false },
      ],
    });
    expect(await explain()).toEqual({ ...answer, as_of: expect.any(String) });
  });

  it('stays evidence if the receipt of its delivery is deleted, with delivery_missing_reason (C-EXPLAIN-4)', async () => {
    const { json: emitted } = await place.emit([observed()]);
    await manifest();
    const { pk, sk } = deliveryKey(place.workspace, emitted.delivery_id);
    const TableName = process.env['TABLE_NAME'] ?? '';
    await dynamodb().send(new DeleteItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
    const { confidence, evidence } = await explain();
    expect(confidence).toBe(0.98);
    expect(evidence).toMatchObject([
      { delivery: { kind: 'dbt_manifest' }, delivery_missing_reason: null },
      {
        delivery: null,
        delivery_missing_reason: 'receipt_not_kept',
        producer: { name: 'nightly' },
        columns: [{ upstream: 'account_id' }],
        said_by: [],
        sql: null,
      },
    ]);
  });

  it('is limited to the columns that take part', async () => {
    await manifest();
    const all = await explain();
    const { evidence, column_ref } = await explain({ ...ends, column_ref: 'Owner' });
    expect(column_ref).toBe('Owner');
    expect(all.evidence[0]?.columns.length).toBeGreaterThan(evidence[0]?.columns.length ?? 0);
    expect(evidence[0]?.columns).toContainEqual(expect.objectContaining({ upstream: 'owner', downstream: 'owner' }));
    for (const { upstream, downstream } of evidence[0]?.columns ?? []) {
      expect([upstream, downstream]).toSatisfy((one: unknown[]) => one.includes('owner') || one.includes(null));
    }
  });

  it('shows the names that its source uses for both ends', async () => {
    const symlinks = {
      _producer: 'https://example.com/test',
      _schemaURL: 'https://openlineage.io/spec/facets/1-0-1/SymlinksDatasetFacet.json#/$defs/SymlinksDatasetFacet',
      identifiers: [{ namespace: place.namespace, name: ends.downstream, type: 'TABLE' }],
    };
    const event = runEvent(place.namespace, [ends.upstream], []);
    const output = { namespace: 's3://bucket', name: 'accounts', facets: { symlinks } };
    await place.emit([runEvent('s3://bucket', [], ['accounts']), { ...event, outputs: [output] }]);
    const answer = await explain({ upstream: ends.upstream, downstream: 's3://bucket/accounts' });
    expect(answer.downstream).toEqual({
      relation_ref: ends.downstream,
      lineage_resolution: { method: 'alias', fallback_reason: 'named_by_alias' },
    });
    expect(answer.evidence).toHaveLength(1);
  });

  it('is found by the name that impact shows if an end belongs to another connector', async () => {
    await place.emit({
      ...runEvent(place.namespace, [], ['crm.core.b']),
      inputs: [{ namespace: 's3://lake', name: 'raw/events' }],
    });
    const { json } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.core.b' });
    const [{ upstream, downstream }] = json.edges;
    expect((await explain({ upstream, downstream })).found).toBe(true);
  });
});

describe('why evidence does not count', () => {
  const refusals: readonly [string, Partial<PolicyFilters>, string, string][] = [
    [
      'an excluded relation',
      { schema_scope: { include: [], exclude: ['other.*', '*.STG_*'] } },
      'policy:schema_scope',
      '/schema_scope/exclude/0',
    ],
    [
      'a relation that is not included',
      { schema_scope: { include: ['*.accounts'], exclude: [] } },
      'policy:schema_scope',
      '/schema_scope/include',
    ],
    [
      'an excluded provider',
      { provider_rules: [{ provider_type: 'dbt_manifest', action: 'exclude' }] },
      'policy:provider_rule',
      '/provider_rules/0',
    ],
    [
      'an excluded engine',
      { provider_rules: [{ provider_type: 'dbt_manifest', action: 'exclude', engines: ['Postgres'] }] },
      'policy:provider_rule',
      '/provider_rules/0',
    ],
    [
      'relations outside a rule’s own schemas',
      {
        provider_rules: [
          { provider_type: 'dbt_manifest', action: 'include', schema_scope: { include: ['other.*'], exclude: [] } },
        ],
      },
      'policy:provider_rule',
      '/provider_rules',
    ],
    [
      'a claim without a principal',
      { principals: { mode: 'exclude', patterns: [], unmatched: 'suppress' } },
      'policy:principal',
      '/principals/unmatched',
    ],
    ['a statement kind', { statement_kinds: ['merge'] }, 'policy:statement_kind', '/statement_kinds'],
  ];
  it.each(refusals)('names the rule: %s (C-EVIDENCE-4, C-EXPLAIN-2)', async (_, filters, disposition, rule) => {
    await manifest();
    await putPolicy(filters);
    const answer = await explain();
    expect(answer).toMatchObject({ found: true, status: 'stale', confidence: 0 });
    expect(answer.evidence[0]).toMatchObject({
      disposition,
      weight: 0.9,
      why: { connector_id: place.connector.id, policy_revision: 1, rule },
    });
  });

  it('names the retention of evidence that was not observed for long (C-EVIDENCE-6)', async () => {
    await place.emit({ ...observed(), eventTime: '2020-01-01T00:00:00Z' });
    const { evidence } = await explain();
    expect(evidence[0]).toMatchObject({
      disposition: 'expired:not_observed',
      why: { message: 'It was not observed for 90 days.', rule: 'observed_retention_days', policy_revision: null },
    });
  });
});

describe('what there is nothing to explain of', () => {
  it('is reported, and another workspace’s evidence is never shown', async () => {
    await manifest();
    const nothing = { found: false, status: null, confidence: 0, evidence: [] };
    expect(await explain({ upstream: ends.downstream, downstream: ends.upstream })).toMatchObject(nothing);
    expect(await explain({ upstream: 'crm.core.nowhere', downstream: ends.downstream })).toMatchObject({
      ...nothing,
      upstream: { relation_ref: 'crm.core.nowhere', lineage_resolution: { method: 'unresolved' } },
    });
    const misspelt = await explain({ upstream: `${ends.upstream}x`, downstream: ends.downstream });
    expect(misspelt.upstream.lineage_resolution.candidates?.[0]).toBe(ends.upstream);
    expect(misspelt.downstream.lineage_resolution).not.toHaveProperty('candidates');
    expect(await explain({ upstream: 'crm.core.nowhere', downstream: ends.downstream })).toMatchObject({
      ...nothing,
    });
    expect(await explain(ends, await world.place())).toMatchObject(nothing);
  });

  it('is a column that neither end is known to have (C-IDENTITY-14)', async () => {
    await manifest();
    expect((await explain({ ...ends, column_ref: 'nowhere' })).column_unresolved_reason).toBe('unknown_column');
    expect((await explain(ends)).column_unresolved_reason).toBeNull();
  });

  it('is a connector that is not there, or a question without its ends', async () => {
    const ask = (query: Record<string, string>) => place.ask('/v1/lineage/edges/explain', query);
    expect((await ask({ ...ends, connector_id: randomUUID() })).json.detail.code).toBe('not_found');
    expect((await ask({ upstream: ends.upstream })).status).toBe(422);
    expect((await ask({ ...ends, workspace_id: (await world.place()).workspace })).status).toBe(403);
  });
});
