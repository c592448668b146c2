import { describe, expect, it } from 'vitest';
import { exportedEvents } from '../support/exported-events.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A run that reads relations and reports no output. */
const reading = (inputs: readonly string[], more: { job?: string; at?: string } = {}) =>
  runEvent(place.namespace, inputs, [], { job: 'sync to the CRM', ...more });

async function claimAt(relation_ref: string, more: object = {}, path = '/v1/lineage/impact', at: LineagePlace = place) {
  const question = path.endsWith('impact') ? { relation_ref, direction: 'downstream', ...more } : { relation_ref };
  const { status, json } = await at.ask(path, question);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

/** Waits for another moment. */
async function moved(at: string): Promise<void> {
  while (new Date().toISOString() <= at) await new Promise(setImmediate);
}

type Limit = { readonly code: string; readonly subjects: string[]; readonly text: string };
const readersIn = ({ claim }: { claim: { limits: Limit[] } }) =>
  claim.limits.flatMap(({ code, subjects }) => (code === 'read_without_output' ? subjects : []));

describe('a job that reads a relation and reports no output (C-OPENLINEAGE-27)', () => {
  it('may break with the relation, also beyond others, and is no edge', async () => {
    await place.emit([runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']), reading(['crm.core.b', 'crm.core.c'])]);
    const { downstream, edges, claim, ...last } = await claimAt('crm.core.b');
    expect([downstream, edges, last.has_lineage, claim.kind]).toEqual([[], [], false, 'may_break']);
    expect(claim.limits.map(({ text }: Limit) => text)).toEqual([
      'Jobs, hooks or dashboards that feed nothing known read 1 relation here (jobs/sync to the CRM): what they use it for is not known.',
    ]);
    expect(readersIn(await claimAt('crm.raw.a'))).toEqual(['crm.core.b']);
    expect(readersIn(await claimAt('crm.core.c', { column_ref: 'id' }))).toEqual(['crm.core.c']);
    expect(readersIn(await claimAt('crm.core.c', {}, '/v1/lineage/relation'))).toEqual(['crm.core.c']);
    expect(readersIn(await claimAt('crm.core.b', { direction: 'upstream' }))).toEqual([]);
  });

  it('is one no more when its run reports an output, whichever event comes first', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const at = await world.place();
      const whole = runEvent(at.namespace, ['crm.raw.a'], ['crm.core.b'], { job: 'load' });
      const events = [
        { ...whole, eventType: 'START' },
        { ...whole, outputs: [] },
      ];
      for (const index of order) await at.emit(events[index] ?? {});
      const answer = await claimAt('crm.raw.a', {}, '/v1/lineage/impact', at);
      expect([answer.claim.kind, readersIn(answer)]).toEqual(['breaks', []]);
    }
  });

  it('is none that failed, whose reading is over, or that only tests the relation', async () => {
    const assertions = {
      dataQualityAssertions: { _producer: 'https://e.test', _schemaURL: 'https://e.test', assertions: [] },
    };
    const [input] = reading(['crm.core.b']).inputs;
    await place.emit([
      runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']),
      { ...reading(['crm.core.b']), eventType: 'FAIL' },
      reading(['crm.core.b'], { at: daysAgo(95), job: 'old' }),
      { ...reading([]), inputs: [{ ...input, inputFacets: assertions }] },
    ]);
    const { claim } = await claimAt('crm.core.b');
    expect([claim.kind, claim.limits]).toEqual(['nothing_known_breaks', []]);
  });

  it('is one for an input that none of several outputs is fed by, also if its only output is dropped', async () => {
    const columns = { id: [['crm.core.a', 'id'] as const] };
    const dropping = runEvent(place.namespace, ['crm.core.c'], ['crm.core.tmp'], { job: 'tidy' });
    const lifecycleStateChange = {
      _producer: 'https://e.test',
      _schemaURL: 'https://e.test',
      lifecycleStateChange: 'DROP',
    };
    await place.emit([
      runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b', 'crm.core.c']),
      runEvent(place.namespace, ['crm.core.a', 'crm.core.b'], ['crm.core.x', 'crm.core.y'], { columns }),
      { ...dropping, outputs: dropping.outputs.map((one) => ({ ...one, facets: { lifecycleStateChange } })) },
    ]);
    for (const relation of ['crm.core.b', 'crm.core.c']) expect(readersIn(await claimAt(relation))).toEqual([relation]);
    expect(readersIn(await claimAt('crm.core.a'))).toEqual([]);
  });

  it('is one although its job wrote something before, if that is not written lately', async () => {
    const at = daysAgo(450);
    await place.emit([
      runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']),
      runEvent(place.namespace, ['crm.core.b'], ['crm.core.c'], { job: 'sync to the CRM', at }),
      runEvent(place.namespace, ['crm.core.b'], ['crm.core.b'], { job: 'sync to the CRM', at: daysAgo(1) }),
      reading(['crm.core.b']),
    ]);
    expect(readersIn(await claimAt('crm.core.b'))).toEqual(['crm.core.b']);
  });

  it('is one by its design, until the design has an output', async () => {
    const designed = (outputs: readonly string[], at: string) => {
      const {
        run: _,
        eventType: __,
        ...event
      } = runEvent(place.namespace, ['crm.core.b'], outputs, { job: 'load', at });
      return { ...event, schemaURL: event.schemaURL.replace('RunEvent', 'JobEvent') };
    };
    await place.emit(runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']));
    await place.emit(designed([], daysAgo(2)));
    expect(readersIn(await claimAt('crm.core.b'))).toEqual(['crm.core.b']);
    await place.emit(designed(['crm.core.c'], daysAgo(1)));
    expect(readersIn(await claimAt('crm.core.b'))).toEqual([]);
  });

  it('is forgotten with its scope, and was there before', async () => {
    await place.emit([runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']), reading(['crm.core.b'])]);
    const before = new Date().toISOString();
    await moved(before);
    const { admin: token } = place.tokens;
    const { json } = await place.ask('/v1/lineage/scopes', {}, { token });
    const keys: string[] = json.items.map(({ scope_key }: { scope_key: string }) => scope_key);
    const scope_key = keys.find((one) => one.endsWith('sync to the CRM'));
    const body = { workspace_id: place.workspace, scope_key, dry_run: false };
    expect(await place.post('/v1/lineage/scopes/forget', body, { token, body })).toMatchObject({ status: 200 });
    expect(readersIn(await claimAt('crm.core.b'))).toEqual([]);
    expect(readersIn(await claimAt('crm.core.b', { as_of: before }))).toEqual(['crm.core.b']);
  });

  it('is in an export, so that an import knows it (C-EXPORT-4)', async () => {
    await place.emit([
      runEvent(place.namespace, ['crm.raw.a'], ['crm.core.b']),
      reading(['crm.core.b', 'crm.core.c']),
      reading(['crm.core.b'], { job: 'a/notebook' }),
    ]);
    const silent = (all: readonly Record<string, unknown>[]) =>
      all.flatMap(({ outputs, job, inputs }) => ([outputs].flat().length === 0 ? [JSON.stringify([job, inputs])] : []));
    const events = await exportedEvents(place);
    expect(silent(events)).toHaveLength(3);
    const other = await world.place({ namespaces: [place.namespace] });
    await other.emit(events);
    expect(silent(await exportedEvents(other)).sort()).toEqual(silent(events).sort());
    for (const relation of ['crm.core.b', 'crm.core.c'])
      expect(readersIn(await claimAt(relation, {}, '/v1/lineage/impact', other))).toEqual([relation]);
  });
});
