/** A figure of a bench's output: a field of the first line that has what `line` says. Less is better. */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly line: Readonly<Record<string, string | number | boolean>>;
  readonly field: string;
  readonly aim?: number;
};

/** A bench's command, and the figures to keep from its output. */
export type Measurement = {
  readonly bench: string;
  readonly args: readonly string[];
  readonly figures: readonly Figure[];
};

/** @param field what of the line, and its unit */
const figure = (
  name: string,
  [field, unit]: readonly [field: string, unit: string],
  line: Figure['line'],
  rest: Pick<Figure, 'aim'> = {},
): Figure => ({ name, unit, field, line, ...rest });

const cpuPer1000 = ['cpu_seconds_per_1000', 'CPU s / 1,000 events'] as const;
const unitsPerEvent = ['write_units_per_event', 'write units/event'] as const;
const requestsPerEvent = ['requests_per_event', 'requests/event'] as const;
const writeUnits = ['write_units', 'write units'] as const;
const cpuSeconds = ['cpu_seconds', 'CPU s'] as const;
const median = ['p50_ms', 'ms'] as const;
const p95 = ['p95_ms', 'ms'] as const;
const cpu = ['client_cpu_ms', 'CPU ms'] as const;
const readUnits = ['read_units_p50', 'read units'] as const;
const firstAnswer = ['first_answer_ms', 'ms'] as const;
const startCpu = ['processor_ms', 'CPU ms'] as const;
const dollars = ['usd', 'USD'] as const;

const project = { step: 'project' };
const w1 = { step: 'accept_and_project' };
const known = { jobs: 'known', batch: 1, round: 'median' };
const knownBy100 = { jobs: 'known', batch: 100, round: 'median' };
const least = { round: 'least' };
const byColumns = { broad: true, columns: 1 };
const words = { search: 'the beginning of a last part' };

/** What `bench/all` measures: some five minutes on two processors. */
export const ledger: readonly Measurement[] = [
  {
    bench: 'intake',
    args: ['--jobs', '250'],
    figures: [
      ...[
        { of: 'singly', line: { ...w1, ...known }, aim: 5.9 },
        { of: 'by 100', line: { ...w1, ...knownBy100 }, aim: 1.2 },
      ].flatMap(({ of, line, aim }) => [
        figure(`W1 ${of}, accept and project: processor`, cpuPer1000, line),
        figure(`W1 ${of}, accept and project, least round: processor`, cpuPer1000, { ...line, ...least }, { aim }),
      ]),
      figure('Accept singly: processor', cpuPer1000, { step: 'accept', ...known }),
      ...[
        { of: 'first seen', line: { ...project, jobs: 'first_seen', round: 'median' } },
        { of: 'known', line: { ...project, ...known } },
        { of: 'known, by 100', line: { ...project, ...knownBy100 } },
      ].flatMap(({ of, line }) => [
        figure(`Project, ${of}: processor`, cpuPer1000, line),
        figure(`Project, ${of}: writes`, unitsPerEvent, line),
        figure(`Project, ${of}: requests`, requestsPerEvent, line),
      ]),
    ],
  },
  {
    bench: 'snapshot-change',
    args: ['--edges', '10000'],
    figures: [
      figure('Snapshot of 10,000 edges, first: writes', writeUnits, { step: 'first' }),
      figure('Snapshot of 10,000 edges, first: processor', cpuSeconds, { step: 'first' }),
      figure('Snapshot of 10,000 edges, same again: writes', writeUnits, { step: 'identical' }, { aim: 4 }),
      figure('Snapshot of 10,000 edges, one model changed: writes', writeUnits, { step: 'one_changed' }, { aim: 50 }),
      figure('Snapshot of 10,000 edges, 1 % changed: writes', writeUnits, { step: 'percent_changed' }, { aim: 513 }),
      figure('Snapshot of 10,000 edges, 1 % changed: processor', cpuSeconds, { step: 'percent_changed' }),
    ],
  },
  {
    bench: 'serve',
    args: ['--edges', '10000', '--readers', '2000', '--questions', '30'],
    figures: [
      figure('Impact of 150 relations: median', median, { depth: 5 }),
      figure('Impact of 150 relations: processor', cpu, { depth: 5 }),
      figure('Impact of 150 relations: reads', readUnits, { depth: 5 }),
      figure('Impact of 500 relations: median', median, { broad: true }),
      figure('Impact of 500 relations: processor', cpu, { broad: true }),
      figure('Impact of 500 relations: reads', readUnits, { broad: true }),
      figure('Impact of 500 relations by columns: median', median, byColumns),
      figure(
        'Impact of 500 relations by columns, least round: median',
        median,
        { ...byColumns, ...least },
        { aim: 60 },
      ),
      figure('Impact of 500 relations by columns: processor', cpu, byColumns),
      figure(
        'Impact of 500 relations by columns, least round: processor',
        cpu,
        { ...byColumns, ...least },
        { aim: 50 },
      ),
      figure('Impact of 500 relations by columns: reads', readUnits, byColumns),
      figure('500 of 2,000 readers: median', median, { supernode_readers: 2_000 }),
      figure('500 of 2,000 readers: reads', readUnits, { supernode_readers: 2_000 }),
    ],
  },
  {
    bench: 'search',
    args: ['--domains', '10', '--questions', '30'],
    figures: [
      figure('Search of 10,000 relations: p95', p95, words, { aim: 50 }),
      figure('Search of 10,000 relations: processor', cpu, words),
      figure('Search of 10,000 relations: reads, most', ['read_units_max', 'read units'], words),
      figure('Column search of 10,000 relations: p95', p95, { search: 'the beginning of a column' }, { aim: 50 }),
      figure('Column search of 10,000 relations: processor', cpu, { search: 'the beginning of a column' }),
    ],
  },
  {
    bench: 'collect',
    args: [],
    figures: [
      figure(
        'Collect a batch of 100, by gunzip and JSON.parse',
        ['handler_to_floor', 'times'],
        { events: 100 },
        { aim: 3 },
      ),
      ...Object.entries({ PostHog: 'posthog', 'Capture V1': 'posthog_v1', Segment: 'segment' }).map(([name, format]) =>
        figure(
          `Collect a batch of 100 of ${name}, by gunzip and JSON.parse`,
          ['handler_to_floor', 'times'],
          { events: 100, format },
          { aim: 3.3 },
        ),
      ),
      figure('Collect a batch of 100: processor', ['handler_and_send_us', 'CPU us'], { events: 100 }),
      figure('Store an event: writes', unitsPerEvent, { batch_size: 100 }),
    ],
  },
  {
    bench: 'cold-start',
    args: [],
    figures: ['collect', 'ingest', 'queries', 'diff', 'export'].flatMap((name) => [
      figure(`Cold start of ${name}: first answer`, firstAnswer, { function: name }, { aim: 250 }),
      figure(`Cold start of ${name}: processor`, startCpu, { function: name }),
    ]),
  },
  {
    bench: 'cost',
    args: ['--events', '1000'],
    figures: [
      figure('A million events by 100', dollars, { what: 'a million events in batches of 100' }, { aim: 0.9 }),
      figure('A million events singly', dollars, { what: 'a million events in batches of 1' }, { aim: 6 }),
      figure(
        'A million OpenLineage events by 100',
        dollars,
        { what: 'a million OpenLineage events in batches of 100, known jobs' },
        { aim: 4 },
      ),
      figure(
        'A million OpenLineage events singly',
        dollars,
        { what: 'a million OpenLineage events in batches of 1, known jobs' },
        { aim: 12 },
      ),
      figure('An idle month', dollars, { what: 'an idle month' }, { aim: 6 }),
    ],
  },
];

