import { greatest, sortedBy } from '../../base/collections.ts';
import { joinedSpans, type Micros, micros } from '../graph/order.ts';
import type { RunRecord } from '../sources/openlineage/run-store.ts';
import type { RunWork } from './ports.ts';

/** The work of one run as if one delivery had brought all of it: the one with the newest event. */
export function mergedRunWork(works: readonly RunWork[]): RunWork {
  const [newest] = sortedBy(works, lastTimeOf).slice(-1);
  if (!newest) throw new RangeError('there is no work to merge');
  const records = new Map<string, RunRecord>();
  for (const work of works) for (const [digest, record] of work.records) addRecord(records, digest, record);
  const hasBegun = works.some((work) => work.isBegun);
  return { ...newest, records, isBegun: hasBegun, expiresAt: Math.max(...works.map(({ expiresAt }) => expiresAt)) };
}

/** The time of the newest event. */
export const lastTimeOf = ({ records }: Pick<RunWork, 'records'>): Micros =>
  greatest([...records.values()].map(({ last }) => last)) ?? micros(0n);

/** Adds events to those that are alike except for their time. */
export function addRecord(records: Map<string, RunRecord>, digest: string, record: RunRecord): void {
  records.set(digest, { content: record.content, ...joinedSpans(records.get(digest) ?? record, record) });
}
