import { limitOf } from '../../../contract/claim.ts';
import { limits } from '../../../contract/limits.ts';
import type { EvaluateCheck } from '../../../contract/messages.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import type { NodeId, Urn } from '../../lineage/graph/node.ts';
import { historyDays } from '../../lineage/graph/order.ts';
import { claimOf } from '../../lineage/queries/claim/claim.ts';
import { namedSources, sourceLimits } from '../../lineage/queries/claim/sources.ts';
import type { GraphQuery } from '../../lineage/traversal/graph-view.ts';
import { openGraphWithPast, type QueryReader } from '../../lineage/traversal/open-graph.ts';
import type { StoredRecord } from '../../workspaces/access/records.ts';
import type { Check, CheckResult, CheckStatus, CheckStore, Violation } from './check.ts';
import { comparesTimes, evaluateRules } from './evaluate-rules.ts';
import { expectationMessage, parseExpectation } from './expectation.ts';
import { batchesInScope, touchedBatches } from './scope.ts';
import { type RuleQuery, Undecided } from './workspace-rules.ts';

type Results = { readonly checks: CheckStore; readonly randomBytes: (count: number) => Uint8Array };

type CheckQuery = RuleQuery & GraphQuery<'sources'> & { readonly reader: Results };

type Evaluation = {
  readonly check: Check;
  /** The nodes that were touched; null: the whole scope. */
  readonly nodes: readonly NodeId[] | null;
  readonly deliveryId: string | null;
};

const maxAttempts = 25;

/** Joins what it finds to the rest's violations. If overtaken it looks again, unless by a later, whole evaluation. */
async function evaluateCheck(query: CheckQuery, evaluation: Evaluation): Promise<CheckResult> {
  const { workspace_id: workspace, id } = evaluation.check;
  let before = await query.reader.checks.status(workspace, id);
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { outcome, whole } = await outcomeOf(query, evaluation, before?.record ?? null);
    const claim = await claimOfCheck(query, workspace, outcome);
    const result = { ...resultOf(query, evaluation, before, outcome), claim };
    const whole_at = whole ? query.context.now : (before?.record.whole_at ?? query.context.now);
    if (await query.reader.checks.commit(before, { result, whole_at })) return result;
    before = await query.reader.checks.status(workspace, id);
    if (before && isShared(query.context.now, evaluation, before.record)) return before.record.result;
  }
  throw new Problem('conflict');
}

/** What a check proves is no more than what its sources delivered by then (C-CHECK-11). */
async function claimOfCheck(
  query: CheckQuery,
  workspace: Check['workspace_id'],
  { state, violations }: Outcome,
): Promise<NonNullable<CheckResult['claim']>> {
  const sources = await namedSources(query, workspace);
  const isDecided = state === 'passed' || state === 'failed';
  const detail = violations[0]?.message ?? '';
  const limits = [
    ...(isDecided ? [] : [limitOf('check_not_evaluated', { detail })]),
    ...sourceLimits(sources, { owners: null, context: query.context, asOf: null, relations: [] }),
  ];
  return claimOf({ breaks: state === 'failed' ? violations.length : 0, may_break: 0 }, limits, sources.until);
}

/** Whether another evaluation looked at all that this one looks at, and not before. */
const isShared = (now: string, { check }: Evaluation, { result, whole_at }: CheckStatus): boolean =>
  result.definition_version === check.definition_version &&
  result.baseline_at === check.baseline_at &&
  Date.parse(whole_at) >= Date.parse(now);

type Outcome = Pick<CheckResult, 'state'> & { readonly violations: readonly Violation[] };

