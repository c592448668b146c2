import type { agentArtifactRoutes } from '../../shared/contract/agent-artifacts.ts';
import { diffArtifact } from '../../shared/domain/agents/artifacts/diff-artifact.ts';
import {
  type ArtifactPorts,
  createArtifact,
  requireArtifact,
  setArtifactStatus,
  showArtifact,
} from '../../shared/domain/agents/artifacts/keep-artifact.ts';
import { listArtifacts } from '../../shared/domain/agents/artifacts/list-artifacts.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const artifactImplementations = (ports: ArtifactPorts): Implementations<typeof agentArtifactRoutes> => ({
  createArtifact: async ({ workspace, caller: { userId }, body }) => createArtifact(ports, { workspace, userId }, body),
  listArtifacts: async ({ workspace, query }) => {
    const { kind = null, status = null, path = null, tool_run_id: toolRunId = null, limit, cursor } = query;
    return listArtifacts(ports, workspace, { kind, status, path, toolRunId, limit, cursor });
  },
  getArtifact: async ({ workspace, params }) => {
    const { record } = await requireArtifact(ports.artifacts, workspace, params.artifact_id);
    return showArtifact(ports, record);
  },
  patchArtifact: async ({ workspace, caller: { userId }, params, body }) =>
    setArtifactStatus(ports, { workspace, userId }, params.artifact_id, body.status),
  diffArtifact: async ({ workspace, params }) => diffArtifact(ports, workspace, params.artifact_id),
});
