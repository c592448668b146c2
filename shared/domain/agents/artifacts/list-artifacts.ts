import * as v from 'valibot';
import type { AgentArtifact } from '../../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type BoundList, readCursor, writeCursor } from '../../base/paging/cursor.ts';
import type { ArtifactFilter } from './artifact.ts';
import { type ArtifactPorts, showArtifact } from './keep-artifact.ts';

type ListRequest = ArtifactFilter & {
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** An answer holds so much content, and the page ends there. */
const contentPerPage = 2_000_000;

export async function listArtifacts(
  ports: Pick<ArtifactPorts, 'artifacts' | 'contents'>,
  workspace: WorkspaceId,
  { limit, cursor, ...filter }: ListRequest,
): Promise<{ workspace_id: string; items: AgentArtifact[]; next_cursor: string | null }> {
  const list: BoundList = ['artifacts', workspace, filter.kind, filter.status, filter.path, filter.toolRunId];
  const after = readCursor(list, v.string(), cursor);
  const found = await ports.artifacts.list(workspace, { ...filter, limit, after });
  const items: AgentArtifact[] = [];
  let bytes = 0;
  let next = found.next;
  for (const [i, artifact] of found.items.entries()) {
    bytes += artifact.content_bytes;
    if (i > 0 && bytes > contentPerPage) {
      const last = found.items[i - 1];
      next = last ? placeOf(last) : null;
      break;
    }
    items.push(await showArtifact(ports, artifact));
  }
  return { workspace_id: workspace, items, next_cursor: next === null ? null : writeCursor(list, next) };
}

/** Where an artifact is in the list of its workspace. */
export const placeOf = ({ created_at, id }: Pick<AgentArtifact, 'created_at' | 'id'>): string => `${created_at}#${id}`;
