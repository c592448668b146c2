import * as v from 'valibot';
import { UnresolvedAssets } from './deliveries.ts';
import { count, pageLimit, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy, viewerAccess } from './route.ts';
import { judgement } from './verdicts.ts';
import { gapStatuses, gapTypes } from './vocabulary.ts';

/** Edges that runs of a feed have and no declaration. */
const UndeclaredLineage = v.object({
  count,
  /** The first by name. */
  edges: v.array(v.object({ upstream: v.string(), downstream: v.string(), verdict: judgement.verdict })),
});
export type UndeclaredLineage = v.InferOutput<typeof UndeclaredLineage>;

/** Runs of a feed that have been reported for 24 hours and have not ended. */
const UnfinishedRuns = v.object({
  count,
  /** The first by name. */
  jobs: v.array(v.string()),
  advice: v.string(),
});
export type UnfinishedRuns = v.InferOutput<typeof UnfinishedRuns>;

/** A name that looks like another name and does not meet it. */
export const LookAlike = v.object({
  name: v.string(),
  looks_like: v.string(),
  /** The command that makes both names one; null if no setting does. */
  command: v.nullable(v.string()),
  advice: v.string(),
});

/** Those of the feed. */
const LookAlikes = v.object({
  count,
  /** The first by name. */
  pairs: v.array(LookAlike),
});
export type LookAlikes = v.InferOutput<typeof LookAlikes>;

/** What is known of a feed where it falls short: operational figures and names of assets, never content. */
export const GapDetails = v.object({
  /** Seconds of the longest pause that the feed has made at least twice; null while it is too young to have a habit. */
  cadence: v.nullable(count),
  last_receipt: v.nullable(timestamp),
  /** Deliveries that were accepted and are not yet worked. */
  backlog: count,
  /** The version of the service's reading rules that worked the feed's newest delivery. */
  normalizer_version: v.nullable(v.string()),
  reason: v.string(),
  /** Of `unowned_namespace`: the namespaces, the most used first, each with how many datasets name it (10,000 at most are counted). */
  namespaces: v.optional(v.array(v.object({ namespace: v.string(), datasets: count }))),
  /** Only for `abandoned_scope`: C-GAP-13. */
  scopes: v.optional(v.array(v.object({ scope_key: v.string(), replaced_by: v.string(), last_accepted: timestamp }))),
  /** The command that claims the namespaces for a connector, joins the first names, or forgets the first of the scopes. */
  command: v.optional(v.string()),
  /** Only for `unresolved_assets`: assets that the newest deliveries left unresolved, by reason, with advice. */
  unresolved: v.optional(v.array(UnresolvedAssets)),
  /** Only for `undeclared_lineage`: C-GAP-11. */
  undeclared: v.optional(UndeclaredLineage),
  /** Only for `unfinished_runs`: C-GAP-12. */
  unfinished: v.optional(UnfinishedRuns),
  /** Only for `names_look_alike`: C-GAP-14. */
  look_alikes: v.optional(LookAlikes),
});
export type GapDetails = v.InferOutput<typeof GapDetails>;

/** C-GAP-1: one shortcoming of a feed, from when it was found to when it was over. */
export const Gap = v.object({
  id: v.pipe(v.string(), v.uuid()),
  gap_type: v.picklist(gapTypes),
  status: v.picklist(gapStatuses),
  opened_at: timestamp,
  resolved_at: v.nullable(timestamp),
  details: GapDetails,
});
export type Gap = v.InferOutput<typeof Gap>;

export const GapPage = v.object({
  workspace_id: v.string(),
  provider_instance_id: v.pipe(v.string(), v.uuid()),
  items: v.array(Gap),
  next_cursor: v.nullable(v.pipe(v.string(), v.uuid())),
});
export type GapPage = v.InferOutput<typeof GapPage>;

const GapsQuery = v.object({
  workspace_id: text(200),
  status: v.optional(v.picklist(gapStatuses)),
  gap_type: v.optional(text(limits.gapType)),
  limit: pageLimit,
  cursor: v.optional(v.pipe(v.string(), v.uuid())),
});

/** `resolved` is found, never set. */
const GapPatch = v.strictObject({ workspace_id: text(200), status: v.picklist(['open', 'ignored']) });

const path = '/v1/lineage/providers/{provider_instance_id}/gaps';

/** Where evidence feeds fall short: C-GAP-5, C-GAP-6. */
export const gapRoutes = servedBy('queries', {
  listGaps: {
    method: 'GET',
    path,
    summary: 'Lists the coverage gaps of an evidence feed, newest first.',
    access: viewerAccess,
    query: GapsQuery,
    replies: { 200: { description: 'A page of gaps.', schema: GapPage } },
  },
  patchGap: {
    method: 'PATCH',
    path: `${path}/{gap_id}`,
    summary: 'Ignores an open gap, or reopens an ignored one.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    body: { kind: 'json', schema: GapPatch, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The gap.', schema: Gap } },
    problems: ['conflict'],
  },
} as const satisfies FunctionRoutes);
