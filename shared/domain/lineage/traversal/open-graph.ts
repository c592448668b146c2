import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { bindGraph } from '../generations/graph-record.ts';
import type { NamesReader } from '../generations/ports.ts';
import type { Connector } from '../names/connector.ts';
import { type PastPorts, pastDetails } from '../past/past-details.ts';
import type { Policy } from '../policy/policy.ts';
import type { QuestionContext, TraversalPorts } from './ports.ts';

/** Dependencies for answering queries about the graph, for all workspaces. */
export type GraphSettings = {
  readonly namesOf: NamesReader;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
};

/** The readers that answer questions about any workspace's graph. */
export type GraphQueryPorts = Omit<TraversalPorts, keyof QuestionContext | 'overlay' | 'past'> &
  Omit<PastPorts, 'graph'> &
  GraphSettings;

/** Binds readers to the graph that answers, with the workspace's connectors and policies as they are now. */
export async function openGraph<P extends GraphSettings>(
  ports: P,
  workspace: WorkspaceId,
  now: Date,
): Promise<P & QuestionContext> {
  const read: { policies?: ReadonlyMap<ConnectorId, Policy> } = {};
  const names = await ports.namesOf(workspace, async (listed) => {
    read.policies = await ports.policiesOf(workspace, listed);
  });
  const connectors = new Map(names.connectors.map((one) => [one.id, one]));
  // A reader that serves several at once reads nothing alongside.
  const policies = read.policies ?? (await ports.policiesOf(workspace, [...connectors.keys()]));
  return { ...bindGraph(ports, workspace, names), connectors, policies, now: now.toISOString() };
}

/** Opens the graph with its past: statements that newer ones have replaced since can be read. */
export async function openGraphWithPast<P extends GraphQueryPorts>(
  ports: P,
  workspace: WorkspaceId,
  now: Date,
): Promise<P & TraversalPorts> {
  const reading = await openGraph(ports, workspace, now);
  return { ...reading, past: pastDetails(reading, { workspace, connectors: [...reading.connectors.values()] }) };
}

/** The connector that a question names. Throws `not_found`. */
export function connectorIn({ connectors }: Pick<TraversalPorts, 'connectors'>, connectorId: string): Connector {
  const connector = [...connectors.values()].find(({ id }) => id === connectorId);
  if (!connector) throw new Problem('not_found');
  return connector;
}

/** The same if the question names a connector, else null. */
export const namedConnector = (
  reading: Pick<TraversalPorts, 'connectors'>,
  id: string | undefined,
): Connector | null => (id === undefined ? null : connectorIn(reading, id));
