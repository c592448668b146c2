import { type ClaimKind, type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import type { LineageDiff } from '../../../../contract/diff.ts';
import type { WorkspaceId } from '../../../../contract/ids.ts';
import { exposureWithoutColumns } from '../../graph/exposure.ts';
import { refOf, type Urn } from '../../graph/node.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { claimOf, type Found } from '../claim/claim.ts';
import { type StaleRelation, staleLimits } from '../claim/hidden-edges.ts';
import { namedSources, sourceLimits } from '../claim/sources.ts';
import { wayLimits } from '../claim/way-limits.ts';
import type { Graded } from './change-impact.ts';

type Unclaimed = Omit<LineageDiff, 'claim' | 'cost'>;

type Walked = {
  readonly graded: Graded;
  /** What only edges reach that the walks did not follow. */
  readonly hidden: readonly StaleRelation[];
  /** The moment that the walks are of: ISO time, or null for now. */
  readonly asOf: string | null;
  /** Whether other pages came before. */
  readonly isPart?: boolean;
};

export const nothingWalked: Walked = { graded: { relations: [], columns: [] }, hidden: [], asOf: null };

/** The comparison with its claim; it is safe only if nothing known breaks (C-CLAIM-7). Reads the sources in one request. */
export async function withClaim(
  view: GraphView<'sources' | 'unfinished'>,
  diff: Unclaimed,
  { graded, hidden, asOf, isPart = false }: Walked,
): Promise<Omit<LineageDiff, 'cost'>> {
  const { now } = view.context;
  const ways = waysOf(graded);
  const [sources, way] = await Promise.all([
    namedSources(view, diff.workspace_id as WorkspaceId),
    wayLimits(view, ways),
  ]);
  const limits = [
    ...diffLimits(diff, isPart),
    ...contentsLimits(graded),
    ...way,
    ...staleLimits(hidden, asOf ?? now),
    ...sourceLimits(sources, {
      owners: new Set([diff.connector_id]),
      relations: ways.map(refOf),
      context: view.context,
      asOf,
    }),
  ];
  const claim = claimOf(foundBy(graded), limits, sources.until);
  return { ...withGrade(diff, claim.kind, limits), precision: { reasons: reasonsWith(diff, hidden) }, claim };
}

export const gradeOf = {
  breaks: 'breaking',
  may_break: 'risky',
  nothing_known_breaks: 'safe',
  not_evaluated: 'not_evaluated',
} as const satisfies Record<ClaimKind, LineageDiff['grade']>;

/** The grade says what the claim does; evidence that waits is the reason if nothing else is. */
function withGrade(diff: Unclaimed, kind: ClaimKind, limits: readonly ClaimLimit[]): Unclaimed {
  const grade = gradeOf[kind];
  if (kind !== 'not_evaluated' || diff.not_evaluated) return { ...diff, grade };
  const late = limits.find(({ code }) => code === 'evidence_waits');
  const message = [late?.text, late?.how_to_lift].filter(Boolean).join(' ');
  return { ...diff, grade, not_evaluated: { reason: 'evidence_waits', message, linked_projects: [] } };
}

/** What goes or means something else, and what that reaches. */
const waysOf = ({ relations, columns }: Graded): Urn[] => {
  const changed = [
    ...relations.filter(
      ({ change, reasons }) => change !== 'added' && reasons.some((one) => one !== 'formatting_only'),
    ),
    ...columns.filter(({ change }) => change !== 'added'),
  ];
  return [...new Set(changed.flatMap(({ relation, effect }) => [relation, ...effect.impacted.map(({ urn }) => urn)]))];
};

/** Each relation that a change breaks, or puts at risk, counts once. */
function foundBy({ relations, columns }: Graded): Found {
  const grades = new Map<Urn, 'breaking' | 'risky'>();
  for (const { effect } of [...relations, ...columns])
    for (const { urn, grade } of effect.impacted) if (grades.get(urn) !== 'breaking') grades.set(urn, grade);
  const breaks = [...grades.values()].filter((grade) => grade === 'breaking').length;
  return { breaks, may_break: grades.size - breaks };
}

/** Changes at risk that reach nothing in the graph, and columns that only a full refresh changes. */
function contentsLimits({ relations, columns }: Graded): ClaimLimit[] {
  const open = [...relations, ...columns].filter(
    ({ effect: { grade, impacted, walked } }) => walked && grade !== 'safe' && impacted.length === 0,
  );
  const held = namesOf(columns.flatMap(({ isHeld, relation }) => (isHeld ? relation : [])));
  const others = namesOf(open.map(({ relation }) => relation)).filter((name) => !held.includes(name));
  return [
    ...(held.length > 0 ? [limitOf('full_refresh_needed', { subjects: held })] : []),
    ...(others.length > 0 ? [limitOf('contents_changed', { subjects: others })] : []),
  ];
}

const namesOf = (urns: readonly Urn[]): string[] => [...new Set(urns.map(refOf))].sort();

function diffLimits(diff: Unclaimed, isPart: boolean): ClaimLimit[] {
  const { not_evaluated, truncated, next_cursor, from } = diff;
  if (not_evaluated) return [limitOf(not_evaluated.reason, { detail: not_evaluated.message })];
  const count = [...diff.relations, ...diff.columns].reduce((sum, { unexplored }) => Math.max(sum, unexplored), 0);
  const isSentInPart = from.kind === 'scope' && from.found && from.last_complete_snapshot_at === null;
  return [
    ...(isSentInPart ? [limitOf('project_sent_in_part')] : []),
    ...(isPart || next_cursor !== null ? [limitOf('compared_in_part')] : []),
    ...(count > 0 ? [limitOf('not_followed_further', { count })] : []),
    ...(truncated.unwalked > 0 ? [limitOf('changes_not_followed', { count: truncated.unwalked })] : []),
    ...(truncated.unlisted > 0 ? [limitOf('changes_not_listed', { count: truncated.unlisted })] : []),
    ...(truncated.by_requests ? [limitOf('cut_by_requests')] : []),
    ...(truncated.by_bytes ? [limitOf('cut_by_size')] : []),
    ...columnLimits(diff),
  ];
}

/** Columns that are not known block where the relation changes in more than its form; elsewhere they stand beside. */
function columnLimits({ precision: { reasons }, relations }: Unclaimed): ClaimLimit[] {
  const changed = new Set(
    relations.flatMap(({ relation_ref, change, reasons: why }) =>
      change === 'changed' && why.some((one) => one !== 'formatting_only') ? [relation_ref] : [],
    ),
  );
  const open = reasons.filter(({ reason }) => reason !== exposureWithoutColumns);
  const groups = Map.groupBy(open, ({ relation_ref, reason }) => `${changed.has(relation_ref)} ${reason}`);
  return [...groups.values()].map((all) => {
    const [{ relation_ref = '', reason = '' } = {}] = all;
    const limit = limitOf('columns_unknown', { subjects: all.map((one) => one.relation_ref), detail: reason });
    return changed.has(relation_ref) ? limit : { ...limit, blocks: false };
  });
}

const reasonsWith = (
  { precision }: Unclaimed,
  hidden: readonly StaleRelation[],
): LineageDiff['precision']['reasons'] => [
  ...precision.reasons,
  ...hidden.map(({ urn, reason }) => ({ relation_ref: refOf(urn), reason })),
];
