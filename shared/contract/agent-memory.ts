import * as v from 'valibot';
import { anyId, count, orNull, pageOf, paging, text, textUpTo, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import {
  editorAccess,
  type FunctionRoutes,
  type Route,
  servedBy,
  viewerAccess,
  WorkspaceBody,
  WorkspaceQuery,
} from './route.ts';

export const memoryTypes = ['correction', 'definition', 'preference', 'caveat', 'semantic_correction'] as const;
export type MemoryType = (typeof memoryTypes)[number];
export const memoryScopes = ['personal', 'team', 'workspace'] as const;
const memorySources = [
  'user_feedback',
  'query_success',
  'query_repair',
  'insight_feedback',
  'dreaming',
  'consolidation',
] as const;
export const memoryStatuses = ['pending', 'approved', 'rejected', 'dismissed', 'superseded'] as const;

const bounds = limits.memory;
export const GenerateMemory = v.strictObject({
  workspace_id: anyId,
  correction_text: orNull(textUpTo(bounds.correction)),
  limit: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(bounds.candidates.min), v.maxValue(bounds.candidates.max)),
    bounds.candidates.default,
  ),
  query_request_id: orNull(text(200)),
});
export type GenerateMemory = v.InferOutput<typeof GenerateMemory>;

export const ApproveMemory = v.strictObject({
  content: orNull(text(bounds.correction)),
  memory_type: orNull(v.picklist(memoryTypes)),
  scope: orNull(v.picklist(memoryScopes)),
  tags: orNull(v.pipe(v.array(textUpTo(bounds.tag)), v.maxLength(bounds.tags))),
  target_key: orNull(textUpTo(bounds.targetKey)),
  target_type: orNull(textUpTo(bounds.targetType)),
  title: orNull(text(bounds.title)),
});
export type ApproveMemory = v.InferOutput<typeof ApproveMemory>;

const nullable = v.nullable(v.string());
export const MemoryCandidate = v.object({
  id: v.string(),
  workspace_id: v.string(),
  approved_memory_id: nullable,
  confidence: v.number(),
  content: v.string(),
  created_at: timestamp,
  created_by: v.string(),
  dedupe_key: v.string(),
  evidence_count: count,
  evidence_refs: v.record(v.string(), v.unknown()),
  memory_type: v.picklist(memoryTypes),
  query_request_id: nullable,
  rationale: v.string(),
  review_after: v.nullable(timestamp),
  reviewed_at: v.nullable(timestamp),
  reviewed_by: nullable,
  scope: v.picklist(memoryScopes),
  source: v.picklist(memorySources),
  status: v.picklist(memoryStatuses),
  supersedes_memory_id: nullable,
  tags: v.array(v.string()),
  target_key: nullable,
  target_type: nullable,
  title: v.string(),
});
export type MemoryCandidate = v.InferOutput<typeof MemoryCandidate>;

export const MemoryPage = pageOf(MemoryCandidate);

const CandidatesQuery = v.object({
  workspace_id: anyId,
  status: v.optional(v.picklist(memoryStatuses)),
  ...paging,
});
export const MemoryQuery = v.object({
  workspace_id: anyId,
  target_type: v.optional(text(bounds.targetType)),
  target_key: v.optional(text(bounds.targetKey)),
  q: v.optional(text(200)),
  scope: v.optional(v.picklist(memoryScopes)),
  ...paging,
});

const path = '/v1/agent/memory';
const page = { description: 'A page of candidates.', schema: MemoryPage };
const deciding = {
  method: 'POST',
  access: { ...editorAccess, workspace: 'query' },
  query: WorkspaceQuery,
  replies: { 200: { description: 'The candidate, decided.', schema: MemoryCandidate } },
  problems: ['conflict'],
} as const satisfies Partial<Route>;

/** What agents remember: C-MEMORY-1 to C-MEMORY-5. */
export const agentMemoryRoutes = servedBy('agent', {
  listCandidates: {
    method: 'GET',
    path: `${path}/candidates`,
    summary: 'Lists candidates for memory, newest first.',
    access: viewerAccess,
    query: CandidatesQuery,
    replies: { 200: page },
  },
  generateCandidates: {
    method: 'POST',
    path: `${path}/candidates/generate`,
    summary: 'Creates memory candidates from a correction by fixed rules, without a language model.',
    access: editorAccess,
    body: { kind: 'json', schema: GenerateMemory, maxBytes: limits.json.bodyBytes },
    replies: { 200: page },
    problems: ['conflict'],
  },
  approveCandidate: {
    ...deciding,
    path: `${path}/candidates/{candidate_id}/approve`,
    summary: 'Approves a candidate, with optional edits.',
    body: { kind: 'json', schema: ApproveMemory, maxBytes: limits.json.bodyBytes, optional: true },
  },
  rejectCandidate: {
    ...deciding,
    path: `${path}/candidates/{candidate_id}/reject`,
    summary: 'Rejects a candidate as wrong.',
  },
  dismissCandidate: {
    ...deciding,
    path: `${path}/candidates/{candidate_id}/dismiss`,
    summary: 'Dismisses a candidate as not worth remembering.',
  },
  listMemory: {
    method: 'GET',
    path,
    summary: 'Finds approved memories by target, scope and text.',
    access: viewerAccess,
    query: MemoryQuery,
    replies: { 200: page },
  },
  supersedeMemory: {
    method: 'POST',
    path: `${path}/{memory_id}/supersede`,
    summary: 'Marks a memory as superseded.',
    access: editorAccess,
    body: { kind: 'json', schema: WorkspaceBody, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The memory, superseded.', schema: MemoryCandidate } },
    problems: ['conflict'],
  },
} as const satisfies FunctionRoutes);
