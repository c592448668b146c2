import { silentStatement } from '../../../contract/unresolved-reasons.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { Connector } from '../names/connector.ts';
import { ownerOf } from '../names/resolve-dataset.ts';
import { countReasons, type UnresolvedCount } from '../sources/declared/declared.ts';
import type { JobEvent, RunEvent } from '../sources/openlineage/event.ts';
import { canSettle, settleColumnSources } from '../sources/openlineage/settle-column-sources.ts';
import { isOnlyStatement, withStatedRelations } from '../sources/openlineage/stated-relations.ts';
import { analyseScript, analyseSql, analyseTargets } from '../sql/analyse-sql.ts';
import { documentBudget, stepsFor } from '../sql/budget.ts';
import type { SqlOptions } from '../sql/types.ts';
import type { GraphWriters } from './ports.ts';
import type { EventItem } from './read-items.ts';

/** The connector that statements of a delivery are about, unless it leaves them unread. */
const readingConnector = (
  connectors: readonly Connector[],
  { connector_id }: Pick<Delivery, 'connector_id'>,
): Connector | undefined =>
  connectors.find(({ id, statement_columns }) => id === connector_id && statement_columns !== 'off');

/** The jobs whose statements were read and say nothing of relations. */
export function silentStatements(
  connectors: readonly Connector[],
  delivery: Delivery,
  settled: readonly EventItem[],
): readonly UnresolvedCount[] {
  if (readingConnector(connectors, delivery) === undefined) return [];
  const silent = settled.flatMap((item) =>
    item.kind !== 'DatasetEvent' && isOnlyStatement(item.event) ? item.event : [],
  );
  const jobs = new Set(silent.map(({ job }) => job.name));
  return countReasons([...jobs].map((asset) => ({ reason: silentStatement, asset })));
}

/** The events with the relations and columns that their own statements tell. */
export async function settledItems(
  { sqlParser }: Pick<GraphWriters, 'sqlParser'>,
  connectors: readonly Connector[],
  delivery: Pick<Delivery, 'connector_id'>,
  items: readonly EventItem[],
): Promise<readonly EventItem[]> {
  const own = readingConnector(connectors, delivery);
  const needsRelations = (event: RunEvent | JobEvent) => own !== undefined && isOnlyStatement(event);
  const settings = ({ outputs: [output] = [] }: RunEvent | JobEvent) => output && ownerOf(connectors, output.namespace);
  const settleable = new Set(
    items.filter(
      (item) =>
        item.kind !== 'DatasetEvent' && (needsRelations(item.event) || canSettle(item.event, settings(item.event))),
    ),
  );
  if (settleable.size === 0) return items;
  const parser = await sqlParser();
  const budget = documentBudget(0);
  const within = <T>(analyse: (...of: Parameters<typeof analyseSql>) => T) => {
    return (statement: string, options: SqlOptions): T => {
      budget.left += stepsFor(statement.length);
      return analyse(parser, statement, { ...options, budget });
    };
  };
  const settle = <E extends RunEvent | JobEvent>(event: E): E => {
    try {
      if (own && isOnlyStatement(event)) {
        const isReader = event.job.facets?.tributary_session?.reads === true;
        return withStatedRelations(within(isReader ? analyseScript : analyseTargets), event, own);
      }
      return settleColumnSources(within(analyseSql), event, settings(event));
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
