import * as v from 'valibot';
import { count, documentedAs, pageOf, paging, text, textUpTo, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, servedBy } from './route.ts';

/** What a scope holds: the snapshots of a project, the design of a job or dataset, or the runs of a job. */
export const scopeKindNames = ['snapshots', 'design', 'runs'] as const;

/** One source of evidence within a feed, as it counts now: C-FORGET-1. */
export const EvidenceScope = v.object({
  scope_key: v.string(),
  kind: v.picklist(scopeKindNames),
  provider_type: v.string(),
  provider_instance_id: v.string(),
  /** Null if nothing of it counts. */
  last_observed_at: v.nullable(timestamp),
  edges: count,
  relations: count,
  /** Of a job's runs: how many are kept; null of other kinds. */
  runs: v.nullable(count),
  /** Whether there is more than was counted. */
  counts_at_least: v.boolean(),
  /** When it was last forgotten; null if it never was. */
  forgotten_at: v.nullable(timestamp),
});
export type EvidenceScope = v.InferOutput<typeof EvidenceScope>;

const ScopesQuery = v.object({
  workspace_id: text(200),
  connector_id: v.optional(text(200)),
  /** A part of the scope key, whatever its case. */
  q: v.optional(textUpTo(500)),
  ...paging,
});

/** A page may hold fewer than `limit` while there is a next one. */
export const ScopePage = pageOf(EvidenceScope);
export type ScopePage = v.InferOutput<typeof ScopePage>;

const ForgetScope = v.strictObject({
  workspace_id: text(200),
  scope_key: text(2_000),
  /** Only `false` forgets; otherwise the answer says what would be retracted. */
  dry_run: v.optional(v.pipe(v.boolean(), documentedAs({ type: 'boolean', default: true })), true),
});

export const ForgottenScope = v.object({
  workspace_id: v.string(),
  dry_run: v.boolean(),
  already_forgotten: v.boolean(),
  scope: EvidenceScope,
});
export type ForgottenScope = v.InferOutput<typeof ForgottenScope>;

/** What evidence comes from, and how it is forgotten: C-FORGET-1 to C-FORGET-6. */
export const scopeRoutes = servedBy('access', {
  listScopes: {
    method: 'GET',
    path: '/v1/lineage/scopes',
    summary: 'Lists the evidence scopes of a workspace or a connector, and how much evidence of each is active.',
    access: adminAccess,
    query: ScopesQuery,
    replies: { 200: { description: 'A page of scopes.', schema: ScopePage } },
    problems: ['not_found'],
  },
  forgetScope: {
    method: 'POST',
    path: '/v1/lineage/scopes/forget',
    summary: 'Retracts all evidence of a scope so far, or returns what that would retract.',
    access: { ...adminAccess, workspace: 'body' },
    body: { kind: 'json', schema: ForgetScope, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The scope as it was.', schema: ForgottenScope } },
    problems: ['not_found', 'conflict'],
  },
} as const satisfies FunctionRoutes);
