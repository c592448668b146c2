import DataLoader from 'dataloader';
import type { WorkspaceId } from '../contract/ids.ts';
import type { Connector } from '../domain/identity/connector.ts';

type List = (workspace: WorkspaceId) => Promise<readonly Connector[]>;

/** Lists a workspace's connectors once for all who ask in one turn of the event loop; no answer is older than its question. */
export function batchedConnectors(list: List): List {
  const lists = new DataLoader<WorkspaceId, readonly Connector[]>(
    async (workspaces) => {
      const read = new Map([...new Set(workspaces)].map((workspace) => [workspace, list(workspace)]));
      return Promise.all(workspaces.map((workspace) => read.get(workspace) ?? []));
    },
    { cache: false },
  );
  return (workspace) => lists.load(workspace);
}
