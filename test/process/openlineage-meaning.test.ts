import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import type { SqlParser } from '../../shared/domain/lineage/sql/types.ts';
import {
  columnLineage,
  dataset,
  facet,
  field,
  jobEvent,
  minute,
  runEvent,
  runId,
} from '../domain/sources/openlineage/events.ts';
import { interpret, settledBy } from '../domain/sources/openlineage/interpret.ts';
import { provideStores } from '../support/provide-stores.ts';
import { eventsWorkspace, type Graph, resolve } from '../support/worked-events.ts';

provideStores();

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

type Sent = { readonly eventTime: string };

/** What the events mean only to the domain, which other tests hold to the given expectations. */
function meaningOf(events: readonly Sent[]): Graph {
  const { tables, columns } = interpret(events, resolve, settledBy(parser));
  return { tables, columns };
}

/** Wherever an event names a dataset. */
const datasetsIn = (value: unknown): { namespace: string; name: string }[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(datasetsIn);
  const { namespace, name } = value as { namespace?: unknown; name?: unknown };
  return typeof namespace === 'string' && typeof name === 'string' ? [{ namespace, name }, ...inner] : inner;
};

const dayMs = 86_400_000;
const soonAfter = (events: readonly Sent[]): string =>
  new Date(
    Math.max(...events.map(({ eventTime }) => Date.parse(eventTime)).filter(Number.isFinite)) + dayMs,
  ).toISOString();

const shuffled = <T>(items: readonly T[], seed: number): T[] =>
  fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), { seed, numRuns: 1 })[0] ?? [];

/** The ways to send the same events. */
const arrivals: Record<string, (events: readonly Sent[]) => unknown[]> = {
  'in reverse': (events) => events.toReversed(),
  'in any order, some twice': (events) => [...shuffled(events, 7), ...events.slice(0, 2)],
  'as a batch': (events) => [shuffled(events, 11)],
};

async function meansTheSame(events: readonly Sent[], ways = Object.keys(arrivals)): Promise<void> {
  const expected = meaningOf(events);
  const found = ways.map(async (way) => {
    const place = eventsWorkspace();
    for (const body of arrivals[way]?.(events) ?? []) await place.send(body);
    return [way, await place.graph(datasetsIn(events), soonAfter(events))] as const;
  });
  expect(Object.fromEntries(await Promise.all(found))).toEqual(Object.fromEntries(ways.map((way) => [way, expected])));
}

