import { verdictText } from '../../../contract/vocabulary.ts';
import { once } from '../../base/caching.ts';
import { refOf, type Urn } from '../../lineage/graph/node.ts';
import { columnsOf } from '../../lineage/traversal/columns.ts';
import type { EvaluatedEdge } from '../../lineage/traversal/evaluate.ts';
import { admittedOf, type Evidence } from '../../lineage/traversal/evidence.ts';
import { claimsInto } from '../../lineage/traversal/expansion.ts';
import { inlinedReads } from '../../lineage/traversal/inlined-reads.ts';
import { traverse } from '../../lineage/traversal/traverse.ts';
import { isObserved, verdictOf, verdictsOf } from '../../lineage/traversal/verdict.ts';
import type { Check, Violation } from './check.ts';
import type { Rule } from './expectation.ts';
import { activeEdges, batchesOf, inScope, type RelationBatch, type RelationFacts } from './scope.ts';
import { gapViolations, pathViolations, type RuleQuery, relationNamed } from './workspace-rules.ts';

/** The violations of a check's rules. Calls `scopeBatches` only if needed: it may read all nodes. Throws Undecided. */
export async function evaluateRules(
  query: RuleQuery,
  check: Check,
  rules: readonly Rule[],
  scopeBatches: (walks: boolean) => AsyncIterable<RelationBatch>,
) {
  const found: Violation[] = [];
  for (const rule of rules) {
    if (rule.kind === 'path') found.push(...(await pathViolations(query, rule)));
    if (rule.kind === 'no_open_gap') found.push(...(await gapViolations(query, check.workspace_id, rule)));
  }
  const placed = await Promise.all(
    rules.filter(isOfRelations).map(async (rule) => ({ rule, only: await relationOf(query, rule) })),
  );
  const matches = inScope(check.scope);
  // Whether a rule reads all relations of the scope, and not only one that it names.
  const readsScope = placed.some(({ only }) => only === null);
  const named = new Set(placed.flatMap(({ only }) => (only !== null && matches(only) ? [only] : [])));
  const walks = rules.some(({ kind }) => kind === 'at_most');
  const relations: Urn[] = [];
  for await (const batch of readsScope ? scopeBatches(walks) : batchesOf(query, [...named])) {
    relations.push(...batch.relations);
    found.push(...(await evaluateBatch(check, placed, batch)));
  }
  // Whether a rule names a relation that the scope leaves out: it looked at nothing.
  const outsideScope = placed.some(({ only }) => only !== null && !matches(only));
  return { found, relations, readsScope, outsideScope };
}

/** The others are about the workspace, whatever the scope is. */
const isOfRelations = (rule: Rule): rule is RelationRule => rule.kind !== 'path' && rule.kind !== 'no_open_gap';

/** Whether a rule reads the graph as it was at the check's baseline. */
export const comparesTimes = ({ kind }: Rule): boolean =>
  kind === 'no_new' || kind === 'no_removed_relation' || kind === 'no_removed_column';

type PlacedRule = { readonly rule: RelationRule; readonly only: Urn | null };

const relationOf = async (query: RuleQuery, rule: RelationRule) =>
  rule.kind === 'columns_have_sources' && rule.of !== null ? relationNamed(query, rule.of) : null;

async function evaluateBatch(
  { baseline_at }: Check,
  rules: readonly PlacedRule[],
  { relations, factsAt }: RelationBatch,
): Promise<Violation[]> {
  const [now, before] = [await factsAt(null), once(() => factsAt(baseline_at))];
  const found: Violation[] = [];
  for (const { rule, only } of rules) {
    for (const relation of relations) {
      if (only !== null && only !== relation) continue;
      found.push(...(await violationsOf({ now, before }, rule, relation)));
    }
  }
  return found;
}

/** What rules of relations look at: the graph now, and as it was when the definition was made. */
type RuleContext = {
  readonly now: RelationFacts;
  readonly before: () => Promise<RelationFacts>;
};

type RuleOf<K extends Rule['kind']> = Extract<Rule, { readonly kind: K }>;
type RelationRule = Exclude<Rule, { readonly kind: 'path' | 'no_open_gap' }>;

const sideOf = { upstream: 'in', downstream: 'out' } as const;

