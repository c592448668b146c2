import type { WorkspaceId } from '../../contract/ids.ts';
import type { Urn } from '../graph/node.ts';
import { columnsOf } from '../traversal/columns.ts';
import type { TraversalPorts } from '../traversal/ports.ts';
import { traverse } from '../traversal/traverse.ts';
import type { Violation } from './check.ts';
import type { Rule } from './expectation.ts';
import { activeEdges, type RelationFacts, refOf } from './relation-facts.ts';

/** What rules of relations look at: the graph now, and as it was when the definition was made. */
type RuleContext = {
  readonly ports: TraversalPorts;
  readonly workspace: WorkspaceId;
  readonly now: RelationFacts;
  readonly before: RelationFacts;
};

type RuleOf<K extends Rule['kind']> = Extract<Rule, { readonly kind: K }>;
export type RelationRule = Exclude<Rule, { readonly kind: 'path' | 'no_open_gap' }>;

const sideOf = { upstream: 'in', downstream: 'out' } as const;

/** Where a rule does not hold for a relation. */
export async function violationsOf(context: RuleContext, rule: RelationRule, relation: Urn): Promise<Violation[]> {
  switch (rule.kind) {
    case 'no_new':
      return newNeighbours(context, rule, relation);
    case 'no_removed_relation':
      return removedRelation(context, relation);
    case 'no_removed_column':
      return removedColumns(context, relation);
    case 'columns_have_sources':
      return columnsWithoutSource(context, relation);
    case 'confidence':
      return doubtfulEdges(context, rule, relation);
    case 'fresh':
      return staleness(context, rule, relation);
    case 'at_most':
      return tooMany(context, rule, relation);
    case 'no_stale_edge':
      return staleEdges(context, relation);
  }
}

const violation = (relation: Urn, message: string, column?: string): Violation => ({
  about: relation,
  relation_ref: refOf(relation),
  ...(column !== undefined && { column }),
  message,
});

async function newNeighbours({ now, before }: RuleContext, { direction }: RuleOf<'no_new'>, relation: Urn) {
  const side = sideOf[direction];
  const then = new Set(activeEdges((await before.edges(side)).get(relation)).map(({ other }) => other));
  const fresh = activeEdges((await now.edges(side)).get(relation)).filter(({ other }) => !then.has(other));
  return fresh.map(({ other }) => violation(relation, `New ${direction} relation: ${refOf(other)}.`));
}

async function isThere(facts: RelationFacts, relation: Urn): Promise<boolean> {
  const edges = [
    ...((await facts.edges('in')).get(relation) ?? []),
    ...((await facts.edges('out')).get(relation) ?? []),
  ];
  return activeEdges(edges).length > 0;
}

async function removedRelation({ now, before }: RuleContext, relation: Urn) {
  const isRemoved = (await isThere(before, relation)) && !(await isThere(now, relation));
  return isRemoved ? [violation(relation, 'The relation has no lineage any more.')] : [];
}

async function removedColumns({ now, before }: RuleContext, relation: Urn) {
  const then = (await before.columns()).get(relation);
  const left = (await now.columns()).get(relation);
  if (!then || left === null) return [];
  return [...then]
    .filter(([key]) => !left?.has(key))
    .map(([, column]) => violation(relation, 'The column is not there any more.', column));
}

async function columnsWithoutSource({ now }: RuleContext, relation: Urn) {
  const edges = activeEdges((await now.edges('in')).get(relation));
  const details = edges.flatMap(({ evidence }) => evidence.flatMap(({ detail }) => detail ?? []));
  const mapped = new Set(
    details.flatMap(({ columns }) => columns.map(({ outputColumn }) => outputColumn?.toLowerCase())),
  );
  const open = details.flatMap(({ unresolved }) => unresolved);
  const found = new Map(
    open.map(({ outputColumn, reason }) => [outputColumn?.toLowerCase() ?? '', { outputColumn, reason }]),
  );
  return [...found]
    .filter(([key]) => !mapped.has(key))
    .map(([, { outputColumn, reason }]) =>
      violation(relation, `No source is known: ${reason}.`, outputColumn ?? undefined),
    );
}

async function doubtfulEdges({ now }: RuleContext, { atLeast }: RuleOf<'confidence'>, relation: Urn) {
  const edges = activeEdges((await now.edges('in')).get(relation)).filter(({ confidence }) => confidence < atLeast);
  return edges.map(({ other, confidence }) =>
    violation(relation, `The edge from ${refOf(other)} has a confidence of ${confidence}.`),
  );
}

async function staleness({ ports, now }: RuleContext, { withinMs }: RuleOf<'fresh'>, relation: Urn) {
  const edges = [...((await now.edges('in')).get(relation) ?? []), ...((await now.edges('out')).get(relation) ?? [])];
  const times = edges.flatMap(({ evidence }) => evidence.map(({ observedAt }) => Date.parse(observedAt)));
  if (times.length === 0) return [];
  const newest = Math.max(...times);
  if (newest >= Date.parse(ports.now) - withinMs) return [];
  return [violation(relation, `Nothing was heard of the relation since ${new Date(newest).toISOString()}.`)];
}

async function tooMany(context: RuleContext, rule: RuleOf<'at_most'>, relation: Urn) {
  const { ports, workspace, now } = context;
  const side = sideOf[rule.direction];
  const known = rule.columns ? (await now.columns()).get(relation) : null;
  const options = {
    workspace,
    asOf: null,
    includeStale: false,
    minConfidence: 0,
    root: relation,
    columns: known ? columnsOf([...known.values()]) : null,
    maxDepth: maxDepth,
    maxNodes: rule.columns ? maxRelations : Math.min(rule.most + 1, maxRelations),
  };
  const { reached } = (await traverse(ports, now.view, options, [side]))[side];
  const relations = [...reached.values()];
  const count = rule.columns ? relations.reduce((sum, one) => sum + one.columns.names.size, 0) : relations.length;
  if (count <= rule.most) return [];
  return [violation(relation, `More than ${rule.most} ${rule.direction} ${rule.columns ? 'columns' : 'relations'}.`)];
}

/** As far as an impact question goes. */
const maxDepth = 10;
const maxRelations = 10_000;

async function staleEdges({ now }: RuleContext, relation: Urn) {
  const edges = ((await now.edges('in')).get(relation) ?? []).filter(({ status }) => status === 'stale');
  return edges.map(({ other, evidence }) =>
    violation(relation, `The edge from ${refOf(other)} is stale: ${evidence[0]?.disposition ?? 'no evidence counts'}.`),
  );
}