describe('events make the graph that they mean, however they arrive (C-OPENLINEAGE-8, C-OPENLINEAGE-13, C-OPENLINEAGE-14)', () => {
  const lineage = (columns: Record<string, object[]>, wide?: object[]) => columnLineage(columns, wide);
  const symlinks = (name: string) => ({
    symlinks: facet({ identifiers: [{ ...dataset(name), type: 'TABLE' }] }),
  });
  const path = (name: string, facets?: object) => ({ ...dataset(name, facets), namespace: 's3://lake' });
  const located = (name: string) => ({
    symlinks: facet({ identifiers: [{ namespace: 's3://lake', name, type: 'LOCATION' }] }),
  });
  const cases: Record<string, readonly Sent[]> = {
    'a run whose columns come before and after it completes': [
      runEvent({ type: 'START', at: minute(0), inputs: [dataset('a')] }),
      runEvent({ at: minute(2), outputs: [dataset('b')] }),
      runEvent({ type: 'OTHER', at: minute(1), outputs: [dataset('b', lineage({ x: [field('a', 'y')] }))] }),
    ],
    'columns that a later run of the job no longer maps': [
      runEvent({ at: minute(0), inputs: [dataset('a')], outputs: [dataset('b', lineage({ x: [field('a', 'y')] }))] }),
      runEvent({
        run: runId(2),
        at: minute(5),
        inputs: [dataset('a')],
        outputs: [dataset('b', lineage({ z: [field('a', 'y')] }))],
      }),
    ],
    'a condition on the whole output beside a value': [
      runEvent({
        inputs: [dataset('a'), dataset('c')],
        outputs: [
          dataset(
            'b',
            lineage({ x: [field('a', 'y')] }, [
              field('c', 'flag', { transformations: [{ type: 'INDIRECT', subtype: 'FILTER' }] }),
            ]),
          ),
        ],
      }),
    ],
    'a symlink that only a later run tells': [
      runEvent({ at: minute(0), inputs: [dataset('a')], outputs: [dataset('b')] }),
      runEvent({ run: runId(2), job: 'other', at: minute(1), inputs: [dataset('b')], outputs: [dataset('c')] }),
      runEvent({
        run: runId(3),
        job: 'third',
        at: minute(2),
        inputs: [dataset('table_b', symlinks('b'))],
        outputs: [dataset('d')],
      }),
    ],
    'a table that is read by its location, and written by its location under a symlink': [
      runEvent({ at: minute(0), inputs: [dataset('a')], outputs: [dataset('b', located('wh/b'))] }),
      runEvent({ run: runId(2), job: 'reader', at: minute(1), inputs: [path('/wh/b/')], outputs: [dataset('c')] }),
      runEvent({
        run: runId(3),
        job: 'writer',
        at: minute(2),
        inputs: [dataset('d')],
        outputs: [path('wh/b', symlinks('b'))],
      }),
    ],
    'a table that was dropped and made again': [
      runEvent({ at: minute(0), inputs: [dataset('a')], outputs: [dataset('b')] }),
      runEvent({
        run: runId(2),
        job: 'drop',
        at: minute(1),
        outputs: [dataset('b', { lifecycleStateChange: facet({ lifecycleStateChange: 'DROP' }) })],
      }),
      runEvent({ run: runId(3), job: 'again', at: minute(2), inputs: [dataset('c')], outputs: [dataset('b')] }),
    ],
    'a table that was renamed': [
      runEvent({ at: minute(0), inputs: [dataset('a')], outputs: [dataset('b')] }),
      runEvent({
        run: runId(2),
        job: 'rename',
        at: minute(1),
        outputs: [
          dataset('c', {
            lifecycleStateChange: facet({ lifecycleStateChange: 'RENAME', previousIdentifier: dataset('b') }),
          }),
        ],
      }),
    ],
    'a job that is declared anew': [
      jobEvent({ at: minute(0), inputs: [dataset('a'), dataset('old')], outputs: [dataset('b')] }),
      jobEvent({ at: minute(1), inputs: [dataset('a')], outputs: [dataset('b')] }),
      runEvent({ at: minute(2), inputs: [dataset('a')], outputs: [dataset('b'), dataset('c')] }),
    ],
  };
  it.concurrent.each(Object.entries(cases))('%s', (_, events) => meansTheSame(events));

  it.concurrent.each(Object.entries(cases))('%s: told to who asks', async (_, events) => {
    const place = eventsWorkspace();
    for (const event of events) await place.send(event);
    expect(await place.answers(datasetsIn(events), soonAfter(events))).toEqual(meaningOf(events).tables);
  });
});

it('lists on the delivery each item that could not be interpreted (C-OPENLINEAGE-6, C-OPENLINEAGE-16, C-DELIVERY-10)', async () => {
  const place = eventsWorkspace();
  const bad = { ...runEvent({}), run: { runId: 'secret' } };
  const odd = runEvent({ outputs: [dataset('b', { schema: facet({ fields: 7 }) })] });
  expect(await place.send([runEvent({}), 5, bad, odd])).toMatchObject({
    state: 'partially_projected',
    item_count: 4,
    invalid_item_count: 2,
    projected_item_count: 2,
    quarantined: [
      { index: 1, code: 'not_an_object', message: '/1: must be an object' },
      { index: 2, code: 'invalid_event', message: '/2/run/runId: must be a UUID' },
    ],
    warnings: [{ code: 'facet_member_dropped', message: '/3/outputs/0/facets/schema: /fields must be array' }],
  });
  expect(await place.send(bad)).toMatchObject({ state: 'quarantined', projected_item_count: 0 });
});

