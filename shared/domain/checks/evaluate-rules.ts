import type { WorkspaceId } from '../../contract/ids.ts';
import type { Urn } from '../graph/node.ts';
import type { Check, Violation } from './check.ts';
import type { Rule } from './expectation.ts';
import { relationFacts } from './relation-facts.ts';
import { type RelationRule, violationsOf } from './relation-rules.ts';
import { inScope } from './scope.ts';
import { gapViolations, pathViolations, relationNamed, type WorkspaceRulePorts } from './workspace-rules.ts';

type Found = {
  readonly found: readonly Violation[];
  /** The relations that the rules were evaluated for. */
  readonly relations: readonly Urn[];
  /** True if a rule reads all relations of the scope, and not only one that it names. */
  readonly readsScope: boolean;
  /** True where a rule names a relation that the scope leaves out: it looked at nothing. */
  readonly outsideScope: boolean;
};

const relationsPerBatch = 200;

/**
 * What breaks the rules of a check, among relations of its scope and in its workspace. Calls `relationsOfScope` only if
 * a rule needs them: it reads the names of a whole graph. Throws Undecided.
 */
export async function evaluateRules(
  ports: WorkspaceRulePorts,
  check: Check,
  rules: readonly Rule[],
  relationsOfScope: () => Promise<readonly Urn[]>,
): Promise<Found> {
  const workspace = check.workspace_id;
  const found: Violation[] = [];
  for (const rule of rules) {
    if (rule.kind === 'path') found.push(...(await pathViolations(ports, workspace, rule)));
    if (rule.kind === 'no_open_gap') found.push(...(await gapViolations(ports, workspace, rule)));
  }
  const placed = await Promise.all(
    rules.filter(isOfRelations).map(async (rule) => ({ rule, only: await relationOf(ports, workspace, rule) })),
  );
  const matches = inScope(check.scope);
  const readsScope = placed.some(({ only }) => only === null);
  const named = new Set(placed.flatMap(({ only }) => (only !== null && matches(only) ? [only] : [])));
  const relations = readsScope ? await relationsOfScope() : [...named];
  for (let from = 0; from < relations.length; from += relationsPerBatch) {
    found.push(...(await evaluateBatch(ports, check, placed, relations.slice(from, from + relationsPerBatch))));
  }
  const outsideScope = placed.some(({ only }) => only !== null && !matches(only));
  return { found, relations, readsScope, outsideScope };
}

/** The others are about the workspace, whatever the scope is. */
const isOfRelations = (rule: Rule): rule is RelationRule => rule.kind !== 'path' && rule.kind !== 'no_open_gap';

/** A rule with the one relation that it is about; null: all of the scope. */
type PlacedRule = { readonly rule: RelationRule; readonly only: Urn | null };

const relationOf = async (ports: WorkspaceRulePorts, workspace: WorkspaceId, rule: RelationRule) =>
  rule.kind === 'columns_have_sources' && rule.of !== null ? relationNamed(ports, workspace, rule.of) : null;

async function evaluateBatch(
  ports: WorkspaceRulePorts,
  { workspace_id: workspace, baseline_at }: Check,
  rules: readonly PlacedRule[],
  relations: readonly Urn[],
): Promise<Violation[]> {
  const now = relationFacts(ports, { workspace, relations, asOf: null });
  const before = relationFacts(ports, { workspace, relations, asOf: baseline_at });
  const found: Violation[] = [];
  for (const { rule, only } of rules) {
    for (const relation of relations) {
      if (only !== null && only !== relation) continue;
      found.push(...(await violationsOf({ ports, workspace, now, before }, rule, relation)));
    }
  }
  return found;
}
