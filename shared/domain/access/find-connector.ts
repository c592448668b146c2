import { ConnectorId, idOrNull, type WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { Connector } from '../identity/connector.ts';
import type { Registry } from './registry.ts';

type Connectors = { readonly connectors: Pick<Registry['connectors'], 'find'> };

/** The connector that a request names; null where the workspace has none of that id. */
export async function findConnector(
  { connectors }: Connectors,
  workspace: WorkspaceId,
  text: string,
): Promise<Connector | null> {
  const id = idOrNull(ConnectorId, text);
  const found = id && (await connectors.find({ workspace_id: workspace, id }));
  return found?.record ?? null;
}

/** The id of a connector that a read names. Throws `not_found` where the workspace has none of that id. */
export type ConnectorFinder = (workspace: WorkspaceId, text: string) => Promise<ConnectorId>;

export const connectorFinder =
  (registry: Connectors): ConnectorFinder =>
  async (workspace, text) => {
    const found = await findConnector(registry, workspace, text);
    if (!found) throw new Problem('not_found');
    return found.id;
  };
