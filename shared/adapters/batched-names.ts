import DataLoader from 'dataloader';
import type { WorkspaceId } from '../contract/ids.ts';
import type { Names } from '../domain/naming/graph-record.ts';
import type { NamesReader } from '../domain/naming/ports.ts';

/** Reads a workspace's names once for all who ask in one turn of the event loop; no answer is older than its question. */
export function batchedNames(read: NamesReader): NamesReader {
  const names = new DataLoader<WorkspaceId, Names>(
    async (workspaces) => {
      const found = new Map([...new Set(workspaces)].map((workspace) => [workspace, read(workspace)]));
      return Promise.all(workspaces.map((workspace) => found.get(workspace) ?? read(workspace)));
    },
    { cache: false },
  );
  return (workspace) => names.load(workspace);
}
