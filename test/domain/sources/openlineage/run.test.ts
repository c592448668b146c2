import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros, microsOfEventTime } from '../../../../shared/domain/lineage/graph/order.ts';
import { contributionOf } from '../../../../shared/domain/lineage/sources/openlineage/contribution.ts';
import { datasetEventOf, jobEventOf, runOf } from '../../../../shared/domain/lineage/sources/openlineage/run.ts';
import { validateEvent } from '../../../../shared/domain/lineage/sources/openlineage/validate.ts';
import {
  columnLineage,
  dataset,
  datasetEvent,
  facet,
  feeds,
  field,
  jobEvent,
  minute,
  namespace,
  runEvent,
  runId,
} from './events.ts';
import { interpret, itself } from './interpret.ts';

const local = (texts: readonly string[]) => texts.map((text) => text.replaceAll(`${namespace}/`, ''));
const graph = (...events: readonly unknown[]) => {
  const { tables, columns } = interpret(events);
  return { tables: local(tables), columns: local(columns) };
};
const streaming = { jobType: facet({ processingType: 'STREAMING', integration: 'FLINK' }) };
const lineage = (...entries: object[]) => ({ lineage: facet({ entries }) });
const lifecycle = (change: string, previous?: string) => ({
  lifecycleStateChange: facet({
    lifecycleStateChange: change,
    ...(previous && { previousIdentifier: { namespace, name: previous } }),
  }),
});

