import { WorkspaceQuery } from '../access.ts';
import {
  AgentCheckCreateRequest,
  AgentCheckListResponse,
  AgentCheckPatchRequest,
  AgentCheckResponse,
  AgentCheckResult,
  AgentCheckResultPage,
  CheckAction,
  CheckParams,
  CheckResultsQuery,
} from '../agent-checks.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const reading = { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' } as const;
const writing = { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' } as const;
const one = { function: 'agent', params: CheckParams } as const;
const path = '/v1/agent/checks/{check_id}';
const check = { description: 'The check.', schema: AgentCheckResponse };
const action = { kind: 'json', schema: CheckAction, maxBytes: limits.json.bodyBytes } as const;

/** What agents expect of the graph: C-CHECK-1 to C-CHECK-8. */
export const agentCheckRoutes = {
  listChecks: {
    method: 'GET',
    path: '/v1/agent/checks',
    function: 'agent',
    summary: 'Lists the checks of a workspace.',
    access: reading,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The checks.', schema: AgentCheckListResponse } },
    problems: [],
  },
  createCheck: {
    method: 'POST',
    path: '/v1/agent/checks',
    function: 'agent',
    summary: 'Makes a check of the graph.',
    access: writing,
    body: { kind: 'json', schema: AgentCheckCreateRequest, maxBytes: limits.json.bodyBytes },
    replies: { 201: check },
    problems: ['conflict'],
  },
  patchCheck: {
    ...one,
    method: 'PATCH',
    path,
    summary: 'Changes a check; what changes it is another version of its definition.',
    access: writing,
    body: { kind: 'json', schema: AgentCheckPatchRequest, maxBytes: limits.json.bodyBytes },
    replies: { 200: check },
    problems: ['not_found', 'conflict'],
  },
  deleteCheck: {
    ...one,
    method: 'DELETE',
    path,
    summary: 'Removes a check.',
    access: { ...writing, workspace: 'query' },
    query: WorkspaceQuery,
    replies: { 204: { description: 'Removed.' } },
    problems: ['not_found', 'conflict'],
  },
  acceptCheck: {
    ...one,
    method: 'POST',
    path: `${path}/accept`,
    summary: 'Takes the graph as it is for what the check compares with.',
    access: writing,
    body: action,
    replies: { 200: check },
    problems: ['not_found', 'conflict'],
  },
  runCheck: {
    ...one,
    method: 'POST',
    path: `${path}/run`,
    summary: 'Evaluates a check at once.',
    access: writing,
    body: action,
    replies: { 200: { description: 'What was found.', schema: AgentCheckResult } },
    problems: ['not_found', 'conflict'],
  },
  listCheckResults: {
    ...one,
    method: 'GET',
    path: `${path}/results`,
    summary: 'Lists the results of a check, newest first.',
    access: reading,
    query: CheckResultsQuery,
    replies: { 200: { description: 'A page of results.', schema: AgentCheckResultPage } },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Route>;
