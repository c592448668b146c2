import type { RowOrigin } from '../../contract/collection.ts';
import type { CollectionProjectId, WorkspaceId } from '../../contract/ids.ts';

/** What became of a project's events that were received on one day. */
export type EventCount = Pick<RowOrigin, 'workspace_id' | 'project_id'> & {
  /** Of the receipt, in UTC: `YYYY-MM-DD`. */
  readonly date: string;
  /** Events that were stored. */
  readonly accepted: number;
  /** Events whose id was stored already. */
  readonly repeated: number;
  /** Events of refused batches, by the code of the refusal. */
  readonly rejected: Readonly<Record<string, number>>;
};

export type DayOfEvents = Pick<EventCount, 'date' | 'accepted' | 'repeated' | 'rejected'>;

/** The counts of a project on some days; a day of which nothing is known is left out. */
export type ReadEventCounts = (
  workspace: WorkspaceId,
  project: CollectionProjectId,
  dates: readonly string[],
) => Promise<readonly DayOfEvents[]>;

/** Adds to the counts. What it cannot write is lost, and fails nobody. */
export type CountEvents = (counts: readonly EventCount[]) => Promise<void>;

/** The counts of equal projects and days as one each. */
export function sumCounts(counts: readonly EventCount[]): readonly EventCount[] {
  const days = Map.groupBy(counts, ({ workspace_id, project_id, date }) => `${workspace_id} ${project_id} ${date}`);
  return [...days.values()].flatMap(([first, ...others]) => (first ? [others.reduce(sumOf, first)] : []));
}

const sumOf = (a: EventCount, b: EventCount): EventCount => ({
  ...a,
  accepted: a.accepted + b.accepted,
  repeated: a.repeated + b.repeated,
  rejected: Object.fromEntries(
    [...Object.keys(a.rejected), ...Object.keys(b.rejected)].map((code) => [
      code,
      (a.rejected[code] ?? 0) + (b.rejected[code] ?? 0),
    ]),
  ),
});

/** The last days up to one, newest first. */
export const lastDates = (now: Date, days: number): readonly string[] =>
  Array.from({ length: days }, (_, ago) => new Date(now.getTime() - ago * dayMs).toISOString().slice(0, 10));

const dayMs = 86_400_000;
