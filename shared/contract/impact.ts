import * as v from 'valibot';
import { Claim } from './claim.ts';
import { Cost, count, documentedAs, queryInteger, severalOf, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { LineageResolution } from './relations.ts';
import { judgement, VerdictCounts, verdictFilter } from './verdicts.ts';
import { columnChanges, directions, influences, quietReasons } from './vocabulary.ts';

const flag = v.pipe(
  v.picklist(['true', 'false']),
  documentedAs({ type: 'boolean' }),
  v.transform((value) => value === 'true'),
);
const share = v.pipe(
  v.string(),
  v.regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a number from 0 to 1'),
  documentedAs({ type: 'number', minimum: 0, maximum: 1 }),
  v.transform(Number),
);

/** C-IMPACT-1, C-IMPACT-5: what may be asked. `column_ref` may be given several times. */
export const ImpactQuery = v.object({
  workspace_id: text(200),
  connector_id: text(200),
  relation_ref: text(2_000),
  column_ref: severalOf(text(500)),
  direction: v.optional(v.picklist(directions), 'both'),
  max_depth: v.optional(queryInteger(limits.impact.depth), String(limits.impact.depth.default)),
  max_nodes: v.optional(queryInteger(limits.impact.nodes), String(limits.impact.nodes.default)),
  as_of: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  include_stale: v.optional(flag, 'false'),
  min_confidence: v.optional(share, '0'),
  influence: v.optional(v.picklist(influences), 'all'),
  ...verdictFilter,
});

const Endpoint = v.object({ relation_ref: v.string(), column: v.string() });
/** A null column: the mapping concerns every column. */
const AnyEndpoint = v.object({ relation_ref: v.string(), column: v.nullable(v.string()) });
/** How a column reaches another. */
export const transformation = {
  type: v.picklist(['DIRECT', 'INDIRECT']),
  subtype: v.nullable(v.string()),
  /** C-IMPACT-15. */
  masking: v.optional(v.literal(true)),
  /** Null where the source does not say, or no value is passed. */
  change: v.nullable(v.picklist(columnChanges)),
  /** The expression that computes with the column; null if it is only passed on. */
  expression: v.nullable(v.string()),
};

/** The connector of a relation, which its name does not tell; null if no connector owns it. */
const owner = v.nullable(v.string());

/** What an exposure is beyond its name. `tool`: the BI tool, in lower case, or else its kind, such as `notebook`. */
const ExposureFacts = v.object({
  tool: v.nullable(v.string()),
  title: v.nullable(v.string()),
  owners: v.array(v.string()),
});
export type ExposureFacts = v.InferOutput<typeof ExposureFacts>;

const ImpactItem = v.object({
  relation_ref: v.string(),
  connector_id: owner,
  depth: count,
  kind: v.string(),
  columns: v.array(v.string()),
  via: v.array(v.string()),
  confidence: v.number(),
  /** Only of an exposure. */
  exposure: v.optional(ExposureFacts),
  /** Of a relation whose owners the evidence names that was read for the answer: C-IMPACT-24. */
  owners: v.optional(v.array(v.string())),
});

const ImpactEdge = v.object({
  upstream: v.string(),
  downstream: v.string(),
  status: v.picklist(['active', 'stale']),
  dispositions: v.array(v.string()),
  confidence: v.number(),
  ...judgement,
  columns: v.array(
    v.object({ upstream: v.string(), downstream: v.nullable(v.string()), ...transformation, ...judgement }),
  ),
  evidence: v.array(
    v.object({
      provider_type: v.string(),
      provider_instance_id: v.string(),
      scope_key: v.string(),
      observed_at: timestamp,
      disposition: v.string(),
      columns_unresolved_reason: v.nullable(v.string()),
    }),
  ),
});

/** A feed that may have left something out, and why. */
const QuietFeed = v.object({
  provider_instance_id: v.string(),
  provider_type: v.string(),
  display_name: v.string(),
  /** Null: a feed of no connector, which may name relations of any. */
  connector_id: v.nullable(v.string()),
  reason: v.picklist(quietReasons),
  last_received_at: v.nullable(timestamp),
  last_success_at: v.nullable(timestamp),
});

/** Whether the absence of an edge means anything: what the connector's evidence comes from, and how fresh it is. */
export const Coverage = v.object({
  /** The feeds that are paused, disabled, silent or in error now. */
  feeds: v.array(QuietFeed),
  /** How many feeds of the connector, and of none, were looked at. */
  feeds_checked: count,
  /** The declared scopes of the connector. A null time: no complete snapshot, so that absence in it proves nothing. */
  scopes: v.array(
    v.object({
      scope_key: v.string(),
      provider_type: v.string(),
      provider_instance_id: v.string(),
      last_complete_snapshot_at: v.nullable(timestamp),
    }),
  ),
  /** Edges at the relations that were explored, and that were not followed: why not. */
  suppressed: v.object({ policy: count, expired: count, confidence: count }),
  /** False where there are more feeds or scopes than were looked at. */
  complete: v.boolean(),
});
export type Coverage = v.InferOutput<typeof Coverage>;

/** C-IMPACT-2 to C-IMPACT-13. */
export const ImpactAnswer = v.object({
  workspace_id: v.string(),
  connector_id: v.string(),
  graph_found: v.boolean(),
  has_lineage: v.boolean(),
  root: v.object({ relation_ref: v.string(), connector_id: owner }),
  upstream: v.array(ImpactItem),
  downstream: v.array(ImpactItem),
  /** C-IMPACT-23: the exposures of `downstream`, by tool and owner. One with several owners is in several groups. */
  exposures: v.array(
    v.object({ tool: v.nullable(v.string()), owner: v.nullable(v.string()), relation_refs: v.array(v.string()) }),
  ),
  edges: v.array(ImpactEdge),
  /** Of all edges that were followed, those that `verdict` leaves out included. */
  summary: v.object({ verdicts: VerdictCounts }),
  truncated: v.object({
    any: v.boolean(),
    by_depth: v.boolean(),
    by_nodes: v.boolean(),
    /** The answer reached the limit of its reads: C-LIMIT-13. */
    by_requests: v.boolean(),
    /** What a reply can carry: columns and relations are missing from the lists, and are counted. */
    by_bytes: v.boolean(),
    unexplored: count,
  }),
  limits: v.object({ max_depth: count, max_nodes: count }),
  blast_radius: v.object({
    relations: count,
    columns: count,
    by_depth: v.array(count),
    by_schema: v.record(v.string(), count),
    max_depth_reached: count,
    stale_edges: count,
  }),
  precision: v.object({
    requested: v.picklist(['table', 'column']),
    /** `none`: the name means no relation of the graph, so that the answer says nothing about lineage. */
    delivered: v.picklist(['table', 'column', 'mixed', 'none']),
    reasons: v.array(v.object({ relation_ref: v.string(), reason: v.string() })),
  }),
  column_lineage: v.object({
    roots: v.array(v.string()),
    paths: v.array(v.object({ upstream: Endpoint, downstream: AnyEndpoint, ...transformation })),
    unresolved: v.array(
      v.object({ relation_ref: v.string(), column: v.optional(v.nullable(v.string())), reason: v.string() }),
    ),
  }),
  lineage_resolution: LineageResolution,
  coverage: Coverage,
  claim: Claim,
  cost: Cost,
  as_of: timestamp,
});
export type ImpactAnswer = v.InferOutput<typeof ImpactAnswer>;

type Answer = {
  readonly root: Pick<ImpactAnswer['root'], 'relation_ref'>;
  readonly column_lineage: {
    readonly roots: readonly string[];
    readonly paths: readonly Pick<ImpactAnswer['column_lineage']['paths'][number], 'upstream' | 'downstream'>[];
  };
};

/** The relations reached by column mappings all the way. Others were reached as tables: they only may break. */
export function provenImpact({ root, column_lineage: { roots, paths } }: Answer): ReadonlySet<string> {
  const affected = new Map([[root.relation_ref, new Set(roots.map((column) => column.toLowerCase()))]]);
  for (let isGrown = true; isGrown; ) {
    isGrown = false;
    for (const { upstream, downstream } of paths) {
      const from = affected.get(upstream.relation_ref);
      if (!from || !concerns(from, upstream.column.toLowerCase())) continue;
      const to = affected.get(downstream.relation_ref) ?? new Set<string>();
      const column = downstream.column?.toLowerCase() ?? everyColumn;
      if (to.has(column)) continue;
      affected.set(downstream.relation_ref, to.add(column));
      isGrown = true;
    }
  }
  affected.delete(root.relation_ref);
  return new Set(affected.keys());
}

const everyColumn = '*';

/** A statement about a column concerns its fields, and one about a field concerns the columns that hold it (C-IMPACT-17). */
const concerns = (affected: ReadonlySet<string>, column: string): boolean =>
  affected.has(everyColumn) ||
  affected.has(column) ||
  [...affected].some((one) => one.startsWith(`${column}.`) || column.startsWith(`${one}.`));
