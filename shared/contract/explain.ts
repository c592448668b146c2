import * as v from 'valibot';
import { Claim } from './claim.ts';
import { Cost, text, timestamp } from './fields.ts';
import { ImpactAnswer, ImpactQuery, transformation } from './impact.ts';
import { LineageResolution } from './relations.ts';
import { type FunctionRoutes, type Route, servedBy, viewerAccess } from './route.ts';
import { judgement } from './verdicts.ts';
import { deliveryKinds, statementKinds } from './vocabulary.ts';

/** Which edge is to be explained, as impact names it; `column_ref` limits the columns to those that it takes part in. Without `connector_id`: C-IDENTITY-16. */
const ExplainQuery = v.object({
  workspace_id: text(200),
  connector_id: v.optional(text(200)),
  upstream: text(2_000),
  downstream: text(2_000),
  column_ref: v.optional(text(500)),
  as_of: v.optional(v.pipe(v.string(), v.isoTimestamp())),
});

const End = v.object({ relation_ref: v.string(), lineage_resolution: LineageResolution });

/** Why a piece of evidence counts, or does not. */
const Why = v.object({
  message: v.string(),
  /** The connector whose policy or setting decided; null where every policy admits it. */
  connector_id: v.nullable(v.string()),
  policy_revision: v.nullable(v.number()),
  /** JSON pointer into that policy revision's `filters`, or the connector's setting; null where every policy admits it. */
  rule: v.nullable(v.string()),
});

/** One statement of the payload that makes up the evidence. */
const SaidBy = v.object({
  kind: v.picklist(['sql', 'facet', 'inputs_and_outputs', 'declared_dependency', 'catalog_entry']),
  name: v.nullable(v.string()),
  /** JSON pointer into the payload. */
  pointer: v.string(),
});

const Delivery = v.object({
  delivery_id: v.string(),
  kind: v.picklist(deliveryKinds),
  received_at: timestamp,
  payload: v.object({
    /** The route of the original bytes, which an administrator may read. */
    href: v.string(),
    /** The place of the item among the delivery's, as quarantined items are counted; null if the payload was not read. */
    item_index: v.nullable(v.number()),
    /** JSON pointer to the item. */
    pointer: v.string(),
    /** Why the payload was not looked into: `payload_too_large`, `too_many_payloads`, `payload_not_kept`. */
    unread_reason: v.nullable(v.string()),
  }),
});

const ExplainedColumn = v.object({
  upstream: v.string(),
  /** Null: the column affects every column of the downstream relation. */
  downstream: v.nullable(v.string()),
  ...transformation,
  masking: v.boolean(),
  /** C-VERDICT-4; null if the evidence is not admitted. */
  ...judgement,
});

/** One provider's claim about the edge in one scope. */
export const ExplainedEvidence = v.object({
  provider_type: v.string(),
  provider_instance_id: v.string(),
  scope_key: v.string(),
  observed_at: timestamp,
  disposition: v.string(),
  why: Why,
  /** What it adds to the confidence where it is admitted, 0 to 1. */
  weight: v.number(),
  /** The names under which the source knows the two ends. */
  named_as: v.object({ upstream: v.string(), downstream: v.string() }),
  producer: v.nullable(v.object({ namespace: v.string(), name: v.string() })),
  statement_kind: v.nullable(v.picklist(statementKinds)),
  principal: v.nullable(v.string()),
  /** In lower case: as the source says, else the kind of the connector (C-POLICY-12). */
  engine: v.nullable(v.string()),
  /** Null where the source keeps no detail, or it is no longer kept who said so. */
  delivery: v.nullable(Delivery),
  /** `statement_not_kept`: the statement of the requested time was replaced by a newer one (C-EXPLAIN-5). */
  delivery_missing_reason: v.nullable(v.picklist(['receipt_not_kept', 'statement_not_kept'])),
  /** Names of partitions, shards and other parts of the two ends in its event, as `namespace/name` (C-IDENTITY-19). */
  parts: v.array(v.string()),
  said_by: v.array(SaidBy),
  /** The statement that was read, as the payload has it. */
  sql: v.nullable(v.object({ text: v.string(), truncated: v.boolean(), pointer: v.string() })),
  columns: v.array(ExplainedColumn),
  columns_unresolved: v.array(v.object({ column: v.nullable(v.string()), reason: v.string() })),
});
export type ExplainedEvidence = v.InferOutput<typeof ExplainedEvidence>;

export const EdgeExplanation = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  upstream: End,
  downstream: End,
  column_ref: v.nullable(v.string()),
  /** Where the column that was requested is of neither end: C-IDENTITY-14. */
  column_unresolved_reason: v.nullable(v.literal('unknown_column')),
  found: v.boolean(),
  /** Null where nothing claims the edge. */
  status: v.nullable(v.picklist(['active', 'stale'])),
  confidence: v.number(),
  ...judgement,
  /** In the order of scope keys. */
  evidence: v.array(ExplainedEvidence),
  /** Whether there is more evidence, or more of its columns and statements, than is listed. */
  truncated: v.boolean(),
  /** What breaks downstream of this edge: C-CLAIM-8. */
  claim: Claim,
  cost: Cost,
  as_of: timestamp,
});
export type EdgeExplanation = v.InferOutput<typeof EdgeExplanation>;

const asking = {
  method: 'GET',
  access: viewerAccess,
  problems: ['not_found'],
} as const satisfies Partial<Route>;

/** Questions about the graph as it stands: C-IMPACT-1, C-EXPLAIN-1. */
export const impactRoutes = servedBy('queries', {
  getImpact: {
    ...asking,
    path: '/v1/lineage/impact',
    summary: 'Returns what feeds a relation or its columns, and what a change to it may break.',
    query: ImpactQuery,
    replies: { 200: { description: 'The result, and what it leaves out.', schema: ImpactAnswer } },
  },
  explainEdge: {
    ...asking,
    path: '/v1/lineage/edges/explain',
    summary: 'Explains an edge: every piece of evidence, its source, its weight and why it counts or does not.',
    query: ExplainQuery,
    problems: [...asking.problems, 'ambiguous_relation'],
    replies: { 200: { description: 'The evidence of the edge.', schema: EdgeExplanation } },
  },
} as const satisfies FunctionRoutes);
