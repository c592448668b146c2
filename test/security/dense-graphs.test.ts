import { describe, expect, it } from 'vitest';
import type { ExplainedEvidence } from '../../shared/contract/explain.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { ImpactAnswer } from '../../shared/contract/impact.ts';
import { limits } from '../../shared/contract/limits.ts';
import type { Derivation } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, type Node, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { isCarried } from '../../shared/domain/lineage/queries/answer-size.ts';
import { claimOf } from '../../shared/domain/lineage/queries/claim/claim.ts';
import { gradeChanges, type ImpactFinder } from '../../shared/domain/lineage/queries/diff/change-impact.ts';
import { cutExplanation } from '../../shared/domain/lineage/queries/explain/explain-edge.ts';
import { cutAnswer } from '../../shared/domain/lineage/queries/impact/answer-impact.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { traverse } from '../../shared/domain/lineage/traversal/traverse.ts';
import { memoryGraph } from '../support/memory-graph.ts';
import { queryOf } from '../support/query-of.ts';

const workspace = 'w' as WorkspaceId;
const connectorId = 'c' as ConnectorId;
const now = '2026-11-20T12:00:00.000Z';
const [layers, width] = [8, 20];

const relation = (layer: number, place: number): Node => ({
  kind: 'relation',
  connectorId,
  ref: `d.l${layer}.t${place}`,
});
const places = Array.from({ length: width }, (_, place) => place);

/** Layers of relations that each read the whole layer before. */
const derivations = Array.from({ length: layers }, (_, layer) =>
  places.map(
    (place): Derivation => ({
      output: relation(layer + 1, place),
      inputs: layer === 0 ? [relation(0, 0)] : places.map((input) => relation(layer, input)),
      columns: [],
      unresolved: [],
      producer: { namespace: 'p', name: `l${layer}` },
      statementKind: null,
      principal: null,
      location: '',
    }),
  ),
).flat();

function denseGraph() {
  const scopeKey = 'connector:c:dbt-project:p';
  const identity = {
    scope: scopeId(scopeKey),
    scopeKey,
    kind: 'snapshot',
    providerType: 'dbt_manifest',
    providerInstanceId: 'i',
  } as const;
  const graph = memoryGraph(identity, now, derivations);
  let reads = 0;
  const nodes: typeof graph.pages.nodes = async (...request) => {
    reads++;
    return graph.pages.nodes(...request);
  };
  return {
    ...graph,
    pages: { ...graph.pages, nodes },
    reads: () => reads,
  };
}

const question = {
  root: urnOf(relation(0, 0)),
  columns: null,
  asOf: null,
  includeStale: false,
  minConfidence: 0,
  maxDepth: 10,
  maxNodes: 500,
};

describe('a traversal of a dense graph', () => {
  it('ends if its reads are spent, and says that there is more (C-LIMIT-13)', async () => {
    const graph = denseGraph();
    const query = queryOf(graph, graphOf(workspace, 0), { now });
    const whole = await traverse(graphView(query, null), question, ['out']);
    expect([whole.out.reached.size, whole.out.cutByNodes]).toEqual([layers * width, false]);
    const all = graph.reads();
    const isSpent = () => graph.reads() >= all + 3;
    const limited = queryOf(graph, graphOf(workspace, 0), { now, isSpent });
    const cut = await traverse(graphView(limited, null), question, ['out']);
    expect(graph.reads() - all).toBeLessThanOrEqual(4);
    expect(cut.out.reached.size).toBeLessThan(layers * width);
    expect([cut.out.cutByRequests, cut.out.cutByNodes]).toEqual([true, false]);
    expect(cut.out.unexplored).toBeGreaterThan(0);
  });
});

