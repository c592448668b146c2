import { WorkspaceQuery } from '../access.ts';
import {
  ApproveMemory,
  CandidateParams,
  CandidatesQuery,
  GenerateMemory,
  MemoryCandidate,
  MemoryPage,
  MemoryParams,
  MemoryQuery,
  SupersedeMemory,
} from '../agent-memory.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const reading = { kind: 'member', scope: 'read', role: 'viewer', workspace: 'query' } as const;
const writing = { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' } as const;
const path = '/v1/agent/memory';
const page = { description: 'A page of candidates.', schema: MemoryPage };
const deciding = {
  method: 'POST',
  function: 'agent',
  access: { ...writing, workspace: 'query' },
  params: CandidateParams,
  query: WorkspaceQuery,
  replies: { 200: { description: 'The candidate, decided.', schema: MemoryCandidate } },
  problems: ['not_found', 'conflict', 'insufficient_workspace_role'],
} as const satisfies Partial<Route>;

/** What agents remember: C-MEMORY-1 to C-MEMORY-5. */
export const agentMemoryRoutes = {
  listCandidates: {
    method: 'GET',
    path: `${path}/candidates`,
    function: 'agent',
    summary: 'Lists candidates for memory, newest first.',
    access: reading,
    query: CandidatesQuery,
    replies: { 200: page },
    problems: [],
  },
  generateCandidates: {
    method: 'POST',
    path: `${path}/candidates/generate`,
    function: 'agent',
    summary: 'Makes candidates of a correction, by rules alone: no language model is asked.',
    access: writing,
    body: { kind: 'json', schema: GenerateMemory, maxBytes: limits.json.bodyBytes },
    replies: { 200: page },
    problems: ['conflict'],
  },
  approveCandidate: {
    ...deciding,
    path: `${path}/candidates/{candidate_id}/approve`,
    summary: 'Takes a candidate into memory, with edits.',
    body: { kind: 'json', schema: ApproveMemory, maxBytes: limits.json.bodyBytes, optional: true },
  },
  rejectCandidate: {
    ...deciding,
    path: `${path}/candidates/{candidate_id}/reject`,
    summary: 'Says that a candidate is wrong.',
  },
  dismissCandidate: {
    ...deciding,
    path: `${path}/candidates/{candidate_id}/dismiss`,
    summary: 'Says that a candidate is not worth remembering.',
  },
  listMemory: {
    method: 'GET',
    path,
    function: 'agent',
    summary: 'Finds approved memories by target, scope and words.',
    access: reading,
    query: MemoryQuery,
    replies: { 200: page },
    problems: [],
  },
  supersedeMemory: {
    method: 'POST',
    path: `${path}/{memory_id}/supersede`,
    function: 'agent',
    summary: 'Ends a memory that holds no more.',
    access: writing,
    params: MemoryParams,
    body: { kind: 'json', schema: SupersedeMemory, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The memory, superseded.', schema: MemoryCandidate } },
    problems: ['not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;
