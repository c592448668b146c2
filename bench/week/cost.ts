import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type FunctionName, functionSpecs } from '../../lib/function-specs.ts';
import { accessLogBytes, billedSeconds } from '../cost/metered.ts';
import { dollarsOf, type Usage } from '../cost/prices.ts';
import type { Readers } from './readers.ts';
import type { Consumed, ServiceFigures } from './service.ts';
import type { Team } from './team.ts';

const page = path.resolve(import.meta.dirname, '..', '..', 'docs', 'costs.md');
const readsOfTable = /^(Get|BatchGet|Query|Scan|TransactGet)/u;

/** What the service used in the week, in the units that AWS charges. Alarms, metrics and polls of queues are not among them. */
export function usageOf({ threads, invocations }: ServiceFigures, consumed: Consumed, requests: number): Usage {
  const sum = (of: (operation: string) => boolean) =>
    Object.entries(consumed).reduce((units, [operation, one]) => units + (of(operation) ? one.units : 0), 0);
  const received: Record<string, number> = {};
  for (const thread of threads)
    for (const [kind, times] of Object.entries(thread.requests)) received[kind] = (received[kind] ?? 0) + times;
  const times = (pattern: RegExp) =>
    Object.entries(received).reduce((all, [kind, count]) => all + (pattern.test(kind) ? count : 0), 0);
  const functions = threads.flatMap((thread) =>
    thread.name in functionSpecs ? [{ ...thread, name: thread.name as FunctionName }] : [],
  );
  return {
    write_units: sum((operation) => !readsOfTable.test(operation)),
    read_units: sum((operation) => readsOfTable.test(operation)),
    gateway_requests: requests,
    log_bytes: requests * accessLogBytes,
    s3_puts: times(/^S3\.(PUT|POST|GET list)$/),
    s3_gets: times(/^S3\.(GET|HEAD)$/),
    // The event source receives and deletes ten at once.
    sqs_requests: times(/SendMessage/) * 1.2,
    lambda_requests: Object.entries(invocations).reduce((all, [, count]) => all + count, 0),
    lambda_gb_seconds: functions.reduce(
      (all, { name, cpu_seconds }) => all + (billedSeconds(name, cpu_seconds) * functionSpecs[name].memoryMiB) / 1_024,
      0,
    ),
  };
}

/** Dollars of a million, as the table of docs/costs.md has them. */
function documented(what: string): number {
  const row = readFileSync(page, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${what}`));
  const usd = /[\d.]+/.exec(row?.split('|')[2] ?? '')?.[0] ?? '';
  if (!(Number(usd) > 0)) throw new Error(`docs/costs.md has no figure of ${what}`);
  return Number(usd) / 1_000_000;
}

const dollarsAMonth = (what: string): number => documented(what) * 1_000_000;

/** Of the sweep and the compaction, from the tables of an idle month. */
const idleHour = (workspaces: number): number =>
  (dollarsAMonth("the sweep's five tasks") + (workspaces - 1) * dollarsAMonth('each workspace beyond the first')) / 720;

/** Write units of a snapshot that changes nothing, and of one that changes a model: docs/costs.md, and the ledger. */
const snapshotUnits = { unchanged: 4, changed: 11 };

type Observed = Readonly<Record<'hours' | 'storeRuns' | 'workspaces', number>>;

/** Dollars of the same load by docs/costs.md. A run of store-events that has one message costs two PUTs all the same. */
export function expectedDollars(
  { sent }: Team,
  readers: Readers,
  { hours, storeRuns, workspaces }: Observed,
): Readonly<Record<string, number>> {
  const questions = Object.values(readers.latencies).reduce((all, { length }) => all + length, 0);
  const unchanged = sent.snapshots - sent.changed;
  return {
    'analytics events by 100': sent.collected * documented('events in batches of 100 '),
    'objects of analytics events': dollarsOf({ s3_puts: 2 * storeRuns }),
    'OpenLineage one by one': sent.singly * documented('OpenLineage one by one, known jobs'),
    'OpenLineage by 100': sent.inBatches * documented('OpenLineage in batches of 100'),
    'snapshots: requests and changes': dollarsOf({
      gateway_requests: sent.snapshots,
      s3_puts: sent.snapshots,
      write_units: unchanged * snapshotUnits.unchanged + sent.changed * snapshotUnits.changed,
    }),
    questions: questions * documented('impact requests'),
    'sweep and compaction': hours * idleHour(workspaces),
  };
}

/** Dollars of each unit. */
export const usedDollars = (usage: Usage): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(usage).map(([unit, count]) => [unit, dollarsOf({ [unit]: count })]));

type Costs = readonly [used: Readonly<Record<string, number>>, expected: Readonly<Record<string, number>>];

/** What was added to the costs since they were read first. */
export const sinceFirst = (first: Costs, last: Costs): Costs => [added(first[0], last[0]), added(first[1], last[1])];

const added = (first: Readonly<Record<string, number>>, last: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(last).map(([of, usd]) => [of, usd - (first[of] ?? 0)]));
