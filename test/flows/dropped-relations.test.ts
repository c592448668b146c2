import { describe, expect, it } from 'vitest';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** A run of another job each time, which reads one relation of `core` and makes another. */
const fed = (from: string, to: string, hours: number) =>
  runEvent(place.namespace, [`crm.core.${from}`], [`crm.core.${to}`], { at: hoursAgo(hours), job: `${from} to ${to}` });

function dropped(name: string, hours: number) {
  const event = runEvent(place.namespace, [], [`crm.core.${name}`], { at: hoursAgo(hours), job: `drop ${name}` });
  const lifecycleStateChange = {
    _producer: 'https://example.com/test',
    _schemaURL: 'https://openlineage.io/spec/facets/1-0-1/LifecycleStateChangeDatasetFacet.json',
    lifecycleStateChange: 'DROP',
  };
  return { ...event, outputs: event.outputs.map((one) => ({ ...one, facets: { lifecycleStateChange } })) };
}

type Limit = { readonly code: string; readonly subjects: string[] };

async function claimAt(name: string, path = 'impact', more: Record<string, string> = {}) {
  const question = { relation_ref: `crm.core.${name}`, ...(path === 'impact' && { direction: 'downstream' }), ...more };
  const { kind, limits } = (await place.ask(`/v1/lineage/${path}`, question)).json.claim;
  return [kind, ...limits.map(({ code, subjects }: Limit) => `${code}: ${subjects.join()}`)];
}

describe('what a relation fed until it was dropped (C-OPENLINEAGE-14)', () => {
  const open = ['may_break', 'read_before_drop: crm.core.y'];

  it('may break with the relation that was made again, until it is seen to read that', async () => {
    await place.emit([fed('a', 'x', 30), fed('x', 'y', 29), dropped('x', 6), fed('a', 'x', 5)]);
    expect(await claimAt('x')).toEqual(open);
    expect(await claimAt('x', 'relation')).toEqual(open);
    expect(await claimAt('a')).toEqual(['breaks', 'read_before_drop: crm.core.y']);
    await place.emit(fed('x', 'y', 4));
    expect(await claimAt('x')).toEqual(['breaks']);
  });

  it('may break with what fed relations that a job makes and drops, whichever event comes first', async () => {
    const events = [fed('a', 't1', 9), fed('t1', 't2', 8), fed('t2', 'y', 7), dropped('t1', 6), dropped('t2', 6)];
    for (const order of [events, events.toReversed()]) {
      for (const event of order) await place.emit(event);
      expect(await claimAt('a')).toEqual(open);
      expect(await claimAt('a', 'relation')).toEqual(open);
    }
  });

  it('may break no more if it is gone too, has another way, or was not fed for long', async () => {
    await place.emit([fed('a', 'x', 30), fed('x', 'y', 29), dropped('x', 6), dropped('y', 5)]);
    expect(await claimAt('a')).toEqual(['nothing_known_breaks']);
    await place.emit([fed('b', 'x', 30), fed('x', 'z', 29), fed('b', 'z', 4)]);
    expect(await claimAt('b')).toEqual(['breaks']);
    await place.emit([fed('c', 'w', 24 * 100), fed('w', 'v', 24 * 99), dropped('w', 24 * 98)]);
    await place.emit([fed('d', 'c', 1)]);
    expect(await claimAt('c')).toEqual(['nothing_known_breaks']);
  });
});

it('keeps a job that read a relation for no output until it was dropped and made again (C-OPENLINEAGE-27)', async () => {
  const reading = runEvent(place.namespace, ['crm.core.x'], [], { at: hoursAgo(20), job: 'sync to the CRM' });
  await place.emit([fed('a', 'x', 30), reading, dropped('x', 6), fed('a', 'x', 5)]);
  expect(await claimAt('x')).toEqual(['may_break', 'read_without_output: crm.core.x']);
});