/** What `bench/all --large` measures besides: some hours, and 8 GiB of memory. */
export const largeLedger: readonly Measurement[] = [
  {
    bench: 'snapshot-change',
    args: ['--edges', '100000'],
    figures: [
      figure('Snapshot of 100,000 edges, first: writes', writeUnits, { step: 'first' }),
      figure('Snapshot of 100,000 edges, first: processor', cpuSeconds, { step: 'first' }),
      figure('Snapshot of 100,000 edges, 1 % changed: writes', writeUnits, { step: 'percent_changed' }, { aim: 5_128 }),
      figure('Snapshot of 100,000 edges, 1 % changed: time', ['seconds', 's'], { step: 'percent_changed' }, { aim: 3 }),
    ],
  },
  {
    bench: 'serve',
    args: ['--edges', '1000000', '--readers', '100000'],
    figures: [
      figure('Impact of 150 relations at 1 M edges: median', median, { depth: 5 }),
      figure('Impact of 150 relations at 1 M edges: p95', p95, { depth: 5 }, { aim: 60 }),
      figure(
        'Impact of 500 relations by columns at 1 M edges: median',
        median,
        { broad: true, columns: 1 },
        { aim: 60 },
      ),
      figure(
        'Impact of 500 relations by columns at 1 M edges: processor',
        cpu,
        { broad: true, columns: 1 },
        { aim: 50 },
      ),
      figure('500 of 100,000 readers: median', median, { supernode_readers: 100_000 }),
      figure('500 of 100,000 readers: reads', readUnits, { supernode_readers: 100_000 }),
    ],
  },
  {
    bench: 'search',
    args: ['--domains', '100'],
    figures: [
      figure('Search of 100,000 relations: p95', p95, { search: 'the beginning of a last part' }, { aim: 50 }),
      figure('Column search of 100,000 relations: p95', p95, { search: 'the beginning of a column' }, { aim: 50 }),
      figure('Column search of 100,000 relations: processor', cpu, { search: 'the beginning of a column' }),
    ],
  },
  {
    bench: 'large-graph',
    args: ['--relations', '100000'],
    figures: [
      figure('100,000 relations loaded: writes', writeUnits, { step: 'load' }),
      figure('100,000 relations loaded: processor', cpuSeconds, { step: 'load' }),
      figure('100,000 relations: size', ['mebibytes', 'MiB'], { step: 'size' }),
      figure('What feeds a mart of 100,000 relations: p95', p95, { question: 'what feeds a mart' }),
      figure('A project of 100,000 edges retracted: writes', writeUnits, { step: 'retract' }),
      figure('A project of 100,000 edges retracted: time', ['seconds', 's'], { step: 'retract' }),
      figure('A project of 100,000 edges pruned: writes', writeUnits, { step: 'prune' }),
      figure('A project of 100,000 edges forgotten: writes', writeUnits, { step: 'forget' }),
    ],
  },
];