it('keeps names that are longer than a key, and no event that names more than can be kept poisons its batch (C-OPENLINEAGE-19)', async () => {
  const place = eventsWorkspace(['postgres://db:5432']);
  const named = (length: number) => ({ namespace: 'postgres://db:5432', name: `shop.core.${'n'.repeat(length)}` });
  const links = (count: number, length: number) => ({
    symlinks: facet({
      identifiers: Array.from({ length: count }, (_, n) => ({
        ...named(length),
        name: `${'l'.repeat(length)}${n}`,
        type: 'TABLE',
      })),
    }),
  });
  const path = columnLineage({ ['p'.repeat(900_000)]: [{ namespace: 'n' }] });
  const delivery = await place.send([
    runEvent({ job: 'kept', inputs: [named(1_500)], outputs: [dataset('b')] }),
    runEvent({ job: 'long', inputs: [named(500_000)], outputs: [dataset('b')] }),
    runEvent({ job: 'j'.repeat(500_000) }),
    runEvent({
      job: 'links',
      outputs: [dataset('c', links(1_000, 100)), dataset('d', links(2, 5_000)), dataset('e', path)],
    }),
  ]);
  expect(delivery).toMatchObject({
    state: 'partially_projected',
    quarantined: [
      { index: 1, message: '/1/inputs/0/name: must be at most 2000 characters' },
      { index: 2, message: '/2/job/name: must be at most 2000 characters' },
    ],
    warnings: [
      { message: '/3/outputs/0/facets/symlinks: must not have more than 100 identifiers' },
      { message: '/3/outputs/1/facets/symlinks: names must be at most 2000 characters' },
      {
        message: expect.stringMatching(
          /^\/3\/outputs\/2\/facets\/columnLineage: \/fields\/p+….*must have required property/,
        ),
      },
    ],
  });
  expect(JSON.stringify(delivery).length).toBeLessThan(5_000);
  const relation = `shop.core.${'n'.repeat(1_500)}`;
  expect(await place.ask('n'.repeat(1_500), minute(30))).toMatchObject({
    root: { relation_ref: relation },
    has_lineage: true,
  });
});

const provided = new URL('../../../shared/', import.meta.url);
const isThere = existsSync(provided);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, provided), 'utf8'));

describe.skipIf(!isThere)('the given cases through the store', () => {
  const { cases }: { cases: { name: string; events: Sent[] }[] } = isThere
    ? read('openlineage/semantics.json')
    : { cases: [] };
  it.concurrent.each(cases)('$name', ({ events }) => meansTheSame(events, ['in reverse', 'as a batch']));

  const folder = new URL('openlineage/consumer-scenarios/', provided);
  it.concurrent.each(isThere ? readdirSync(folder) : [])('%s', (scenario) => {
    const files = readdirSync(new URL(`${scenario}/events/`, folder)).sort();
    return meansTheSame(files.map((file) => read(`openlineage/consumer-scenarios/${scenario}/events/${file}`)));
  });

  it('quarantines exactly the invalid events, and drops exactly the invalid facets', async () => {
    type Case = { event: unknown; valid: boolean; invalid_facets: string[]; facets_only?: true };
    const all: Case[] = read('openlineage/validation-cases.json').cases;
    const delivery = await eventsWorkspace().send(all.map(({ event }) => event));
    const invalid = all.flatMap(({ valid, facets_only }, index) => (valid || facets_only ? [] : [index]));
    expect(delivery.quarantined.map(({ index }) => index)).toEqual(invalid);
    const dropped = all.flatMap(({ valid, invalid_facets }, i) =>
      valid ? invalid_facets.map((at) => `/${i}${at}`) : [],
    );
    const counted = delivery.warnings.map(({ message }) => message.split(': ')[0] ?? '');
    const isRead = (place: string) => all[Number(place.split('/')[1])]?.valid && !place.endsWith('/dataSource');
    expect(counted.filter(isRead)).toEqual(dropped.filter(isRead));
  });

  const recordings = new URL('fixtures/openlineage/', provided);
  const recorded = isThere ? readdirSync(recordings).filter((name) => !name.includes('.')) : [];
  it.concurrent.each(recorded)('%s, recorded', async (name) => {
    const plain = new URL(`${name}/events.json`, recordings);
    const bytes = existsSync(plain)
      ? readFileSync(plain)
      : gunzipSync(readFileSync(new URL(`${name}/events.json.gz`, recordings)));
    const events: Sent[] = JSON.parse(bytes.toString());
    const place = eventsWorkspace();
    expect(await place.send(events)).toMatchObject({ state: 'projected', quarantined: [] });
    const [stored, meant] = [await place.graph(datasetsIn(events), soonAfter(events)), meaningOf(events)];
    expect(stored.tables).toEqual(meant.tables);
    expect(stored.columns).toEqual(expect.arrayContaining([...meant.columns]));
    // What lists of columns settle of a star is passed on under its name.
    const settled = stored.columns.filter((one) => !meant.columns.includes(one));
    for (const one of settled) expect(one).toMatch(/\.(\w+) -> .*\.\1 DIRECT\/IDENTITY$/);
  });
});
