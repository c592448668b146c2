import type { ConnectorId } from '../../../contract/ids.ts';
import { memoised } from '../../base/caching.ts';
import type { Node } from '../graph/node.ts';
import { type Connector, connectorDefaults } from './connector.ts';

type Retentions = {
  readonly connectors: ReadonlyMap<ConnectorId, Connector>;
  readonly unownedRetentionDays?: number | undefined;
};

const dayMs = 86_400_000;

/** Whether an observation is older than the retention of its downstream's connector: it keeps no edge active any more. */
export function isExpired(
  context: Retentions & { readonly now: string },
  asOf: string | null,
  downstream: Node,
  observedAt: string,
): boolean {
  const days = retentionDaysOf(context, downstream);
  return timeOf(observedAt) < timeOf(asOf ?? context.now) - days * dayMs;
}

/** Of an ISO time: an answer compares those of few runs with one, edge by edge. */
const timeOf = memoised(2_000, Date.parse);

/** For how many days an observation keeps an edge to a relation active. */
export function retentionDaysOf({ connectors, unownedRetentionDays }: Retentions, downstream: Node): number {
  const connector = 'connectorId' in downstream ? connectors.get(downstream.connectorId) : undefined;
  return connector?.observed_retention_days ?? unownedRetentionDays ?? connectorDefaults.observed_retention_days;
}
