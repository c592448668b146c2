import { describe, expect, it } from 'vitest';
import { gapStore } from '../../shared/adapters/dynamodb/deliveries/gaps.ts';
import type { GapDetails } from '../../shared/contract/gaps.ts';
import type { ProviderInstanceId } from '../../shared/contract/ids.ts';
import { scanGaps } from '../../shared/domain/lineage/gaps/scan-gaps.ts';
import { table } from '../../shared/runtime/composition/stores.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function unfinishedAt(place: LineagePlace, relation_ref: string, more: { as_of?: string } = {}) {
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref, direction: 'downstream', ...more });
  const limits: { code: string; subjects: string[] }[] = json.claim.limits;
  return limits.flatMap(({ code, subjects }) => (code === 'run_not_complete' ? subjects : []));
}

/** The details of the gap about unfinished runs of the delivery's feed, as of a scan at this moment. */
async function gapOf(place: LineagePlace, delivery_id: string): Promise<GapDetails | undefined> {
  await scanGaps(sweepPorts(), { from: null, now: new Date(), timeIsUp: () => false });
  const { provider_instance_id } = await place.receipt(delivery_id);
  const { gaps } = await gapStore(table()).current(place.workspace, provider_instance_id as ProviderInstanceId);
  return gaps.find(({ gap_type }) => gap_type === 'unfinished_runs')?.details;
}

describe('a run that has not ended (C-OPENLINEAGE-26)', () => {
  it.each(['START', 'RUNNING', 'OTHER', undefined])(
    'is named by its delivery and at its relations: %s',
    async (eventType) => {
      const place = await world.place();
      await place.emit(runEvent(place.namespace, ['crm.raw.source'], ['crm.raw.a']));
      const { eventType: _, ...event } = runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { job: 'load' });
      const sent = { ...event, ...(eventType && { eventType }) };
      const { json } = await place.emit(sent);
      const { state, ignored } = await place.receipt(json.delivery_id);
      expect([state, ignored]).toEqual([
        'projected',
        [{ reason: 'run_not_complete', count: 1, advice: expect.stringContaining('COMPLETE') }],
      ]);
      expect(await unfinishedAt(place, 'crm.raw.a')).toEqual(['crm.raw.a']);
      expect(await unfinishedAt(place, 'crm.raw.source')).toEqual(['crm.raw.a']);
    },
  );

  it('is named in answers about moments since it began', async () => {
    const place = await world.place();
    await place.emit(runEvent(place.namespace, ['crm.raw.source'], ['crm.raw.a'], { at: ago(5) }));
    await place.emit({
      ...runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { at: ago(3) }),
      eventType: 'START',
    });
    expect(await unfinishedAt(place, 'crm.raw.a', { as_of: ago(2) })).toEqual(['crm.raw.a']);
    expect(await unfinishedAt(place, 'crm.raw.a', { as_of: ago(4) })).toEqual([]);
  });

  it('is one run in any case of its id, also within a delivery', async () => {
    const place = await world.place();
    const event = runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']);
    const begun = { ...event, eventType: 'START', run: { runId: event.run.runId.toUpperCase() } };
    const { json } = await place.emit([begun, event]);
    expect((await place.receipt(json.delivery_id)).ignored).toEqual([]);
  });

  it.each(['COMPLETE', 'FAIL', 'ABORT'])('is not named after %s, whichever event comes first', async (eventType) => {
    const place = await world.place();
    await place.emit(runEvent(place.namespace, ['crm.raw.source'], ['crm.raw.a']));
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const start = { ...runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']), eventType: 'START' };
      const events = [start, { ...start, eventType }];
      for (const index of order) await place.emit(events[index] ?? {});
      expect(await unfinishedAt(place, 'crm.raw.a')).toEqual([]);
    }
  });

  it('is a gap of its feed after 24 hours, until it ends (C-GAP-12)', async () => {
    const place = await world.place();
    const young = { ...runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { at: ago(23) }), eventType: 'START' };
    const { json } = await place.emit(young);
    expect(await gapOf(place, json.delivery_id)).toBeUndefined();
    const start = {
      ...runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b'], { at: ago(25), job: 'load' }),
      eventType: 'START',
    };
    await place.emit(start);
    expect((await gapOf(place, json.delivery_id))?.unfinished).toMatchObject({ count: 1, jobs: ['jobs/load'] });
    await place.emit({ ...start, eventType: 'COMPLETE' });
    expect(await gapOf(place, json.delivery_id)).toBeUndefined();
  });
});
