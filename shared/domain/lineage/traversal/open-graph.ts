import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { graphNamed } from '../generations/graph-record.ts';
import type { NamesReader } from '../generations/ports.ts';
import type { Connector } from '../names/connector.ts';
import { type PastPorts, pastDetails } from '../past/past-details.ts';
import type { Policy } from '../policy/policy.ts';
import type { TraversalPorts } from './ports.ts';

/** Dependencies for answering queries about the graph, for all workspaces. */
export type GraphQueryPorts = Omit<
  TraversalPorts,
  'forgotten' | 'connectors' | 'policies' | 'now' | 'overlay' | 'past'
> &
  PastPorts & {
    readonly namesOf: NamesReader;
    readonly policiesOf: (
      workspace: WorkspaceId,
      connectors: readonly ConnectorId[],
    ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  };

type OpenGraph<P> = { readonly reading: P & TraversalPorts };

/** The ports with the workspace's connectors and policies as they stand. */
async function openWorkspace<P extends GraphQueryPorts>(
  ports: P,
  workspace: WorkspaceId,
  now: Date,
): Promise<OpenGraph<P>> {
  const read: { policies?: ReadonlyMap<ConnectorId, Policy> } = {};
  const names = await ports.namesOf(workspace, async (listed) => {
    read.policies = await ports.policiesOf(workspace, listed);
  });
  const connectors = new Map(names.connectors.map((one) => [one.id, one]));
  // A reader that serves several at once reads nothing alongside.
  const policies = read.policies ?? (await ports.policiesOf(workspace, [...connectors.keys()]));
  const stores = graphNamed(ports, names);
  const past = pastDetails(stores, { workspace, connectors: names.connectors });
  return { reading: { ...stores, past, connectors, policies, now: now.toISOString() } };
}

/** The same with the connector that a question names. Throws `not_found`. */
export async function openGraph<P extends GraphQueryPorts>(
  ports: P,
  workspace: WorkspaceId,
  connectorId: string,
  now: Date,
): Promise<OpenGraph<P> & { readonly connector: Connector }> {
  const { reading } = await openWorkspace(ports, workspace, now);
  return { reading, connector: connectorIn(reading, connectorId) };
}

/** The same with the connector that a question names, or null if it names none. Throws `not_found`. */
export async function openNamedGraph<P extends GraphQueryPorts>(
  ports: P,
  workspace: WorkspaceId,
  connectorId: string | undefined,
  now: Date,
): Promise<OpenGraph<P> & { readonly connector: Connector | null }> {
  const { reading } = await openWorkspace(ports, workspace, now);
  return { reading, connector: connectorId === undefined ? null : connectorIn(reading, connectorId) };
}

function connectorIn({ connectors }: Pick<TraversalPorts, 'connectors'>, connectorId: string): Connector {
  const connector = [...connectors.values()].find(({ id }) => id === connectorId);
  if (!connector) throw new Problem('not_found');
  return connector;
}
