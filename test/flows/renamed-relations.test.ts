import { describe, expect, it } from 'vitest';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A run that renames a relation of the schema `raw`. */
function rename(place: LineagePlace, from: string, to: string, days: number) {
  const event = runEvent(place.namespace, [], [`crm.raw.${to}`], { at: daysAgo(days), job: `rename ${from}` });
  const lifecycleStateChange = {
    _producer: 'https://example.com/test',
    _schemaURL: 'https://openlineage.io/spec/facets/1-0-1/LifecycleStateChangeDatasetFacet.json',
    lifecycleStateChange: 'RENAME',
    previousIdentifier: { namespace: place.namespace, name: `crm.raw.${from}` },
  };
  return { ...event, outputs: event.outputs.map((one) => ({ ...one, facets: { lifecycleStateChange } })) };
}

async function answerOf(place: LineagePlace, name: string, more: Record<string, string> = {}) {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: `crm.raw.${name}`, ...more });
  const limits: { code: string; subjects: string[] }[] = json.claim.limits;
  return {
    root: json.root.relation_ref,
    method: json.lineage_resolution.method,
    downstream: json.downstream.map(({ relation_ref }: { relation_ref: string }) => relation_ref),
    renamed: limits.find(({ code }) => code === 'renamed')?.subjects ?? [],
  };
}

describe('the old name of a renamed dataset (C-OPENLINEAGE-14)', () => {
  it('answers as the new one, whenever the rename came, and as itself before it', async () => {
    const place = await world.place();
    const read = runEvent(place.namespace, ['crm.raw.old'], ['crm.core.report'], { at: daysAgo(9) });
    for (const event of [rename(place, 'old', 'new', 8), rename(place, 'new', 'newer', 7), read])
      await place.emit(event);
    const now = { root: 'crm.raw.newer', downstream: ['crm.core.report'], renamed: [] };
    expect(await answerOf(place, 'old')).toEqual({ ...now, method: 'alias' });
    expect(await answerOf(place, 'new')).toEqual({ ...now, method: 'alias' });
    expect(await answerOf(place, 'newer')).toEqual({ ...now, method: 'exact' });
  });

  it('stays a relation while something uses it, and both answers name the other', async () => {
    const place = await world.place();
    await place.emit(rename(place, 'old', 'new', 2));
    await place.emit(runEvent(place.namespace, ['crm.raw.old'], ['crm.core.report']));
    expect(await answerOf(place, 'old')).toEqual({
      root: 'crm.raw.old',
      method: 'exact',
      downstream: ['crm.core.report'],
      renamed: ['crm.raw.new'],
    });
    expect(await answerOf(place, 'new')).toMatchObject({ root: 'crm.raw.new', renamed: ['crm.raw.old'] });
  });
});
