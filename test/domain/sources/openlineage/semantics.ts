import {
  columnLineage,
  dataset,
  datasetEvent,
  facet,
  feeds,
  field,
  jobEvent,
  minute,
  runEvent,
  runId,
} from './events.ts';

/** The edges of events, in the form of the given cases: tables as [from, to], columns as [from, column, to, column]. */
export type SemanticsCase = {
  readonly name: string;
  readonly events: readonly unknown[];
  readonly table_edges: readonly (readonly string[])[];
  readonly column_edges: readonly (readonly (string | null)[])[];
};

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => dataset(name)) as [object, object, object, object];
const lifecycle = (change: string, more: object = {}) => ({
  lifecycleStateChange: facet({ lifecycleStateChange: change, ...more }),
});
const none = { table_edges: [], column_edges: [] };

export const semanticsCases: readonly SemanticsCase[] = [
  {
    name: 'inputs of the start belong to outputs of the end',
    events: [runEvent({ type: 'START', inputs: [a] }), runEvent({ at: minute(5), outputs: [b] })],
    table_edges: [['a', 'b']],
    column_edges: [],
  },
  {
    name: 'a run that only started says nothing',
    events: [runEvent({ type: 'START', inputs: [a], outputs: [b] })],
    ...none,
  },
  { name: 'a run that failed says nothing', events: [runEvent({ type: 'FAIL', inputs: [a], outputs: [b] })], ...none },
  { name: 'a run without outputs makes no edge', events: [runEvent({ inputs: [a] })], ...none },
  {
    name: 'an aborted run takes nothing from an earlier one',
    events: [
      runEvent({ inputs: [a], outputs: [b] }),
      runEvent({ type: 'ABORT', run: runId(2), at: minute(9), inputs: [c], outputs: [b] }),
    ],
    table_edges: [['a', 'b']],
    column_edges: [],
  },
  {
    name: 'runs of one job add up',
    events: [
      runEvent({ inputs: [a], outputs: [b] }),
      runEvent({ run: runId(2), at: minute(5), inputs: [c], outputs: [b] }),
    ],
    table_edges: [
      ['a', 'b'],
      ['c', 'b'],
    ],
    column_edges: [],
  },
  {
    name: 'every input feeds every output where nothing says more',
    events: [runEvent({ inputs: [a, c], outputs: [b, d] })],
    table_edges: [
      ['a', 'b'],
      ['a', 'd'],
      ['c', 'b'],
      ['c', 'd'],
    ],
    column_edges: [],
  },
  {
    name: 'columns of one of several outputs say what feeds that one',
    events: [runEvent({ inputs: [a, c], outputs: [dataset('b', columnLineage({ x: [field('a', 'y')] })), d] })],
    table_edges: [
      ['a', 'b'],
      ['a', 'd'],
      ['c', 'd'],
    ],
    column_edges: [['a', 'y', 'b', 'x']],
  },
  {
    name: 'the newest columns of a run hold',
    events: [
      runEvent({ type: 'START', inputs: [a], outputs: [dataset('b', columnLineage({ x: [field('a', 'old')] }))] }),
      runEvent({ at: minute(5), inputs: [a], outputs: [dataset('b', columnLineage({ x: [field('a', 'new')] }))] }),
    ],
    table_edges: [['a', 'b']],
    column_edges: [['a', 'new', 'b', 'x']],
  },
  {
    name: 'a lineage facet is the truth of its dataset',
    events: [runEvent({ inputs: [a, c], outputs: [dataset('b', { lineage: facet({ inputs: [feeds('c')] }) })] })],
    table_edges: [['c', 'b']],
    column_edges: [],
  },
  {
    name: 'a newer JobEvent replaces the declarations of the job, in either order',
    events: [
      jobEvent({ inputs: [a], outputs: [b] }),
      jobEvent({ at: minute(5), inputs: [c], outputs: [b] }),
      runEvent({ inputs: [d], outputs: [b] }),
    ],
    table_edges: [
      ['c', 'b'],
      ['d', 'b'],
    ],
    column_edges: [],
  },
  {
    name: 'a dropped dataset loses the edges of before',
    events: [
      runEvent({ inputs: [a], outputs: [b] }),
      datasetEvent('b', lifecycle('DROP'), minute(5)),
      runEvent({ run: runId(2), job: 'other', at: minute(9), inputs: [c], outputs: [b] }),
    ],
    table_edges: [['c', 'b']],
    column_edges: [],
  },
  {
    name: 'a truncated dataset keeps its edges',
    events: [runEvent({ inputs: [a], outputs: [dataset('b', lifecycle('TRUNCATE'))] })],
    table_edges: [['a', 'b']],
    column_edges: [],
  },
];