describe('a comparison whose requests are spent', () => {
  it('walks from no further change, and takes each for risky (C-DIFF-5)', async () => {
    let walks = 0;
    const walk = async () => {
      walks++;
      return { impacted: [], unexplored: 0 };
    };
    const finder: ImpactFinder = {
      hidden: () => [],
      mayNameOwners: () => [],
      ofRelation: walk,
      ofColumn: walk,
      ofRows: async () => ({ impacted: [], unexplored: 0 }),
      ofMeaning: walk,
    };
    const columns = places.map((place) => ({
      change: 'removed' as const,
      relation: urnOf(relation(1, 0)),
      column: `c${place}`,
      before: [],
      after: null,
    }));
    const changes = { relations: [], edges: [], columns, unknown: [] };
    const graded = await gradeChanges(finder, changes, () => walks >= 3);
    expect(walks).toBe(3);
    expect(graded.columns.map(({ effect }) => [effect.walked, effect.grade])).toEqual(
      places.map((place) => (place < 3 ? [true, 'safe'] : [false, 'risky'])),
    );
  });
});

/** An answer as wide as it may be asked for: 500 relations, each with this many columns of this many characters. */
function answerOf(relations: number, columns: number, length: number): Omit<ImpactAnswer, 'cost'> {
  const name = (i: number) => `d.s.t${i}`;
  const column = (i: number) => `c${i}${'"'.repeat(length)}`;
  const names = Array.from({ length: columns }, (_, i) => column(i));
  const judgement = { verdict: null, verdict_reason: null };
  const transformation = {
    ...{ type: 'DIRECT' as const, subtype: 'IDENTITY', change: null, expression: null },
    ...judgement,
  };
  const items = Array.from({ length: relations }, (_, i) => ({
    relation_ref: name(i + 1),
    depth: 1 + Math.floor(i / 100),
    connector_id: null,
    kind: 'relation',
    columns: names,
    via: ['dbt_manifest'],
    confidence: 0.9,
  }));
  return {
    workspace_id: 'w',
    connector_id: 'c',
    graph_found: true,
    has_lineage: true,
    root: { relation_ref: name(0), connector_id: null },
    upstream: [],
    downstream: items,
    exposures: [],
    edges: items.map(({ relation_ref }) => ({
      upstream: name(0),
      downstream: relation_ref,
      status: 'active',
      dispositions: [],
      confidence: 0.9,
      ...judgement,
      columns: names.map((one) => ({ upstream: one, downstream: one, ...transformation })),
      evidence: [],
    })),
    summary: { verdicts: { confirmed: 0, declared_only: 0, observed_only: 0, contradicted: 0 } },
    truncated: { any: false, by_depth: false, by_nodes: false, by_requests: false, by_bytes: false, unexplored: 0 },
    limits: { max_depth: 10, max_nodes: 500 },
    blast_radius: {
      relations,
      columns: relations * columns,
      by_depth: [],
      by_schema: {},
      max_depth_reached: 5,
      stale_edges: 0,
    },
    precision: { requested: 'column', delivered: 'column', reasons: [] },
    column_lineage: {
      roots: [],
      paths: items.flatMap(({ relation_ref }) =>
        names.map((one) => ({
          upstream: { relation_ref: name(0), column: one },
          downstream: { relation_ref, column: one },
          ...transformation,
        })),
      ),
      unresolved: [],
    },
    lineage_resolution: { method: 'exact', fallback_reason: null, candidates: [] },
    coverage: {
      feeds: [],
      feeds_checked: 0,
      scopes: [],
      suppressed: { policy: 0, expired: 0, confidence: 0 },
      complete: true,
    },
    claim: claimOf({ breaks: relations, may_break: 0 }, [], now),
    as_of: now,
  };
}

