import { cpu, cpuSeconds, figure, type Measurement, median, p95, readUnits, writeUnits } from './ledger.ts';

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