describe('a run', () => {
  it('takes nothing from FAIL and ABORT after COMPLETE (C-OPENLINEAGE-11)', () => {
    const complete = runEvent({ at: minute(1), inputs: [dataset('a')], outputs: [dataset('b')] });
    const failed = { at: minute(2), inputs: [dataset('c')], outputs: [dataset('d')] };
    for (const type of ['FAIL', 'ABORT'])
      expect(graph(complete, runEvent({ ...failed, type })).tables).toEqual(['a -> b']);
  });

  it('is published by COMPLETE even after FAIL, and by nothing else unless its job streams (C-OPENLINEAGE-10, C-OPENLINEAGE-11)', () => {
    const io = { inputs: [dataset('a')], outputs: [dataset('b')] };
    expect(graph(runEvent({ ...io, type: 'FAIL' }), runEvent({ at: minute(1) })).tables).toEqual(['a -> b']);
    expect(graph(runEvent({ ...io, type: 'OTHER' }), runEvent({ ...io, type: 'RUNNING' })).tables).toEqual([]);
    expect(graph(runEvent({ ...io, type: 'START', jobFacets: streaming })).tables).toEqual(['a -> b']);
    expect(graph(runEvent({ ...io, type: 'FAIL', jobFacets: streaming })).tables).toEqual([]);
  });

  it('takes an event without a type for no sign of success', () => {
    const { eventType: _, ...untyped } = runEvent({ inputs: [dataset('a')], outputs: [dataset('b')] });
    expect(graph(untyped).tables).toEqual([]);
  });

  it('takes the job facet `lineage` for the whole truth, also of outputs that it does not name (C-OPENLINEAGE-15)', () => {
    const entry = feeds('c', { inputs: [feeds('a')] });
    const io = { inputs: [dataset('a'), dataset('b')], outputs: [dataset('c'), dataset('d')] };
    expect(graph(runEvent({ ...io, jobFacets: lineage(entry) })).tables).toEqual(['a -> c']);
  });

  it('takes the dataset facet `lineage` as the truth only for its dataset (C-OPENLINEAGE-15)', () => {
    const outputs = [dataset('c', { lineage: facet({ inputs: [feeds('a')] }) }), dataset('d')];
    expect(graph(runEvent({ inputs: [dataset('a'), dataset('b')], outputs })).tables).toEqual([
      'a -> c',
      'a -> d',
      'b -> d',
    ]);
  });

  it('joins what entries of several events say of one target', () => {
    const one = runEvent({ type: 'RUNNING', jobFacets: lineage(feeds('c', { inputs: [feeds('a')] })) });
    const two = runEvent({
      at: minute(1),
      jobFacets: lineage(feeds('c', { fields: { x: { inputs: [feeds('b', { field: 'y' })] } } })),
    });
    expect(graph(two, one)).toEqual({ tables: ['a -> c', 'b -> c'], columns: ['b.y -> c.x DIRECT/-'] });
  });

  it('tells a source of the whole output from one of a column, and a source without a column from both', () => {
    const entry = feeds('c', {
      inputs: [feeds('a'), feeds('a', { field: 'g', transformations: [{ type: 'INDIRECT', subtype: 'GROUP_BY' }] })],
      fields: { x: { inputs: [feeds('a', { field: 'x' })] }, y: { inputs: [feeds('b')] } },
    });
    const event = validateEvent(runEvent({ jobFacets: lineage(entry) }));
    if (!event.valid || event.kind !== 'RunEvent') throw new Error('invalid');
    const { at, digest, content } = contributionOf(event.event, itself);
    const { derivations } = runOf(new Map([[digest, { content, first: at, last: at }]]), '/events/3');
    const way = { type: 'DIRECT', subtype: null, masking: false };
    const [a, b] = ['a', 'b'].map((name) => ({ kind: 'dataset', namespace, name }));
    expect(derivations).toMatchObject([
      {
        inputs: [a],
        columns: [
          { ...way, input: a, inputColumn: 'g', outputColumn: null, type: 'INDIRECT', subtype: 'GROUP_BY' },
          { ...way, input: a, inputColumn: 'x', outputColumn: 'x' },
        ],
        unresolved: [],
        location: '/events/3',
      },
      { inputs: [b], columns: [], unresolved: [{ outputColumn: 'y', reason: 'source_column_not_given' }] },
    ]);
  });

  it('follows named jobs from dataset to dataset, and no circle for ever', () => {
    const job = (name: string) => ({ namespace: 'n', name, type: 'JOB' });
    const entries = [
      { ...job('f'), inputs: [feeds('a'), job('g')] },
      { ...job('g'), inputs: [feeds('b'), job('f')] },
      feeds('c', { inputs: [job('f')] }),
      feeds('d', { inputs: [{ type: 'JOB' }] }),
    ];
    expect(graph(runEvent({ jobFacets: lineage(...entries) })).tables).toEqual(['a -> c', 'b -> c']);
  });

  it('takes the end of a name in columnLineage for the only dataset of the event that has it', () => {
    const inputs = ['shop.public.a', 'shop.public.b', 'shop.other.b'].map((name) => dataset(name));
    const output = dataset('shop.public.c', columnLineage({ x: [field('public.a', 'y')], z: [field('b', 'z')] }));
    const { tables, columns } = graph(runEvent({ inputs, outputs: [output] }));
    expect(tables).toEqual(inputs.map(({ name }) => `${name} -> shop.public.c`).sort());
    expect(columns).toContain('shop.public.a.y -> shop.public.c.x DIRECT/-');
  });

  it('takes the source column * for one that is not given', () => {
    const event = runEvent({
      inputs: [dataset('a')],
      outputs: [dataset('c', columnLineage({ x: [field('a', '*')] }))],
    });
    expect(graph(event)).toEqual({ tables: ['a -> c'], columns: [] });
  });

  it('reads the transformations of every published version of columnLineage', () => {
    const old = facet({
      fields: {
        same: { inputFields: [field('a', 'x')], transformationType: 'IDENTITY', transformationDescription: 'x' },
        hash: { inputFields: [field('a', 'y')], transformationType: 'MASKED', transformationDescription: 'md5' },
        free: { inputFields: [field('a', 'z')], transformationType: 'something' },
      },
    });
    const now = columnLineage({
      k: [
        field('b', 'k', {
          transformations: [
            { type: 'direct', subtype: 'AGGREGATION', masking: true },
            { type: 'INDIRECT', subtype: 'JOIN' },
          ],
        }),
      ],
    });
    const outputs = [dataset('c', { columnLineage: old }), dataset('d', now)];
    expect(graph(runEvent({ outputs })).columns).toEqual([
      'a.x -> c.same DIRECT/IDENTITY',
      'a.y -> c.hash DIRECT/TRANSFORMATION masked',
      'a.z -> c.free DIRECT/-',
      'b.k -> d.k DIRECT/AGGREGATION masked',
      'b.k -> d.k INDIRECT/JOIN',
    ]);
  });

  it('takes a column map without a source for none, and a deleted one for gone (C-OPENLINEAGE-17)', () => {
    const inputs = [dataset('a'), dataset('b')];
    const empty = [dataset('c', columnLineage({})), dataset('d')];
    expect(graph(runEvent({ inputs, outputs: empty })).tables).toHaveLength(4);
    const mapped = runEvent({
      type: 'RUNNING',
      inputs,
      outputs: [dataset('c', columnLineage({ x: [field('a', 'x')] })), dataset('d')],
    });
    const removed = runEvent({ at: minute(1), outputs: [dataset('c', { columnLineage: facet({ _deleted: true }) })] });
    expect(graph(mapped, removed)).toMatchObject({ columns: [], tables: { length: 4 } });
  });

  it('drops an invalid facet and keeps the rest of the event (C-OPENLINEAGE-16)', () => {
    const outputs = [dataset('c', { columnLineage: facet({ fields: { x: {} } }) })];
    expect(graph(runEvent({ inputs: [dataset('a')], outputs }))).toEqual({ tables: ['a -> c'], columns: [] });
  });

  it('knows a dataset by its symlinks wherever the run names it', () => {
    const links = { symlinks: facet({ identifiers: [{ namespace: 'hive', name: 'db.a', type: 'TABLE' }] }) };
    const resolve: typeof itself = ({ namespace: space, name, symlinks }) =>
      symlinks[0]
        ? {
            node: { kind: 'dataset', namespace: symlinks[0].namespace, name: symlinks[0].name },
            aliases: [{ kind: 'dataset', namespace: space, name }],
          }
        : { node: { kind: 'dataset', namespace: space, name }, aliases: [] };
    const start = runEvent({ type: 'START', inputs: [dataset('a')] });
    const end = runEvent({
      at: minute(1),
      inputs: [dataset('a', links)],
      outputs: [dataset('c', columnLineage({ x: [field('a', 'x')] }))],
    });
    expect(interpret([start, end], resolve)).toEqual({
      tables: [`hive/db.a -> ${namespace}/c`],
      columns: [`hive/db.a.x -> ${namespace}/c.x DIRECT/-`],
    });
  });

  it('drops what it says is dropped, unless it then says otherwise (C-OPENLINEAGE-14)', () => {
    const before = runEvent({ inputs: [dataset('a')], outputs: [dataset('b')] });
    const drop = runEvent({ run: runId(2), type: 'START', at: minute(1), outputs: [dataset('b', lifecycle('DROP'))] });
    const end = (facets?: object) =>
      runEvent({ run: runId(2), at: minute(2), inputs: [dataset('z')], outputs: [dataset('b', facets)] });
    expect(graph(before, drop).tables).toEqual(['a -> b']);
    expect(graph(before, drop, end()).tables).toEqual([]);
    expect(graph(before, drop, end(lifecycle('CREATE'))).tables).toEqual(['a -> b', 'z -> b']);
  });

  it('moves a renamed dataset, along with its input (C-OPENLINEAGE-14)', () => {
    const before = runEvent({ inputs: [dataset('a')], outputs: [dataset('b')] });
    const rename = runEvent({
      run: runId(2),
      at: minute(1),
      inputs: [dataset('b')],
      outputs: [dataset('c', lifecycle('RENAME', 'b'))],
    });
    const after = runEvent({ run: runId(3), at: minute(2), inputs: [dataset('z')], outputs: [dataset('b')] });
    expect(graph(after, rename, before).tables).toEqual(['a -> c', 'z -> b']);
  });

  it('says who and how: the newest that any event tells', () => {
    const facets = {
      sql: facet({ query: 'insert into b select 1' }),
      ownership: facet({ owners: [{ name: 'user:ana' }] }),
    };
    const [start, end] = [
      runEvent({
        type: 'START',
        jobFacets: { ...facets, jobType: facet({ processingType: 'BATCH', integration: 'SPARK' }) },
        inputs: [dataset('a')],
      }),
      runEvent({ at: minute(1), outputs: [dataset('b')] }),
    ].map((event) => {
      const checked = validateEvent(event);
      if (!checked.valid || checked.kind !== 'RunEvent') throw new Error('invalid');
      return contributionOf(checked.event, itself);
    });
    if (!start || !end) throw new Error('missing');
    const record = new Map([start, end].map(({ digest, content, at }) => [digest, { content, first: at, last: at }]));
    expect(runOf(record, '').derivations).toMatchObject([
      { statementKind: 'insert', principal: 'user:ana', engine: 'spark' },
    ]);
  });
});

