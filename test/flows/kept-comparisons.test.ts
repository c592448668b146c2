import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readComparison } from '../../shared/domain/lineage/queries/diff/kept-comparison.ts';
import { updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { diffPorts } from '../../shared/runtime/composition/queries.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { inSql, ownedShopManifest, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());
const core = (table: string) => `crm.core.${table}`;

const take = () =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: ownedShopManifest(),
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });

const compare = async () => {
  const manifest = shopManifest((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''));
  const { status, json } = await place.post('/v1/lineage/diff', { project_id: 'crm', manifest });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
};

const read = (comparison_id: string, workspace_id: string = place.workspace) =>
  place.ask('/v1/lineage/diff/{comparison_id}', {}, { params: { comparison_id }, query: { workspace_id } });

describe('a comparison of a branch', () => {
  it('is read again as it was answered, whatever is live since (C-DIFF-13)', async () => {
    await take();
    const answer = await compare();
    const days = (Date.parse(answer.kept.until) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await place.declare('/v1/lineage/dbt/manifest', {
      manifest: shopManifest((nodes) => inSql(nodes, 'customers', 'sum(gross) as total, ', '')),
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: randomUUID(),
    });
    const again = await read(answer.kept.comparison_id);
    expect(again.json).toEqual(JSON.parse(JSON.stringify(answer)));
    expect(again.status).toBe(200);
  });

  it('is found by no other workspace, and not after its time', async () => {
    await take();
    const { kept } = await compare();
    const other = await world.place();
    const asked = { params: { comparison_id: kept.comparison_id }, query: { workspace_id: other.workspace } };
    expect((await other.ask('/v1/lineage/diff/{comparison_id}', {}, asked)).status).toBe(404);
    expect((await read(kept.comparison_id, other.workspace)).status).toBe(403);
    expect((await read(randomUUID())).status).toBe(404);
    const late = readComparison(diffPorts(), place.workspace, kept.comparison_id, new Date(kept.until));
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not shown with literals once its connector masks them (C-POLICY-16)', async () => {
    await take();
    const open = await compare();
    await updateConnector(world.operator, place.workspace, place.connector.id, { expression_literals: 'masked' });
    expect((await read(open.kept.comparison_id)).status).toBe(404);
    const masked = await compare();
    expect((await read(masked.kept.comparison_id)).status).toBe(200);
  });

  it('names who owns what it breaks, by metadata, groups and exposures (C-DIFF-14)', async () => {
    await take();
    const { owners } = await compare();
    expect(owners).toEqual([
      { owner: 'Science', relation_refs: [core('scores')] },
      { owner: 'data@shop.test', relation_refs: ['exposure.shop.weekly'] },
      { owner: 'sales@shop.test', relation_refs: [core('customers')] },
    ]);
  });

  it('names who owns datasets of a DataHub that it breaks (C-DATAHUB-5, C-DIFF-14)', async () => {
    const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${table},PROD)`;
    const gross = (table: string) => [`urn:li:schemaField:(${urn(table)},gross)`];
    const readBy = (table: string) => ({
      ...{ upstreamUrn: urn('orders'), downstreamUrn: urn(table) },
      fineGrainedLineages: [{ upstreams: gross('orders'), downstreams: gross(table) }],
    });
    await take();
    await place.declare('/v1/lineage/datahub', {
      export: {
        lineage: ['ledger', 'scratch', 'customers'].map(readBy),
        datasets: [
          { urn: urn('ledger'), owners: ['urn:li:corpGroup:finance', 'urn:li:corpuser:jane@shop.test'] },
          { urn: urn('customers'), owners: ['urn:li:corpuser:somebody@shop.test'] },
        ],
      },
      import_source: 'hub',
      completeness: 'complete',
      source_event_key: randomUUID(),
    });
    const { owners } = await compare();
    expect(owners).toEqual([
      { owner: 'Science', relation_refs: [core('scores')] },
      { owner: 'data@shop.test', relation_refs: ['exposure.shop.weekly'] },
      { owner: 'finance', relation_refs: [core('ledger')] },
      { owner: 'jane@shop.test', relation_refs: [core('ledger')] },
      { owner: 'sales@shop.test', relation_refs: [core('customers')] },
      { owner: null, relation_refs: [core('scratch')] },
    ]);
    const impact = await place.ask('/v1/lineage/impact', { relation_ref: core('orders'), direction: 'downstream' });
    const ledger = impact.json.downstream.find((one: { relation_ref: string }) => one.relation_ref === core('ledger'));
    expect(ledger).not.toHaveProperty('exposure');
  });

  it('has both statements of a model that is written otherwise', async () => {
    await take();
    const { relations } = await compare();
    const { sql } = relations.find((one: { relation_ref: string }) => one.relation_ref === core('orders')).model;
    expect(sql.before).toContain('o.amount * r.rate as gross');
    expect(sql.after).not.toContain('gross');
    expect(sql.after).toContain('loaded_on');
  });
});
