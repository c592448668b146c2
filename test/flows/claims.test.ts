import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { excludeProvider, putPolicy } from '../support/put-policy.ts';
import { runEvent } from '../support/run-event.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const impact = async (query: Record<string, string | readonly string[]>) =>
  (await place.ask('/v1/lineage/impact', { direction: 'downstream', ...query })).json;
const event = (from: string, to: string, extra: object = {}) => ({
  ...runEvent(place.namespace, [from], [to]),
  ...extra,
});
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const codesOf = ({ claim }: { claim: { limits: { code: string }[] } }) => claim.limits.map(({ code }) => code);

describe('the claim of an impact answer', () => {
  it('is that nothing known breaks of a relation that nothing reads (C-CLAIM-2)', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    const leaf = await impact({ relation_ref: 'crm.core.b' });
    expect(leaf.claim).toMatchObject({ kind: 'nothing_known_breaks', counts: { breaks: 0, may_break: 0 }, limits: [] });
    expect(Date.now() - Date.parse(leaf.claim.evidence_until)).toBeLessThan(30_000);
    const root = await impact({ relation_ref: 'crm.core.a' });
    expect(root.claim).toMatchObject({ kind: 'breaks', counts: { breaks: 1, at_least: false } });
  });

  it('is none before the first evidence, and of a name that is not known (C-CLAIM-3)', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    const before = await impact({ relation_ref: 'crm.core.b', as_of: ago(1) });
    expect([before.claim.kind, codesOf(before)]).toEqual(['not_evaluated', ['before_first_evidence']]);
    const unknown = await impact({ relation_ref: 'crm.core.nowhere' });
    expect([unknown.claim.kind, codesOf(unknown)]).toEqual(['not_evaluated', ['name_not_resolved']]);
  });

  it('is none of a relation whose last evidence was retracted (C-CLAIM-3)', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    const { json } = await place.ask('/v1/lineage/scopes', {}, { token: place.tokens.admin });
    const body = { workspace_id: place.workspace, scope_key: json.items[0].scope_key, dry_run: false };
    await place.post('/v1/lineage/scopes/forget', body, { token: place.tokens.admin, body });
    const gone = await impact({ relation_ref: 'crm.core.b' });
    expect([gone.claim.kind, codesOf(gone)]).toEqual(['not_evaluated', ['before_first_evidence']]);
    expect(gone.precision.delivered).toBe('none');
    const page = await place.ask('/v1/lineage/relation', { relation_ref: 'crm.core.b' });
    expect(page.json.claim.kind).toBe('not_evaluated');
  });

  it('has the moment before which nothing waits, and coverage is complete only without (C-CLAIM-6)', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    const sent = new Date().toISOString();
    const own = { workspace_id: place.workspace, connector_id: place.connector.id };
    await place.accept('/v1/lineage/datahub', {
      ...own,
      export: [urnsOf('crm.core.b', 'crm.core.c')],
      source_event_key: 'waits',
    });
    const waiting = await impact({ relation_ref: 'crm.core.b' });
    expect(waiting.coverage.complete).toBe(false);
    expect(waiting.claim.evidence_until <= sent).toBe(true);
    await world.settle();
    expect((await impact({ relation_ref: 'crm.core.b' })).claim.kind).toBe('breaks');
  });

  it('serves what only stale edges reach, and is no all-clear (C-IMPACT-5)', async () => {
    await place.emit([
      event('crm.core.a', 'crm.core.hidden'),
      event('crm.core.a', 'crm.core.rare', { eventTime: ago(89) }),
      event('crm.core.old', 'crm.core.quarterly', { eventTime: ago(89) }),
    ]);
    await putPolicy(place, { schema_scope: { include: [], exclude: ['crm.core.hidden'] } });
    const hidden = await impact({ relation_ref: 'crm.core.a' });
    expect(hidden.downstream).toMatchObject([{ relation_ref: 'crm.core.rare' }]);
    expect(hidden.edges).toMatchObject([
      { downstream: 'crm.core.hidden', status: 'stale', dispositions: ['policy:schema_scope'] },
      { downstream: 'crm.core.rare', status: 'active' },
    ]);
    expect(hidden.precision.reasons).toEqual([{ relation_ref: 'crm.core.hidden', reason: 'suppressed_by_policy' }]);
    expect(codesOf(hidden)).toEqual(['suppressed_by_policy']);
    const leaf = await impact({ relation_ref: 'crm.core.hidden', direction: 'upstream' });
    expect([leaf.has_lineage, leaf.upstream, codesOf(leaf)]).toEqual([
      true,
      [],
      ['downstream_not_requested', 'suppressed_by_policy'],
    ]);
  });

  it('is no all-clear for a column that only suppressed evidence of an active edge maps (C-CLAIM-4)', async () => {
    const columns = (to: string, from: string) => ({ columns: { [to]: [['crm.core.a', from] as const] } });
    const send = (name: string, mapping: ReturnType<typeof columns>) =>
      place.emit(runEvent(place.namespace, ['crm.core.a'], ['crm.core.b'], { job: name, ...mapping }));
    await send('one', columns('y', 'x'));
    const urn = (table: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.${table},PROD)`;
    const field = (table: string, column: string) => `urn:li:schemaField:(${urn(table)},${column})`;
    const fineGrainedLineages = [{ upstreams: [field('a', 'z')], downstreams: [field('b', 'w')] }];
    await place.declare('/v1/lineage/datahub', {
      export: [{ ...urnsOf('crm.core.a', 'crm.core.b'), fineGrainedLineages }],
    });
    await excludeProvider(place, 'openlineage');
    const hidden = await impact({ relation_ref: 'crm.core.a', column_ref: 'x' });
    expect([hidden.claim.kind, codesOf(hidden), hidden.downstream]).toEqual([
      'may_break',
      ['suppressed_by_policy'],
      [],
    ]);
    const other = await impact({ relation_ref: 'crm.core.a', column_ref: 'z' });
    expect([other.claim.kind, codesOf(other)]).toEqual(['breaks', []]);
  });

  it('names only the sources whose evidence of an active edge counts', async () => {
    const own = { workspace_id: place.workspace, connector_id: place.connector.id };
    const ends = ['crm.core.a', 'crm.core.b'] as const;
    await place.emit(event(...ends));
    await place.accept('/v1/lineage/datahub', { ...own, export: [urnsOf(...ends)], source_event_key: 'via' });
    await world.settle();
    const via = async (extra = {}) => (await impact({ relation_ref: 'crm.core.a', ...extra })).downstream[0].via;
    expect(await via()).toEqual(['datahub_catalog', 'openlineage']);
    await excludeProvider(place, 'openlineage');
    expect(await via()).toEqual(['datahub_catalog']);
    await putPolicy(place, { schema_scope: { include: [], exclude: ['crm.core.b'] } });
    expect(await via({ include_stale: 'true' })).toEqual(['datahub_catalog', 'openlineage']);
  });

  it('counts at least what a cut walk found, and may break if columns are not known', async () => {
    await place.emit([event('crm.core.a', 'crm.core.b'), event('crm.core.b', 'crm.core.c')]);
    const cut = await impact({ relation_ref: 'crm.core.a', max_depth: '1' });
    expect(cut.claim).toMatchObject({ kind: 'breaks', counts: { breaks: 1, at_least: true } });
    const column = await impact({ relation_ref: 'crm.core.b', column_ref: 'id' });
    expect(column.claim.kind).toBe('not_evaluated');
  });

  it('may break while items of a source on the way are not understood, until the gap is ignored (C-CLAIM-4)', async () => {
    await place.emit(event('crm.core.a', 'crm.core.b'));
    await place.emit([
      event('crm.core.b', 'crm.core.c', { eventTime: 'yesterday' }),
      event('crm.core.a', 'crm.core.b'),
    ]);
    const leaf = await impact({ relation_ref: 'crm.core.b' });
    expect([leaf.claim.kind, codesOf(leaf)]).toEqual(['may_break', ['delivery_quarantined']]);
    expect(leaf.claim.limits[0].text).toMatch(/since \d{4}-/);
  });
});

describe('the claim of an edge and of a relation (C-CLAIM-8)', () => {
  it('is what breaks at the far end, and what reads it directly', async () => {
    const columns = { b: [['crm.core.a', 'x']] } as const;
    await place.emit([
      runEvent(place.namespace, ['crm.core.a'], ['crm.core.b'], { columns }),
      event('crm.core.a', 'crm.core.hidden'),
    ]);
    const explain = async (downstream: string, query: Record<string, string> = {}) =>
      (await place.ask('/v1/lineage/edges/explain', { upstream: 'crm.core.a', downstream, ...query })).json.claim;
    expect(await explain('crm.core.b')).toMatchObject({ kind: 'breaks' });
    expect(await explain('crm.core.b', { column_ref: 'x' })).toMatchObject({ kind: 'breaks' });
    expect(await explain('crm.core.b', { column_ref: 'b' })).toMatchObject({ kind: 'breaks' });
    const absent = await explain('crm.core.b', { upstream: 'crm.core.hidden' });
    expect([absent.kind, codesOf({ claim: absent })]).toEqual(['may_break', ['direct_readers_only']]);
    expect(await explain('crm.core.nowhere')).toMatchObject({ kind: 'not_evaluated' });
    const relation = async (relation_ref: string, query: Record<string, string> = {}) =>
      (await place.ask('/v1/lineage/relation', { relation_ref, ...query })).json;
    expect((await relation('crm.core.a')).claim).toMatchObject({
      kind: 'breaks',
      counts: { breaks: 2, at_least: true },
    });
    expect((await relation('crm.core.b')).claim).toMatchObject({ kind: 'nothing_known_breaks', limits: [] });
    await putPolicy(place, { schema_scope: { include: [], exclude: ['crm.core.hidden'] } });
    expect(await explain('crm.core.hidden')).toMatchObject({ kind: 'may_break' });
    expect(codesOf(await relation('crm.core.a'))).toEqual(['direct_readers_only', 'suppressed_by_policy']);
  });
});

describe('what a receipt knows', () => {
  type Member = { name: string; database: string; schema: string; alias?: string; identifier?: string };
  type Reader = { depends_on?: { nodes?: string[]; macros?: unknown[] } };
  const members: Record<string, Member & Reader> = { ...crm.nodes, ...crm.sources };
  const refOf = ({ database, schema, ...named }: Member) =>
    `${database}.${schema}."${named.identifier ?? named.alias ?? named.name}"`;
  const inputsOf = (id: string) =>
    (members[id]?.depends_on?.nodes ?? []).flatMap((one) => (members[one] ? refOf(members[one]) : []));

  it('each claim knows of the relations that it concerns, whatever the reason', async () => {
    const { json } = await place.declare('/v1/lineage/dbt/manifest', { manifest: crm, source_event_key: randomUUID() });
    const { unresolved } = await place.receipt(json.delivery_id);
    const open = (unresolved ?? []).filter(({ resolved }) => !resolved);
    expect(open.length).toBeGreaterThan(3);
    for (const { reason, assets } of open)
      for (const asset of assets)
        for (const input of inputsOf(asset)) {
          const { claim } = await impact({ relation_ref: input, column_ref: 'account_id', max_depth: '10' });
          expect(claim.kind, `${reason} of ${asset}`).not.toBe('nothing_known_breaks');
        }
  });

  it('and of a relation that a model reads without declaring it (C-DECLARED-19)', async () => {
    await place.emit(event('crm.erp.other', 'crm.erp.rates'));
    const before = await impact({ relation_ref: 'crm.erp.rates' });
    expect(before.claim.kind).toBe('nothing_known_breaks');
    await place.declare('/v1/lineage/dbt/manifest', { manifest: crm, source_event_key: randomUUID() });
    const read = await impact({ relation_ref: 'crm.erp.rates' });
    expect(read.claim).toMatchObject({ kind: 'breaks', counts: { breaks: 1, at_least: true } });
    expect(codesOf(read)).toContain('undeclared_read');
    const relation = (await place.ask('/v1/lineage/relation', { relation_ref: 'crm.erp.rates' })).json;
    expect(codesOf(relation)).toContain('undeclared_read');
    const leaky = await impact({ relation_ref: 'crm.core.leaky', direction: 'upstream' });
    expect(leaky.upstream.map((one: { relation_ref: string }) => one.relation_ref)).not.toContain('crm.erp.rates');
  });
});

describe('the claim of a comparison (C-CLAIM-7)', () => {
  const take = (manifest: object) =>
    place.declare('/v1/lineage/dbt/manifest', {
      manifest,
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: randomUUID(),
    });
  const compare = async (manifest: object, extra: object = {}) =>
    (await place.post('/v1/lineage/diff', { project_id: 'crm', manifest, ...extra })).json;
  const withoutGross = () => shopManifest((nodes) => inSql(nodes, 'orders', 'o.amount * r.rate as gross, ', ''));

  it('names a reader that only a stale edge reaches, and is no all-clear', async () => {
    await take(shopManifest());
    expect(await compare(shopManifest())).toMatchObject({ grade: 'safe', claim: { kind: 'nothing_known_breaks' } });
    const columns = { total: [['crm.core.orders', 'gross']] } as const;
    await place.emit([
      runEvent(place.namespace, ['crm.core.orders'], ['crm.core.quarterly'], { columns, at: ago(89) }),
    ]);
    await putPolicy(place, { schema_scope: { include: [], exclude: ['crm.core.quarterly'] } });
    const broken = await compare(withoutGross());
    expect(broken.precision.reasons).toContainEqual({
      relation_ref: 'crm.core.quarterly',
      reason: 'suppressed_by_policy',
    });
    const removed = broken.columns.find((one: { column: string }) => one.column === 'gross');
    expect(removed.breaks).toContainEqual(
      expect.objectContaining({ relation_ref: 'crm.core.quarterly', grade: 'risky' }),
    );
    expect(codesOf(broken)).toContain('suppressed_by_policy');
  });

  it.each([
    [100, 'may_break', 'not_observed_lately', true],
    [399, 'may_break', 'not_observed_lately', true],
    [401, 'nothing_known_breaks', 'observed_long_ago', false],
  ])('names the only reader if it was last observed %i days ago: %s', async (days, kind, code, blocks) => {
    await take(shopManifest());
    const columns = { total: [['crm.core.scores', 'score']] } as const;
    await place.emit(
      runEvent(place.namespace, ['crm.core.scores'], ['crm.core.yearly'], { columns, at: ago(days as number) }),
    );
    const answer = await impact({ relation_ref: 'crm.core.scores' });
    expect([answer.claim.kind, answer.claim.limits]).toEqual([
      kind,
      [expect.objectContaining({ code, blocks, subjects: ['crm.core.yearly'] })],
    ]);
    const { relations, claim } = await compare(shopManifest((nodes) => delete nodes['model.shop.scores']));
    const removed = relations.find(({ change }: { change: string }) => change === 'removed');
    const named = removed.breaks.map((one: { relation_ref: string }) => one.relation_ref);
    expect([claim.kind, named]).toEqual([kind, blocks ? ['crm.core.yearly'] : []]);
  });

  it('is of a part if there are other pages', async () => {
    const from = new Date(Date.now() - 1_000).toISOString();
    await place.emit([event('crm.core.a', 'crm.core.b'), event('crm.core.b', 'crm.core.c')]);
    const { json } = await place.ask('/v1/lineage/diff', { from, limit: '1' });
    expect([json.next_cursor === null, json.grade, codesOf(json)]).toEqual([false, 'risky', ['compared_in_part']]);
  });
});

const urnsOf = (upstream: string, downstream: string) => {
  const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;
  return { upstreamUrn: urn(upstream), downstreamUrn: urn(downstream) };
};
