import { ConnectorId, idOrNull, type WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { Registry } from './registry.ts';

/** The id of a connector that a read names. Throws `not_found` where the workspace has none of that id. */
export type ConnectorFinder = (workspace: WorkspaceId, text: string) => Promise<ConnectorId>;

export const connectorFinder =
  ({ connectors }: Pick<Registry, 'connectors'>): ConnectorFinder =>
  async (workspace, text) => {
    const id = idOrNull(ConnectorId, text);
    const found = id && (await connectors.find({ workspace_id: workspace, id }));
    if (!found) throw new Problem('not_found');
    return found.record.id;
  };