it.each([
  ['one', [['a', 'b']], 'b', 'a'],
  [
    'a chain',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    'c',
    'a',
  ],
  ['no', [['a', 'b']], 'd', 'd'],
])('a run names a dataset as its events call it at last, over %s of their symlinks', (_, links, named, shown) => {
  const symlinks = (...names: readonly string[]) => ({
    symlinks: facet({ identifiers: names.map((name) => ({ namespace, name, type: 'TABLE' })) }),
  });
  const linked = links.map(([name = '', link = ''], n) =>
    runEvent({ type: 'RUNNING', at: minute(n), inputs: [dataset(name, symlinks(link))] }),
  );
  const ended = runEvent({ at: minute(9), inputs: [dataset(named)], outputs: [dataset('out')] });
  const record = new Map(
    [...linked, ended].map((event) => {
      const checked = validateEvent(event);
      if (!checked.valid || checked.kind !== 'RunEvent') throw new Error('invalid');
      const { digest, content, at } = contributionOf(checked.event, itself);
      return [digest, { content, first: at, last: at }] as const;
    }),
  );
  const names = runOf(record, '').derivations.flatMap(({ inputs }) =>
    inputs.map((node) => 'name' in node && node.name),
  );
  expect(new Set(names)).toEqual(new Set([...links.map(([name]) => (name === 'b' ? 'a' : name)), shown]));
});

