import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import { type NamesReader, openedGraph } from '../generations/graph-record.ts';
import type { Connector } from '../names/connector.ts';
import { type PastReader, pastDetails } from '../past/past-details.ts';
import type { Policy } from '../policy/policy.ts';
import type { Cost, GraphQuery, IsSpent, Metering, QueryContext, Traversal } from './graph-view.ts';

/** Reads a workspace's names and policies, which a graph is opened with. */
export type GraphSettings = {
  readonly namesOf: NamesReader;
  readonly policiesOf: (
    workspace: WorkspaceId,
    connectors: readonly ConnectorId[],
  ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
};

/** The stores and settings that a query with the graph's past needs. */
export type QueryReader = GraphQuery<Traversal | 'sources' | 'unfinished'>['reader'] & PastReader & GraphSettings;

const neverSpent: IsSpent = () => false;

export async function openGraph<R extends GraphSettings>(
  reader: R,
  workspace: WorkspaceId,
  now: Date,
  isSpent = neverSpent,
): Promise<{ readonly reader: R; readonly context: QueryContext }> {
  const read: { policies?: ReadonlyMap<ConnectorId, Policy> } = {};
  const names = await reader.namesOf(workspace, async (listed) => {
    read.policies = await reader.policiesOf(workspace, listed);
  });
  const connectors = new Map(names.connectors.map((one) => [one.id, one]));
  // A reader that serves several at once reads nothing alongside.
  const policies = read.policies ?? (await reader.policiesOf(workspace, [...connectors.keys()]));
  return {
    reader,
    context: { ...openedGraph(workspace, names), connectors, policies, now: now.toISOString(), isSpent },
  };
}

export async function openGraphWithPast<R extends QueryReader>(
  reader: R,
  workspace: WorkspaceId,
  now: Date,
  isSpent?: IsSpent,
): Promise<GraphQuery & { readonly reader: R }> {
  const query = await openGraph(reader, workspace, now, isSpent);
  return { ...query, past: pastDetails(query, workspace) };
}

/** Whether an answer has used a share of its limit of reads (C-LIMIT-13). */
export const limitedTo =
  (spent: () => Cost): IsSpent =>
  (share = 1) => {
    const { requests, read_units } = spent();
    return requests >= share * limits.answer.requests || read_units >= share * limits.answer.readUnits;
  };

/** Answers a query about a workspace's graph and its past within the limit of reads, and reports their cost. */
export async function answerMetered<R extends QueryReader & { readonly metering: Metering }, T extends object>(
  reader: R,
  { workspace, now }: { readonly workspace: WorkspaceId; readonly now: Date },
  answer: (query: GraphQuery & { readonly reader: R }) => Promise<T>,
): Promise<T & { readonly cost: Cost }> {
  const metered = await reader.metering(async (spent) =>
    answer(await openGraphWithPast(reader, workspace, now, limitedTo(spent))),
  );
  return { ...metered.answer, cost: metered.cost };
}

type OfConnectors = { readonly context: Pick<QueryContext, 'connectors'> };

/** The connector that a question names. Throws `not_found`. */
export function connectorIn({ context }: OfConnectors, connectorId: string): Connector {
  const connector = [...context.connectors.values()].find(({ id }) => id === connectorId);
  if (!connector) throw new Problem('not_found');
  return connector;
}

/** The same if the question names a connector, else null. */
export const namedConnector = (query: OfConnectors, id: string | undefined): Connector | null =>
  id === undefined ? null : connectorIn(query, id);
