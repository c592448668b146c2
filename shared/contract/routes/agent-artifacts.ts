import { WorkspaceQuery } from '../access.ts';
import {
  AgentArtifact,
  ArtifactDiff,
  ArtifactDiffQuery,
  ArtifactPage,
  ArtifactParams,
  ArtifactsQuery,
  CreateArtifact,
  PatchArtifact,
} from '../agent-artifacts.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const reading = { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' } as const;
const writing = { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' } as const;
const path = '/v1/agent/artifacts';
const artifact = { description: 'The artifact.', schema: AgentArtifact };

/** What agents made: C-ARTIFACT-1 to C-ARTIFACT-4. */
export const agentArtifactRoutes = {
  createArtifact: {
    method: 'POST',
    path,
    function: 'agent',
    summary: 'Keeps an artifact; an accepted one supersedes the accepted version of its path.',
    access: writing,
    body: { kind: 'json', schema: CreateArtifact, maxBytes: limits.json.bodyBytes },
    replies: { 201: artifact },
    problems: ['conflict'],
  },
  listArtifacts: {
    method: 'GET',
    path,
    function: 'agent',
    summary: 'Lists artifacts, newest first.',
    access: reading,
    query: ArtifactsQuery,
    replies: { 200: { description: 'A page of artifacts.', schema: ArtifactPage } },
    problems: [],
  },
  getArtifact: {
    method: 'GET',
    path: `${path}/{artifact_id}`,
    function: 'agent',
    summary: 'Returns an artifact.',
    access: reading,
    params: ArtifactParams,
    query: WorkspaceQuery,
    replies: { 200: artifact },
    problems: ['not_found'],
  },
  patchArtifact: {
    method: 'PATCH',
    path: `${path}/{artifact_id}`,
    function: 'agent',
    summary: 'Accepts, rejects or supersedes an artifact.',
    access: writing,
    params: ArtifactParams,
    body: { kind: 'json', schema: PatchArtifact, maxBytes: limits.json.bodyBytes },
    replies: { 200: artifact },
    problems: ['not_found', 'conflict'],
  },
  diffArtifact: {
    method: 'GET',
    path: `${path}/{artifact_id}/diff`,
    function: 'agent',
    summary:
      'Compares an artifact with its parent, as text and as lineage, and says what its SQL would change of the live graph and break downstream.',
    access: reading,
    params: ArtifactParams,
    query: ArtifactDiffQuery,
    replies: { 200: { description: 'What is different.', schema: ArtifactDiff } },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Route>;
