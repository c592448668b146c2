import * as v from 'valibot';
import { anyId, Cost, count, pageCursor, providerTypeName, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, PageQuery, servedBy, WorkspaceQuery } from './route.ts';
import { statementKinds } from './vocabulary.ts';

const { pattern, patterns: patternCount, patternCharacters, rules, engines, filtersBytes } = limits.policy;

const patterns = v.pipe(v.array(text(pattern)), v.maxLength(patternCount));

const SchemaScope = v.strictObject({ include: patterns, exclude: patterns });

const ruleFields = {
  provider_type: text(limits.policy.providerType),
  engines: v.optional(v.pipe(v.array(text(limits.policy.engine)), v.maxLength(engines))),
};

const ProviderRule = v.variant('action', [
  v.strictObject({ ...ruleFields, action: v.literal('include'), schema_scope: v.optional(SchemaScope) }),
  v.strictObject({ ...ruleFields, action: v.literal('exclude') }),
]);
export type ProviderRule = v.InferOutput<typeof ProviderRule>;

/** C-POLICY-7 to C-POLICY-11: what a connector's lineage policy filters. */
export const PolicyFilters = v.strictObject({
  schema_scope: SchemaScope,
  principals: v.strictObject({
    mode: v.picklist(['exclude', 'include']),
    patterns,
    unmatched: v.picklist(['admit', 'suppress']),
  }),
  statement_kinds: v.pipe(v.array(v.picklist(statementKinds)), v.maxLength(patternCount)),
  provider_rules: v.pipe(v.array(ProviderRule), v.maxLength(rules)),
});
export type PolicyFilters = v.InferOutput<typeof PolicyFilters>;

const weight = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The weight of one piece of evidence by the class of its source, and by type if one has its own: C-EVIDENCE-3. */
export const FusionWeights = v.objectWithRest(
  { declared: weight, openlineage: weight, catalog: weight, query_log: weight },
  weight,
);
export type FusionWeights = v.InferOutput<typeof FusionWeights>;

/** Weights that are left out stay as they are. Null gives a type the weight of its class again, and a class its default. */
const WeightChange = v.pipe(v.record(providerTypeName, v.nullable(weight)), v.maxEntries(rules));
export type WeightChange = v.InferOutput<typeof WeightChange>;

export const recountStates = ['pending', 'running', 'done'] as const;

export const PolicyRepair = v.object({
  repair_started: v.boolean(),
  state: v.picklist(recountStates),
  evidence_total: count,
  evidence_checked: count,
  admitted: count,
  suppressed: count,
  updated_at: v.nullable(timestamp),
});
export type PolicyRepair = v.InferOutput<typeof PolicyRepair>;

const revisionFields = {
  revision: count,
  policy_hash: v.string(),
  /** Null of revision 0, which nobody made. */
  created_at: v.nullable(timestamp),
  created_by: v.nullable(v.string()),
  filters: PolicyFilters,
  fusion_weights: FusionWeights,
};

export const LineagePolicy = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  ...revisionFields,
  safe_defaults: PolicyFilters,
  repair: PolicyRepair,
});
export type LineagePolicy = v.InferOutput<typeof LineagePolicy>;

export const LineagePolicyRevisions = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  items: v.array(v.object(revisionFields)),
  next_cursor: v.nullable(v.string()),
});
export type LineagePolicyRevisions = v.InferOutput<typeof LineagePolicyRevisions>;

/** C-POLICY-14: an answer holds every name to all patterns. */
function fewCharacters({ schema_scope, principals, provider_rules }: PolicyFilters): boolean {
  const ofRules = provider_rules.flatMap((rule) => ('schema_scope' in rule ? (rule.schema_scope ?? []) : []));
  const scopes = [schema_scope, ...ofRules].flatMap(({ include, exclude }) => [...include, ...exclude]);
  const all = [...scopes, ...principals.patterns];
  return all.reduce((sum, one) => sum + [...one].length, 0) <= patternCharacters;
}

/** One item of the table holds a whole revision. */
const fitsAnItem = (filters: PolicyFilters): boolean =>
  new TextEncoder().encode(JSON.stringify(filters)).byteLength <= filtersBytes;

export const PutPolicy = v.strictObject({
  workspace_id: anyId,
  filters: v.pipe(
    PolicyFilters,
    v.check(fewCharacters, `must have at most ${patternCharacters} characters in all patterns together`),
    v.check(fitsAnItem, `must have at most ${filtersBytes} bytes as JSON in UTF-8`),
  ),
  fusion_weights: v.optional(WeightChange),
  expected_revision: v.optional(count),
});
export type PutPolicy = v.InferOutput<typeof PutPolicy>;

const path = '/v1/connectors/{connector_id}/lineage-policy';
const policy = { description: 'The policy that holds, and how far its recount has come.', schema: LineagePolicy };

/** What lineage a connector admits: C-POLICY-1 to C-POLICY-6. */
export const policyRoutes = servedBy('policy', {
  getPolicy: {
    method: 'GET',
    path,
    summary: 'Returns the lineage policy of a connector.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 200: policy },
  },
  putPolicy: {
    method: 'PUT',
    path,
    summary: 'Creates a new revision of the lineage policy of a connector, effective immediately.',
    access: { ...adminAccess, workspace: 'body' },
    body: { kind: 'json', schema: PutPolicy, maxBytes: limits.json.bodyBytes },
    replies: { 200: policy },
    problems: ['conflict'],
  },
  listPolicyRevisions: {
    method: 'GET',
    path: `${path}/revisions`,
    summary: 'Lists the revisions of the lineage policy of a connector, newest first.',
    access: adminAccess,
    query: PageQuery,
    replies: { 200: { description: 'A page of revisions.', schema: LineagePolicyRevisions } },
  },
} as const satisfies FunctionRoutes);

/** C-POLICY-15: a policy that is not set. */
const PreviewPolicy = v.strictObject({
  ...v.omit(PutPolicy, ['expected_revision']).entries,
  cursor: pageCursor,
});

const status = v.picklist(['active', 'stale']);
const Evaluated = v.object({ status, confidence: v.number() });

/** What a policy would change of a part of the graph. */
export const PolicyPreview = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  revision: count,
  edges_compared: count,
  /** Edges that are active now and would be stale, those that would be active again, and those of another confidence. */
  hidden: count,
  shown: count,
  weighed: count,
  items: v.array(
    v.object({
      change: v.picklist(['hidden', 'shown', 'weighed']),
      upstream: v.string(),
      downstream: v.string(),
      before: Evaluated,
      after: Evaluated,
      dispositions: v.array(v.string()),
    }),
  ),
  /** Further changes that are counted and not listed. */
  unlisted: count,
  /** Whether there is more than the items: by the limit of reads (C-LIMIT-13) or otherwise. */
  truncated: v.object({ any: v.boolean(), by_requests: v.boolean() }),
  /** The next part of the graph; null at its end. */
  next_cursor: v.nullable(v.string()),
  cost: Cost,
});
export type PolicyPreview = v.InferOutput<typeof PolicyPreview>;

/** What a policy would change before it is set: C-POLICY-15. */
export const policyPreviewRoutes = servedBy('diff', {
  previewPolicy: {
    method: 'POST',
    path: '/v1/connectors/{connector_id}/lineage-policy/preview',
    summary: 'Previews which edges a policy would hide, show or weigh differently. Changes nothing.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    readsGraph: true,
    body: { kind: 'json', schema: PreviewPolicy, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'What would change of a part of the graph.', schema: PolicyPreview } },
  },
} as const satisfies FunctionRoutes);
