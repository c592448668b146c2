import * as v from 'valibot';
import { Claim } from './claim.ts';
import { anyId, count, orNull, pageOf, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import {
  editorAccess,
  type FunctionRoutes,
  PageQuery,
  servedBy,
  viewerAccess,
  WorkspaceBody,
  WorkspaceQuery,
} from './route.ts';
import { severities } from './vocabulary.ts';

const bounds = limits.agentCheck;
const patterns = v.optional(v.pipe(v.array(text(bounds.pattern)), v.maxLength(bounds.patterns)), []);

/** Globs over `relation_ref`s; an empty `include` is every relation, and exclusion wins. */
export const AgentCheckScope = v.strictObject({ include: patterns, exclude: patterns });
export type AgentCheckScope = v.InferOutput<typeof AgentCheckScope>;

const name = text(bounds.name);
const expectation = text(bounds.expectation);
const severity = v.picklist(severities);
export const AgentCheckCreateRequest = v.strictObject({
  workspace_id: anyId,
  name,
  expectation,
  enabled: v.optional(v.boolean(), true),
  severity: v.optional(severity, 'warning'),
  scope: v.optional(AgentCheckScope, { include: [], exclude: [] }),
});
export type AgentCheckCreateRequest = v.InferOutput<typeof AgentCheckCreateRequest>;

/** What is null or left out stays as it is. */
export const AgentCheckPatchRequest = v.strictObject({
  workspace_id: anyId,
  name: orNull(name),
  expectation: orNull(expectation),
  enabled: orNull(v.boolean()),
  severity: orNull(severity),
  scope: orNull(AgentCheckScope),
});
export type AgentCheckPatchRequest = v.InferOutput<typeof AgentCheckPatchRequest>;

const list = v.array(v.string());
export const AgentCheckResponse = v.object({
  id: v.string(),
  workspace_id: v.string(),
  name: v.string(),
  expectation: v.string(),
  enabled: v.boolean(),
  severity,
  scope: v.object({ include: list, exclude: list }),
  definition_version: count,
  created_at: v.nullable(timestamp),
  created_by: v.nullable(v.string()),
  updated_at: v.nullable(timestamp),
  updated_by: v.nullable(v.string()),
});
export type AgentCheckResponse = v.InferOutput<typeof AgentCheckResponse>;

export const AgentCheckListResponse = v.object({ agent_checks: v.array(AgentCheckResponse), max_enabled: count });

export const checkStates = ['passed', 'failed', 'not_evaluated', 'error'] as const;

const CheckViolation = v.object({
  relation_ref: v.optional(v.string()),
  column: v.optional(v.string()),
  message: v.string(),
});

export const AgentCheckResult = v.object({
  id: v.string(),
  check_id: v.string(),
  definition_version: count,
  state: v.picklist(checkStates),
  severity,
  evaluated_at: timestamp,
  /** Since when the check is in this state. */
  since: timestamp,
  /** The delivery that was projected before; null of an evaluation that none caused. */
  delivery_id: v.nullable(v.string()),
  violations: v.array(CheckViolation),
  violations_total: count,
  /** What the result proves: C-CHECK-11. Absent of results from before there were claims. */
  claim: v.optional(Claim),
});
export type AgentCheckResult = v.InferOutput<typeof AgentCheckResult>;

export const AgentCheckResultPage = pageOf(AgentCheckResult);

const path = '/v1/agent/checks/{check_id}';
const check = { description: 'The check.', schema: AgentCheckResponse };
const action = { kind: 'json', schema: WorkspaceBody, maxBytes: limits.json.bodyBytes } as const;

/** What agents expect of the graph: C-CHECK-1 to C-CHECK-8. */
export const agentCheckRoutes = servedBy('agent', {
  listChecks: {
    method: 'GET',
    path: '/v1/agent/checks',
    summary: 'Lists the checks of a workspace.',
    access: viewerAccess,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The checks.', schema: AgentCheckListResponse } },
  },
  createCheck: {
    method: 'POST',
    path: '/v1/agent/checks',
    summary: 'Creates a check of the graph.',
    access: editorAccess,
    body: { kind: 'json', schema: AgentCheckCreateRequest, maxBytes: limits.json.bodyBytes },
    replies: { 201: check },
    problems: ['conflict'],
  },
  patchCheck: {
    method: 'PATCH',
    path,
    summary: 'Updates a check. Each change creates a new version of its definition.',
    access: editorAccess,
    body: { kind: 'json', schema: AgentCheckPatchRequest, maxBytes: limits.json.bodyBytes },
    replies: { 200: check },
    problems: ['conflict'],
  },
  deleteCheck: {
    method: 'DELETE',
    path,
    summary: 'Deletes a check.',
    access: { ...editorAccess, workspace: 'query' },
    query: WorkspaceQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['conflict'],
  },
  acceptCheck: {
    method: 'POST',
    path: `${path}/accept`,
    summary: 'Makes the current graph the baseline of the check.',
    access: editorAccess,
    body: action,
    replies: { 200: check },
    problems: ['conflict'],
  },
  runCheck: {
    method: 'POST',
    path: `${path}/run`,
    summary: 'Evaluates a check immediately.',
    access: editorAccess,
    readsGraph: true,
    body: action,
    replies: { 200: { description: 'The result of the evaluation.', schema: AgentCheckResult } },
    problems: ['conflict'],
  },
  listCheckResults: {
    method: 'GET',
    path: `${path}/results`,
    summary: 'Lists the results of a check, newest first.',
    access: viewerAccess,
    query: PageQuery,
    replies: { 200: { description: 'A page of results.', schema: AgentCheckResultPage } },
  },
} as const satisfies FunctionRoutes);
