import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { ArtifactDiff } from '../../../contract/agent-artifacts.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type ArtifactPorts, requireArtifact, showArtifact } from './keep-artifact.ts';

/** Compares the text of an artifact with its parent's, or with nothing if it has none. Throws `not_found`. */
export async function diffArtifact(
  reader: Pick<ArtifactPorts, 'artifacts' | 'contents'>,
  workspace: WorkspaceId,
  id: string,
): Promise<ArtifactDiff> {
  const artifact = await showArtifact(reader, (await requireArtifact(reader.artifacts, workspace, id)).record);
  const known = artifact.parent_artifact_id && (await reader.artifacts.find(workspace, artifact.parent_artifact_id));
  const parent = known ? await showArtifact(reader, known.record) : null;
  const names = [
    parent ? `${artifact.path} (version ${parent.version})` : '/dev/null',
    `${artifact.path} (version ${artifact.version})`,
  ] as const;
  const unified = createTwoFilesPatch(...names, parent?.content ?? '', artifact.content, '', '', {
    headerOptions: FILE_HEADERS_ONLY,
  });
  return { parent_artifact_id: artifact.parent_artifact_id, unified };
}