async function violationsOf(context: RuleContext, rule: RelationRule, relation: Urn): Promise<Violation[]> {
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
    case 'no_undeclared_edge':
      return undeclaredEdges(context, rule, relation);
    case 'confirmed':
      return unconfirmedEdges(context, rule, relation);
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
  const then = new Set(activeEdges((await (await before()).edges(side)).get(relation)).map(({ other }) => other));
  const fresh = activeEdges((await now.edges(side)).get(relation)).filter(({ other }) => !then.has(other));
  return fresh.map(({ other }) => violation(relation, `New ${direction} relation: ${refOf(other)}.`));
}

async function bothSides({ edges }: RelationFacts, relation: Urn) {
  return [...((await edges('in')).get(relation) ?? []), ...((await edges('out')).get(relation) ?? [])];
}

async function isThere(facts: RelationFacts, relation: Urn): Promise<boolean> {
  return activeEdges(await bothSides(facts, relation)).length > 0;
}

async function removedRelation({ now, before }: RuleContext, relation: Urn) {
  const isRemoved = (await isThere(await before(), relation)) && !(await isThere(now, relation));
  return isRemoved ? [violation(relation, 'The relation no longer has lineage.')] : [];
}

async function removedColumns({ now, before }: RuleContext, relation: Urn) {
  const then = (await (await before()).columns()).get(relation);
  const left = (await now.columns()).get(relation);
  if (!then || left === null) return [];
  return [...then]
    .filter(([key]) => !left?.has(key))
    .map(([, column]) => violation(relation, 'The column no longer exists.', column));
}

async function columnsWithoutSource({ now }: RuleContext, relation: Urn) {
  const edges = activeEdges((await now.detailed()).get(relation));
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

async function staleness({ now }: RuleContext, { withinMs }: RuleOf<'fresh'>, relation: Urn) {
  const edges = await bothSides(now, relation);
  const times = edges.flatMap(({ evidence }) => evidence.map(({ observedAt }) => Date.parse(observedAt)));
  if (times.length === 0) return [];
  const newest = Math.max(...times);
  if (newest >= Date.parse(now.view.context.now) - withinMs) return [];
  return [violation(relation, `The relation has not been observed since ${new Date(newest).toISOString()}.`)];
}

async function undeclaredEdges({ now }: RuleContext, { schema }: RuleOf<'no_undeclared_edge'>, relation: Urn) {
  if (schema !== null && !isInSchema(refOf(relation), schema)) return [];
  const edges = activeEdges((await now.edges('in')).get(relation)).filter(isUndeclared);
  const verdicts = await verdictsOf(now.view, edges);
  return edges.flatMap((edge) => {
    const { verdict, reason } = verdictOf(verdicts, edge);
    if (verdict === null) return [];
    return violation(relation, `The edge from ${refOf(edge.other)} is ${verdictText(verdict, reason)}.`);
  });
}

const isUndeclared = ({ evidence }: EvaluatedEdge): boolean => admittedOf(evidence).every(isObserved);

const isInSchema = (ref: string, schema: string): boolean => {
  const [of, wanted] = [ref.slice(0, ref.lastIndexOf('.')).toLowerCase(), schema.toLowerCase()];
  return of === wanted || of.endsWith(`.${wanted}`);
};

async function unconfirmedEdges({ now }: RuleContext, { withinMs }: RuleOf<'confirmed'>, relation: Urn) {
  const since = Date.parse(now.view.context.now) - withinMs;
  const isConfirming = (one: Evidence) => isObserved(one) && Date.parse(one.observedAt) >= since;
  const edges = activeEdges((await now.edges('in')).get(relation)).filter(
    (edge) => !isUndeclared(edge) && !admittedOf(edge.evidence).some(isConfirming),
  );
  if (edges.length === 0) return [];
  const reads = await inlinedReads(now.view, await claimsInto(now.view, [relation]), isConfirming);
  const unconfirmed = edges.filter(({ other }) => !reads.get(relation)?.relations.has(other));
  const span = `${Number((withinMs / 3_600_000).toFixed(2))} hours`;
  return unconfirmed.map(({ other }) =>
    violation(relation, `No run of the last ${span} had the declared edge from ${refOf(other)}.`),
  );
}

async function tooMany(context: RuleContext, rule: RuleOf<'at_most'>, relation: Urn) {
  const { now } = context;
  const side = sideOf[rule.direction];
  const known = rule.columns ? (await now.columns()).get(relation) : null;
  const options = {
    asOf: null,
    includeStale: false,
    minConfidence: 0,
    root: relation,
    columns: known ? columnsOf([...known.values()]) : null,
    maxDepth: maxDepth,
    maxNodes: rule.columns ? maxRelations : Math.min(rule.most + 1, maxRelations),
  };
  const { reached } = (await traverse(now.view, options, [side]))[side];
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
