import type { RowOrigin } from '../../contract/collection.ts';
import type { CollectionCounts } from '../../contract/collection-projects.ts';
import type { CollectionProjectId, WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';

/** The sender of events that broke a rule, as `violations` has it, or the code of the refusal. It can send any name. */
export type Sender = CollectionCounts['senders'][number];

export type EventCount = Pick<RowOrigin, 'workspace_id' | 'project_id'> & {
  /** Of the receipt, in UTC: `YYYY-MM-DD`. */
  readonly date: string;
  readonly accepted: number;
  readonly repeated: number;
  /** Of suppressed persons: accepted and not stored. */
  readonly suppressed?: number;
  readonly rejected: Readonly<Record<string, number>>;
  /** Broken rules, by place and rule. */
  readonly violations?: Readonly<Record<string, number>>;
  /** `isAllowed`: without an origin, or with one that the project allows. Others get less room. */
  readonly senders?: readonly (Sender & { readonly isAllowed: boolean })[];
};

export type DayOfEvents = Required<Omit<EventCount, 'workspace_id' | 'project_id' | 'senders'>> & {
  readonly senders: readonly Sender[];
  /** Those without room. */
  readonly other_senders: Pick<Sender, 'events' | 'last_at'> | null;
};

/** The counts of a project on some days; days without counts are left out. */
export type ReadEventCounts = (
  workspace: WorkspaceId,
  project: CollectionProjectId,
  dates: readonly string[],
) => Promise<readonly DayOfEvents[]>;

export type CountEvents = (counts: readonly EventCount[]) => Promise<void>;

export function sumCounts(counts: readonly EventCount[]): readonly EventCount[] {
  const days = Map.groupBy(counts, ({ workspace_id, project_id, date }) => `${workspace_id} ${project_id} ${date}`);
  return [...days.values()].flatMap(([first, ...others]) => (first ? [others.reduce(sumOf, first)] : []));
}

const sumOf = (a: EventCount, b: EventCount): EventCount => ({
  ...a,
  accepted: a.accepted + b.accepted,
  repeated: a.repeated + b.repeated,
  suppressed: (a.suppressed ?? 0) + (b.suppressed ?? 0),
  rejected: sumByName(a.rejected, b.rejected),
  violations: sumByName(a.violations ?? {}, b.violations ?? {}),
  senders: sumSenders([...(a.senders ?? []), ...(b.senders ?? [])]),
});

const sumByName = (a: EventCount['rejected'], b: EventCount['rejected']): EventCount['rejected'] =>
  Object.fromEntries(Object.keys({ ...a, ...b }).map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));

/** What tells a sender and a rule from others, as text. */
export const senderKey = ({ rule, library, version, origin }: Sender): string =>
  JSON.stringify([rule, library, version, origin]);

/** Each once, the latest first. */
export const sumSenders = <S extends Sender>(senders: readonly S[]): readonly S[] =>
  [
    ...Map.groupBy(
      senders.toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1)),
      senderKey,
    ).values(),
  ].flatMap((same) => sumOfOne(same) ?? []);

/** The first, which is the latest, with the events of all; null if there is none. */
export const sumOfOne = <S extends Pick<Sender, 'events'>>([first, ...others]: readonly S[]): S | null =>
  first ? { ...first, events: others.reduce((sum, { events }) => sum + events, first.events) } : null;

/** The counts of some days as they are shown, the latest first. */
export function describeCounts(
  days: readonly DayOfEvents[],
): Pick<CollectionCounts, 'items' | 'senders' | 'other_senders'> {
  const latest = days.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  return {
    items: latest.map(({ senders: _, other_senders: __, ...counts }) => ({ ...counts })),
    senders: sumSenders(days.flatMap(({ senders }) => senders)).filter((_, place) => place < limits.senders.shown),
    other_senders: sumOfOne(latest.flatMap(({ other_senders }) => other_senders ?? [])),
  };
}

export const lastDates = (now: Date, days: number): readonly string[] =>
  Array.from({ length: days }, (_, ago) => new Date(now.getTime() - ago * dayMs).toISOString().slice(0, 10));

const dayMs = 86_400_000;
