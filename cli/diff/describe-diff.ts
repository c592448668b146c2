import type { LineageDiff } from '../../shared/contract/diff.ts';
import { findingsOf, matchedWords, undeclaredOf } from '../../shared/domain/lineage/report/diff-report.ts';
import { type Colors, counted, printable } from '../terminal/terminal.ts';

type Grade = LineageDiff['relations'][number]['grade'];

/** What every comparison says; `from` where it is of a scope. */
type Described = Omit<
  LineageDiff,
  'workspace_id' | 'connector_id' | 'from' | 'to' | 'edges' | 'next_cursor' | 'cost' | 'not_evaluated' | 'matched_by'
> &
  Partial<Pick<LineageDiff, 'from' | 'not_evaluated' | 'matched_by'>>;

export function describeDiff(diff: Described, style: Colors): string {
  if (diff.not_evaluated)
    return [style.bold(headline(diff)), style.yellow(`  ${printable(diff.not_evaluated.message)}`)].join('\n');
  const changes = changesOf(diff);
  return [
    style.bold(headline(diff)),
    ...changes.map(({ grade, change, what, why, breaks }) =>
      [
        `  ${colored(grade, style)(grade.padEnd(8))} ${change.padEnd(7)} ${printable(what)}${why ? printable(` (${why})`) : ''}`,
        ...breaks.map((impacted) => style.dim(`             ${printable(impacted)}`)),
      ].join('\n'),
    ),
    ...[undeclaredOf(diff, (text) => text)].flatMap((one) => (one ? `  ${printable(one)}` : [])),
    ...(diff.matched_by ? [style.dim(`  ${matchedWords[diff.matched_by]}`)] : []),
    ...caveatsOf(diff).map((caveat) => style.yellow(`  ${printable(caveat)}`)),
  ].join('\n');
}

const colored = (grade: Grade, { red, yellow, green }: Colors) =>
  ({ breaking: red, risky: yellow, safe: green })[grade];

export function headline({ grade, not_evaluated, summary: { grades }, relations, columns }: Described): string {
  if (not_evaluated) return 'Not evaluated: nothing was compared.';
  if (relations.length + columns.length === 0) return 'Nothing changes.';
  return `${grade}: ${grades.breaking} breaking, ${grades.risky} risky, ${counted(grades.safe, 'safe change')}`;
}

const changesOf = (diff: Described) =>
  findingsOf(diff).map(({ column, relation_ref, because, breaks, ...one }) => ({
    ...one,
    what: column === null ? relation_ref : `${relation_ref} · ${column}`,
    why: because,
    breaks: breaks.map(affectedText),
  }));

const affectedText = ({ grade, relation_ref, columns }: LineageDiff['columns'][number]['breaks'][number]): string =>
  `${grade === 'breaking' ? 'breaks' : 'may break'} ${relation_ref}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`;

function caveatsOf({ relations, columns, truncated, precision }: Described): readonly string[] {
  const unexplored = Math.max(0, ...[...relations, ...columns].map((one) => one.unexplored));
  return [
    ...(unexplored > 0
      ? [`At least ${unexplored} downstream relations are beyond --depth or --nodes and are not listed.`]
      : []),
    ...(truncated.any
      ? [`Truncated: ${truncated.unlisted} changes are not listed, ${truncated.unwalked} not followed.`]
      : []),
    ...(truncated.by_requests ? ['The graph is too dense here to follow completely. Narrow the query.'] : []),
    ...(truncated.by_bytes ? ['The result exceeds the response size limit, so lists are truncated.'] : []),
    ...precision.reasons.map(({ relation_ref, reason }) => `Columns of ${relation_ref} are not compared: ${reason}`),
  ];
}
