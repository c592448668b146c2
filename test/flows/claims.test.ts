import { describe, expect, it } from 'vitest';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { putPolicy } from '../support/put-policy.ts';
import { runEvent } from '../support/run-event.ts';

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

  it('counts at least what a cut walk found, and may break where columns are not known', async () => {
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

const urnsOf = (upstream: string, downstream: string) => {
  const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;
  return { upstreamUrn: urn(upstream), downstreamUrn: urn(downstream) };
};
