import os from 'node:os';
import { markdownTable } from '../support/markdown-table.ts';
import { quantile } from '../support/quantile.ts';
import type { Readers } from './readers.ts';
import { bounds, heapGrowth, memoryGrowth, type Outcome } from './rules.ts';
import type { Team } from './team.ts';
import type { Watch } from './watch.ts';

type Run = {
  readonly team: Team;
  readonly readers: Readers;
  readonly watch: Watch;
  readonly outcome: Outcome;
  readonly violations: readonly string[];
  readonly minutes: number;
  readonly used: Readonly<Record<string, number>>;
  readonly expected: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
};

/** The report of a run as Markdown. */
export function reportOf(run: Run): string {
  const { team, watch, outcome, violations } = run;
  const { scale, sent } = team;
  const days = watch.hours.length / 24;
  return [
    `${days.toFixed(1)} days in ${run.minutes.toFixed(0)} minutes, ${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}, ${os.cpus().length} processors, load average ${os
      .loadavg()
      .map((one) => one.toFixed(1))
      .join(', ')} at the end. Events are one in ${number(scale.one_in)} of the team's.`,
    '',
    table(
      ['Sent in the week', 'Count'],
      [
        [
          'dbt projects, snapshots, with changes',
          `${scale.dbt_projects}, ${number(sent.snapshots)}, ${number(sent.changed)}`,
        ],
        [
          'OpenLineage events singly, in batches',
          `${number(sent.singly)}, ${number(sent.inBatches)} in ${number(sent.batches)}`,
        ],
        ['analytics events', number(sent.collected)],
        ['requests sent again, as after a lost response', number(sent.repeated)],
        [
          'readers, questions, compared with the oracle',
          `${scale.readers}, ${number(questionsOf(run.readers))}, ${number(run.readers.checked())}`,
        ],
        ['requests, retries after 429 or 503', `${number(sent.requests)}, ${number(sent.retried)}`],
      ],
    ),
    '',
    table(
      ['At the end', 'Expected', 'Found', 'Missing', 'Stale or foreign'],
      [
        ...Object.entries(outcome.graph).map(([of, { expected, found, missing, foreign }]) => [
          `edges of ${of}`,
          number(expected),
          number(found),
          number(missing.length),
          number(foreign.length),
        ]),
        [
          'events in the lake',
          number(outcome.lake.sent),
          number(outcome.lake.stored),
          number(outcome.lake.lost),
          `${outcome.lake.doubled} doubled`,
        ],
      ],
    ),
    '',
    table(['Memory, MiB', 'Second quarter', 'Last quarter'], memoryGrowth(watch.hours).map(grown)),
    '',
    table(['Heap after garbage collection, MiB', 'Second day', 'Last day'], heapGrowth(watch.heaps).map(grown)),
    '',
    table(['Queue', 'Most messages', 'Waited, median s', 'Waited, most s'], queues(watch)),
    '',
    table(['Question', 'Count', 'p50 ms', 'p95 ms', 'p99 ms'], latencies(run.readers)),
    '',
    table(['Stored, MiB', 'First day', 'Last day'], stored(watch)),
    '',
    costs(run),
    '',
    violations.length === 0
      ? 'No violation.'
      : violations
          .slice(0, 30)
          .map((one) => `- ${one}`)
          .join('\n'),
    '',
  ].join('\n');
}

const grown = ({ of, second, last, grows }: { of: string; second: number; last: number; grows: boolean }) => [
  of,
  String(second),
  `${last}${grows ? ' (grows)' : ''}`,
];

function queues({ hours }: Watch): readonly (readonly string[])[] {
  const names = [...new Set(hours.flatMap(({ waited }) => Object.keys(waited)))].sort();
  return names.map((name) => {
    const waits = hours.flatMap(({ waited }) => (waited[name] ? [waited[name]] : []));
    const medians = waits.map(([median]) => median);
    return [
      name,
      number(Math.max(...hours.map(({ depth }) => depth[name] ?? 0))),
      quantile(medians, 0.5).toFixed(2),
      Math.max(...waits.map(([, most]) => most)).toFixed(1),
    ];
  });
}

const questionsOf = ({ latencies }: Readers): number =>
  Object.values(latencies).reduce((sum, { length }) => sum + length, 0);

const latencies = (readers: Readers): readonly (readonly string[])[] =>
  Object.entries({ ...readers.latencies, all: Object.values(readers.latencies).flat() }).map(([kind, all]) => [
    kind,
    number(all.length),
    ...[0.5, 0.95, 0.99].map((share) => quantile(all, share).toFixed(0)),
  ]);

const stored = ({ stored: days }: Watch): readonly (readonly string[])[] =>
  Object.entries(days.at(-1) ?? {}).map(([file, last]) => [file, (days[0]?.[file] ?? 0).toFixed(1), last.toFixed(1)]);

function costs({ used, expected, outcome, requests }: Run): string {
  const lines = (amounts: Readonly<Record<string, number>>) =>
    Object.entries(amounts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([of, usd]) => `${of} ${usd.toFixed(4)}`)
      .join(', ');
  return [
    table(
      ['Cost of the scaled week', 'Dollars', 'Parts'],
      [
        ['metered', outcome.cost.used.toFixed(3), lines(used)],
        ['by docs/costs.md', outcome.cost.expected.toFixed(3), lines(expected)],
        ['times', (outcome.cost.used / outcome.cost.expected).toFixed(2), `at most ${bounds.cost}`],
      ],
    ),
    '',
    table(
      ['Requests to DynamoDB', 'Count'],
      Object.entries(requests).map(([of, count]) => [of, number(count)]),
    ),
  ].join('\n');
}

const number = (count: number): string => count.toLocaleString('en');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => markdownTable([head, ...rows]);
