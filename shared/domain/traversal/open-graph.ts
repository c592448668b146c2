import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { Connector } from '../identity/connector.ts';
import { ofGeneration } from '../naming/generation.ts';
import type { NamesReader } from '../naming/ports.ts';
import type { PastPorts } from '../past/open-past.ts';
import { pastDetails } from '../past/past-details.ts';
import type { Policy } from '../policy/policy.ts';
import type { TraversalPorts } from './ports.ts';

/** What questions about the graph are answered with, whichever workspace asks. */
export type GraphQueryPorts = Omit<TraversalPorts, 'connectors' | 'policies' | 'now' | 'overlay' | 'past'> &
  PastPorts & {
    readonly namesOf: NamesReader;
    readonly policiesOf: (
      workspace: WorkspaceId,
      connectors: readonly ConnectorId[],
    ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  };

/** The connector that a question names, and the ports with the workspace's connectors and policies as they stand. Throws `not_found`. */
export async function openGraph<P extends GraphQueryPorts>(
  ports: P,
  workspace: WorkspaceId,
  connectorId: string,
  now: Date,
): Promise<{ readonly connector: Connector; readonly reading: P & TraversalPorts }> {
  const read: { policies?: ReadonlyMap<ConnectorId, Policy> } = {};
  const names = await ports.namesOf(workspace, async (listed) => {
    read.policies = await ports.policiesOf(workspace, listed);
  });
  const connectors = new Map(names.connectors.map((one) => [one.id, one]));
  const connector = names.connectors.find(({ id }) => id === connectorId);
  if (!connector) throw new Problem('not_found');
  // A reader that serves several at once reads nothing alongside.
  const policies = read.policies ?? (await ports.policiesOf(workspace, [...connectors.keys()]));
  const stores = ofGeneration(ports, names.generation);
  const past = pastDetails(stores, { workspace, connectors: names.connectors });
  return { connector, reading: { ...stores, past, connectors, policies, now: now.toISOString() } };
}