describe('an answer of impact', () => {
  it('stays as it is if a reply carries it', () => {
    const answer = answerOf(100, 10, 10);
    expect(cutAnswer(answer)).toBe(answer);
  });

  it.each([
    ['many columns', 500, 60, 10],
    ['long names', 20, 10, 2_000],
    ['one relation of very many columns', 1, 60_000, 10],
  ])('leaves columns of %s out before any relation, and says so (C-IMPACT-14)', (_, relations, columns, length) => {
    const whole = answerOf(relations, columns, length);
    expect(isCarried(whole)).toBe(false);
    const cut = cutAnswer(whole);
    expect(isCarried(cut)).toBe(true);
    expect(cut.truncated).toMatchObject({ any: true, by_bytes: true, unexplored: 0 });
    expect(cut.downstream).toHaveLength(relations);
    expect(cut.edges).toHaveLength(relations);
    expect(cut.blast_radius).toEqual(whole.blast_radius);
  });

  it('leaves the farthest relations out if even the names are too many, and counts them (C-IMPACT-14)', () => {
    const whole = answerOf(500, 1, 1);
    const long = (name: string) => name + '\\'.repeat(1_500);
    const large = {
      ...whole,
      root: { ...whole.root, relation_ref: long(whole.root.relation_ref) },
      downstream: whole.downstream.map((one) => ({ ...one, relation_ref: long(one.relation_ref) })),
      edges: whole.edges.map((one) => ({ ...one, upstream: long(one.upstream), downstream: long(one.downstream) })),
    };
    const cut = cutAnswer(large);
    expect(isCarried(cut)).toBe(true);
    expect(cut.downstream.length).toBeGreaterThan(0);
    expect(cut.truncated.unexplored).toBe(500 - cut.downstream.length);
    expect(cut.edges).toHaveLength(cut.downstream.length);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(cut)))).toBeLessThanOrEqual(limits.answerBytes);
  });
});

describe('an explanation', () => {
  const evidence = (columns: number, text: string): ExplainedEvidence => ({
    provider_type: 'dbt_manifest',
    provider_instance_id: 'i',
    scope_key: 's',
    observed_at: now,
    disposition: 'admitted',
    why: { message: 'm', connector_id: null, policy_revision: null, rule: null },
    weight: 0.9,
    parts: [],
    named_as: { upstream: 'a', downstream: 'b' },
    producer: null,
    statement_kind: null,
    principal: null,
    engine: null,
    delivery: null,
    delivery_missing_reason: null,
    said_by: [{ kind: 'declared_dependency', name: null, pointer: '' }],
    sql: { text, truncated: false, pointer: '' },
    columns: Array.from({ length: columns }, (_, i) => ({
      upstream: `c${i}`,
      downstream: `d${i}`,
      type: 'DIRECT' as const,
      subtype: null,
      masking: false,
      change: null,
      expression: null,
      ...{ verdict: null, verdict_reason: null },
    })),
    columns_unresolved: [],
  });
  const end = {
    relation_ref: 'a',
    lineage_resolution: { method: 'exact' as const, fallback_reason: null, candidates: [] },
  };
  const explanation = (list: readonly ExplainedEvidence[]) => ({
    workspace_id: 'w',
    connector_id: 'c',
    upstream: end,
    downstream: end,
    column_ref: null,
    column_unresolved_reason: null,
    found: true,
    status: 'active' as const,
    confidence: 0.9,
    verdict: null,
    verdict_reason: null,
    evidence: [...list],
    truncated: false,
    claim: claimOf({ breaks: 1, may_break: 0 }, [], now),
    as_of: now,
  });

  it('leaves columns out before statements and those before evidence, and says so (C-EXPLAIN-3)', () => {
    const small = explanation([evidence(10, 'select 1')]);
    expect(cutExplanation(small)).toBe(small);
    const wide = cutExplanation(explanation(Array.from({ length: 5 }, () => evidence(20_000, 'select 1'))));
    expect([isCarried(wide), wide.truncated, wide.evidence.length]).toEqual([true, true, 5]);
    expect(wide.evidence[0]?.sql?.text).toBe('select 1');
    const long = cutExplanation(explanation(Array.from({ length: 200 }, () => evidence(1, 'x'.repeat(100_000)))));
    expect([isCarried(long), long.truncated, long.evidence.length]).toEqual([true, true, 200]);
  });
});
