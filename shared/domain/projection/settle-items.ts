import type { SaidName } from '../naming/said.ts';
import type { JobEvent, RunEvent } from '../sources/openlineage/event.ts';
import { canSettle, settleColumnSources } from '../sources/openlineage/settle-column-sources.ts';
import { analyseSql } from '../sql/analyse-sql.ts';
import type { SqlParser } from '../sql/types.ts';
import type { EventItem } from './read-items.ts';

export type SettlePorts = {
  /** Told what names the events use before anything of them is written. */
  readonly say?: (names: readonly SaidName[]) => Promise<void>;
  /** Loaded when an event has a statement that may tell more of its columns. */
  readonly sqlParser: () => Promise<SqlParser>;
};

/** The events with the columns that their own statements tell. */
export async function settledItems(
  { sqlParser }: SettlePorts,
  items: readonly EventItem[],
): Promise<readonly EventItem[]> {
  const settleable = new Set(items.filter((item) => item.kind !== 'DatasetEvent' && canSettle(item.event)));
  if (settleable.size === 0) return items;
  const parser = await sqlParser();
  const analyse: Parameters<typeof settleColumnSources>[0] = (statement, options) =>
    analyseSql(parser, statement, options);
  const settle = <E extends RunEvent | JobEvent>(event: E): E => {
    try {
      return settleColumnSources(analyse, event);
    } catch {
      // A statement that cannot be analysed tells nothing, and takes nothing from its event.
      return event;
    }
  };
  return items.map((item): EventItem => {
    if (!settleable.has(item)) return item;
    if (item.kind === 'RunEvent') return { ...item, event: settle(item.event) };
    return item.kind === 'JobEvent' ? { ...item, event: settle(item.event) } : item;
  });
}