async function outcomeOf(query: CheckQuery, { check, nodes }: Evaluation, known: CheckStatus | null) {
  const expectation = parseExpectation(check.expectation);
  if (!expectation.ok) return { outcome: notEvaluated(expectationMessage(expectation.error)), whole: true };
  const isOld = Date.parse(query.context.now) - Date.parse(check.baseline_at) > historyDays * 86_400_000;
  if (isOld && expectation.rules.some(comparesTimes)) {
    return {
      outcome: notEvaluated(
        'The baseline is older than the retained history. Accept the current graph as the new baseline.',
      ),
      whole: true,
    };
  }
  const whole = nodes === null || !canJoin(check, known);
  try {
    const { found, relations, readsScope, outsideScope } = await evaluateRules(
      query,
      check,
      expectation.rules,
      (walks) => (whole ? batchesInScope(query, check, walks) : touchedBatches(query, check, nodes ?? [])),
    );
    const retained = whole ? [] : unchangedResults(known, relations);
    const violations = [...found, ...retained];
    if (violations.length === 0) {
      const isEmpty = whole && readsScope && relations.length === 0;
      if (isEmpty || outsideScope) return { outcome: notEvaluated(isEmpty ? emptyScope : namedOutside), whole };
    }
    return { outcome: { state: violations.length > 0 ? 'failed' : 'passed', violations } as const, whole };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    const { message, relationRef: relation_ref } = error;
    const violation = { about: null, ...(relation_ref !== undefined && { relation_ref }), message };
    return { outcome: { state: 'error', violations: [violation] } as const, whole: true };
  }
}

const emptyScope = 'No relation matches the scope of the check, so nothing was evaluated.';
const namedOutside = 'A relation in the expectation is outside the scope of the check, so nothing was evaluated.';

const notEvaluated = (message: string): Outcome => ({ state: 'not_evaluated', violations: [{ about: null, message }] });

/** What stands was found by the same definition, and is listed whole. */
const canJoin = (check: Check, known: CheckStatus | null): boolean =>
  known !== null &&
  (known.result.state === 'passed' || known.result.state === 'failed') &&
  known.result.definition_version === check.definition_version &&
  known.result.baseline_at === check.baseline_at &&
  known.result.violations.length === known.result.violations_total;

function unchangedResults(known: CheckStatus | null, relations: readonly Urn[]): Violation[] {
  const looked = new Set<string>(relations);
  return (known?.result.violations ?? []).filter(({ about }) => about !== null && !looked.has(about));
}

/** The last result again where nothing but the time is another. */
function resultOf(
  query: CheckQuery,
  { check, deliveryId }: Evaluation,
  before: StoredRecord<CheckStatus> | null,
  outcome: Outcome,
): CheckResult {
  const last = before?.record.result ?? null;
  const content = contentOf(check, outcome);
  if (
    last &&
    Object.entries(content).every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(last[name as keyof CheckResult]),
    )
  ) {
    return { ...last, evaluated_at: query.context.now };
  }
  const continues = last?.state === content.state && last.definition_version === check.definition_version;
  return {
    ...content,
    workspace_id: check.workspace_id,
    id: resultId(query, last),
    check_id: check.id,
    evaluated_at: query.context.now,
    since: continues ? last.since : query.context.now,
    delivery_id: deliveryId,
  };
}

function contentOf(check: Check, { state, violations }: Outcome) {
  const sorted = violations
    .map((one) => JSON.stringify(one))
    .sort()
    .map((one): Violation => JSON.parse(one));
  return {
    definition_version: check.definition_version,
    baseline_at: check.baseline_at,
    state,
    severity: check.severity,
    violations: sorted.slice(0, limits.agentCheck.violations),
    violations_total: sorted.length,
  };
}

/** In the order of the results, also where the clock of who evaluates is behind that of who did before. */
function resultId({ reader, context }: CheckQuery, last: CheckResult | null): string {
  const [, before = '0'] = last?.id.split('_') ?? [];
  const time = Math.max(Date.parse(context.now), Number(before) + 1);
  return `res_${String(time).padStart(14, '0')}_${Buffer.from(reader.randomBytes(6)).toString('base64url')}`;
}

export type CheckRunner = QueryReader & CheckQuery['reader'] & { readonly clock: Clock };

export async function evaluateQueued(runner: CheckRunner, message: EvaluateCheck): Promise<void> {
  const found = await runner.checks.find(message.workspace_id, message.check_id);
  if (!found?.record.enabled) return;
  // The queue carries what `touchedChecks` wrote: ids of nodes.
  const nodes = message.nodes as readonly NodeId[] | null;
  await runEvaluation(runner, { check: found.record, nodes, deliveryId: message.caused_by });
}

export const runCheck = (runner: CheckRunner, check: Check): Promise<CheckResult> =>
  runEvaluation(runner, { check, nodes: null, deliveryId: null });

async function runEvaluation(runner: CheckRunner, evaluation: Evaluation): Promise<CheckResult> {
  const workspace = evaluation.check.workspace_id;
  return evaluateCheck(await openGraphWithPast(runner, workspace, runner.clock.now()), evaluation);
}
