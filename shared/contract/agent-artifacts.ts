import * as v from 'valibot';
import { anyId, count, jsonObject, orNull, pageOf, paging, text, textUpTo, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { editorAccess, type FunctionRoutes, servedBy, viewerAccess, WorkspaceQuery } from './route.ts';

export const artifactKinds = [
  'dbt_model',
  'dbt_test',
  'dbt_source_yml',
  'dbt_project_file',
  'sql',
  'note',
  'pipeline_review_evidence',
  'pipeline_intent_evidence',
  'pipeline_optimization_evidence',
  'pipeline_cleanup_evidence',
  'spark_job',
  'spark_test',
  'spark_notebook',
] as const;
export const artifactStatuses = ['proposed', 'accepted', 'rejected', 'superseded'] as const;
export type ArtifactStatus = (typeof artifactStatuses)[number];

const bounds = limits.agentArtifact;
const shortAsJson = <Input>() =>
  v.check<Input, string>(
    (value) => new TextEncoder().encode(JSON.stringify(value)).byteLength <= bounds.partBytes,
    `must have at most ${bounds.partBytes} bytes as JSON in UTF-8`,
  );
const objects = (max: number) => v.pipe(v.array(jsonObject), v.maxLength(max), shortAsJson());
const kind = v.picklist(artifactKinds);

export const CreateArtifact = v.strictObject({
  workspace_id: anyId,
  tool_run_id: text(bounds.id),
  kind,
  path: text(bounds.path),
  content: v.string(),
  language: v.optional(text(bounds.language), 'sql'),
  metadata: v.optional(v.pipe(jsonObject, shortAsJson()), {}),
  execution_log: v.optional(objects(bounds.logEntries), []),
  step_id: orNull(text(bounds.id)),
  preview_columns: v.optional(
    v.pipe(v.array(textUpTo(bounds.id)), v.maxLength(bounds.previewColumns), shortAsJson()),
    [],
  ),
  preview_rows: v.optional(objects(bounds.previewRows), []),
  status: v.optional(v.picklist(['proposed', 'accepted']), 'accepted'),
});
export type CreateArtifact = v.InferOutput<typeof CreateArtifact>;

const object = v.record(v.string(), v.unknown());
export const AgentArtifact = v.object({
  id: v.string(),
  tool_run_id: v.string(),
  workspace_id: v.string(),
  kind,
  path: v.string(),
  content: v.string(),
  language: v.string(),
  metadata: object,
  execution_log: v.array(object),
  parent_artifact_id: v.nullable(v.string()),
  step_id: v.nullable(v.string()),
  preview_columns: v.array(v.string()),
  preview_rows: v.array(object),
  status: v.picklist(artifactStatuses),
  version: count,
  created_at: timestamp,
  updated_at: timestamp,
});
export type AgentArtifact = v.InferOutput<typeof AgentArtifact>;

const ArtifactsQuery = v.object({
  workspace_id: anyId,
  kind: v.optional(kind),
  status: v.optional(v.picklist(artifactStatuses)),
  path: v.optional(text(bounds.path)),
  tool_run_id: v.optional(text(bounds.id)),
  ...paging,
});
const ArtifactPage = pageOf(AgentArtifact);
const PatchArtifact = v.strictObject({ workspace_id: anyId, status: v.picklist(artifactStatuses) });

export const ArtifactDiff = v.object({
  parent_artifact_id: v.nullable(v.string()),
  /** A unified diff of the parent's content to this one's; of nothing if there is no parent. */
  unified: v.string(),
});
export type ArtifactDiff = v.InferOutput<typeof ArtifactDiff>;

const path = '/v1/agent/artifacts';
const artifact = { description: 'The artifact.', schema: AgentArtifact };

/** What agents made: C-ARTIFACT-1 to C-ARTIFACT-4. */
export const agentArtifactRoutes = servedBy('agent', {
  createArtifact: {
    method: 'POST',
    path,
    summary: 'Stores an artifact. An accepted artifact supersedes the accepted version at its path.',
    access: editorAccess,
    body: { kind: 'json', schema: CreateArtifact, maxBytes: limits.json.bodyBytes, exact: true },
    replies: { 201: artifact },
    problems: ['conflict'],
  },
  listArtifacts: {
    method: 'GET',
    path,
    summary: 'Lists artifacts, newest first.',
    access: viewerAccess,
    query: ArtifactsQuery,
    replies: { 200: { description: 'A page of artifacts.', schema: ArtifactPage } },
  },
  getArtifact: {
    method: 'GET',
    path: `${path}/{artifact_id}`,
    summary: 'Returns an artifact.',
    access: viewerAccess,
    query: WorkspaceQuery,
    replies: { 200: artifact },
  },
  patchArtifact: {
    method: 'PATCH',
    path: `${path}/{artifact_id}`,
    summary: 'Accepts, rejects or supersedes an artifact.',
    access: editorAccess,
    body: { kind: 'json', schema: PatchArtifact, maxBytes: limits.json.bodyBytes },
    replies: { 200: artifact },
    problems: ['conflict'],
  },
  diffArtifact: {
    method: 'GET',
    path: `${path}/{artifact_id}/diff`,
    summary: 'Compares the text of an artifact with its parent.',
    access: viewerAccess,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The differences.', schema: ArtifactDiff } },
  },
} as const satisfies FunctionRoutes);