describe('the meaning of a run', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const column = fc.constantFrom('x', 'y');
  const sources = fc.array(
    fc.tuple(name, column).map(([from, one]) => field(from, one)),
    { maxLength: 2 },
  );
  const facets = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(column, sources).map((fields) => columnLineage(fields)),
    fc.constant({ columnLineage: facet({ _deleted: true }) }),
    fc.array(name, { maxLength: 2 }).map((inputs) => ({ lineage: facet({ inputs: inputs.map((one) => feeds(one)) }) })),
    fc.constantFrom('DROP', 'CREATE').map((change) => lifecycle(change)),
    name.map((previous) => lifecycle('RENAME', previous)),
    name.map((link) => ({ symlinks: facet({ identifiers: [{ namespace, name: `${link}!`, type: 'TABLE' }] }) })),
  );
  const datasets = fc.array(
    fc.tuple(name, facets).map(([one, some]) => dataset(one, some)),
    { maxLength: 3 },
  );
  const targets = fc.option(
    fc.array(
      fc.tuple(name, name).map(([to, from]) => feeds(to, { inputs: [feeds(from)] })),
      { maxLength: 2 },
    ),
    { nil: undefined, freq: 4 },
  );
  const event = fc
    .record({
      type: fc.constantFrom('START', 'RUNNING', 'COMPLETE', 'FAIL', 'OTHER'),
      minute: fc.nat(4),
      inputs: datasets,
      outputs: datasets,
      targets,
      streams: fc.boolean(),
    })
    .map(({ type, minute: at, inputs, outputs, targets: entries, streams }) =>
      runEvent({
        type,
        at: minute(at),
        inputs,
        outputs,
        jobFacets: { ...(entries && lineage(...entries)), ...(streams && streaming) },
      }),
    );
  const received = (events: readonly unknown[]) => {
    const record = new Map<
      string,
      {
        content: ReturnType<typeof contributionOf>['content'];
        first: ReturnType<typeof micros>;
        last: ReturnType<typeof micros>;
      }
    >();
    for (const one of events) {
      const checked = validateEvent(one);
      if (!checked.valid || checked.kind !== 'RunEvent') throw new Error('invalid');
      const { at, digest, content } = contributionOf(checked.event, itself);
      const known = record.get(digest);
      record.set(digest, {
        content,
        first: known && known.first < at ? known.first : at,
        last: known && known.last > at ? known.last : at,
      });
    }
    return record;
  };

  const meaningOf = (record: ReturnType<typeof received>) => {
    const { possible, ...lineage } = runOf(record, '');
    return { ...lineage, possible: possible() };
  };

  it('does not depend on the order of arrival or on redelivery, and survives being stored as JSON (C-OPENLINEAGE-8)', () => {
    fc.assert(
      fc.property(
        fc
          .array(event, { minLength: 1, maxLength: 6 })
          .chain((events) =>
            fc.tuple(
              fc.constant(events),
              fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 }),
            ),
          ),
        ([events, shuffled]) => {
          const stored = new Map(
            [...received(shuffled)].map(([digest, one]) => [digest, JSON.parse(JSON.stringify(one))]),
          );
          expect(meaningOf(stored)).toEqual(meaningOf(received(events)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('names every edge that a part of the events would publish', () => {
    fc.assert(
      fc.property(
        fc
          .array(event, { minLength: 1, maxLength: 5 })
          .chain((events) => fc.tuple(fc.constant(events), fc.subarray(events))),
        ([events, part]) => {
          const possible = new Set(
            runOf(received(events), '')
              .possible()
              .map(({ from, to }) => `${from}\n${to}`),
          );
          for (const { inputs, output } of runOf(received(part), '').derivations) {
            for (const input of inputs)
              expect(possible).toContain(
                [input, output]
                  .map(
                    (node) => node.kind === 'dataset' && `dataset:${encodeURIComponent(node.namespace)}:${node.name}`,
                  )
                  .join('\n'),
              );
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('declared lineage', () => {
  const io = { inputs: [dataset('a')], outputs: [dataset('c')] };

  it('is replaced by the job’s next event that names inputs, outputs or lineage, and by no other (C-OPENLINEAGE-13)', () => {
    expect(graph(jobEvent(io), jobEvent({ at: minute(1), inputs: [], outputs: [] })).tables).toEqual([]);
    expect(
      graph(jobEvent(io), jobEvent({ at: minute(1), jobFacets: { ownership: facet({ owners: [] }) } })).tables,
    ).toEqual(['a -> c']);
    expect(graph(jobEvent(io), jobEvent({ at: minute(1), jobFacets: lineage() })).tables).toEqual([]);
    expect(
      graph(jobEvent(io), jobEvent({ ...io, at: minute(1), job: 'other', inputs: [dataset('b')] })).tables,
    ).toEqual(['a -> c', 'b -> c']);
  });

  it('is replaced by a lineage facet of its dataset, and stays if others come (C-OPENLINEAGE-13)', () => {
    const declared = datasetEvent('v', columnLineage({ x: [field('a', 'x')] }));
    expect(
      graph(declared, datasetEvent('v', { documentation: facet({ description: 'd' }) }, minute(1))).tables,
    ).toEqual(['a -> v']);
    expect(graph(declared, datasetEvent('v', { lineage: facet({ inputs: [feeds('b')] }) }, minute(1))).tables).toEqual([
      'b -> v',
    ]);
    expect(graph(declared, datasetEvent('v', { lineage: facet({ _deleted: true }) }, minute(1))).tables).toEqual([]);
  });

  it('ends with a DatasetEvent that drops its dataset, but not with a job that is made to drop it', () => {
    const run = runEvent({ inputs: [dataset('a')], outputs: [dataset('b')] });
    expect(graph(run, datasetEvent('b', lifecycle('DROP'), minute(1))).tables).toEqual([]);
    expect(graph(run, jobEvent({ at: minute(1), outputs: [dataset('b', lifecycle('DROP'))] })).tables).toEqual([
      'a -> b',
    ]);
  });

  it('has one scope a job or dataset, whatever slashes their names hold', () => {
    const scopes = [
      { namespace: 'a/b', name: 'c' },
      { namespace: 'a', name: 'b/c' },
    ].flatMap((named) => {
      const base = { eventTime: minute(0), producer: 'https://e.test', schemaURL: 'https://e.test' };
      return [jobEventOf({ ...base, job: named }, itself, ''), datasetEventOf({ ...base, dataset: named }, itself, '')];
    });
    expect(new Set(scopes.map(({ scopeKey }) => scopeKey)).size).toBe(4);
  });
});

it.each([
  ['1970-01-01T00:00:00.000001999Z', 1n],
  ['1970-01-01t01:00:01.5+01:00', 1_500_000n],
  ['2016-12-31T18:59:60.25-05:00', 1_483_228_800_250_000n],
])('the moment of %s', (time, at) => {
  expect(microsOfEventTime(time)).toBe(micros(at));
});
