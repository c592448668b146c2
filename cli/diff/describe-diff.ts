import { headlineOf, limitLines } from '../../shared/contract/claim-words.ts';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { findingsOf, matchedWords, undeclaredOf } from '../../shared/domain/lineage/report/diff-report.ts';
import { type Colors, printable } from '../terminal/terminal.ts';

type Grade = LineageDiff['relations'][number]['grade'];

export function describeDiff(diff: LineageDiff, style: Colors): string {
  if (diff.not_evaluated)
    return [style.bold(headlineOf(diff)), style.yellow(`  ${printable(diff.not_evaluated.message)}`)].join('\n');
  const changes = changesOf(diff);
  return [
    style.bold(headlineOf(diff)),
    ...changes.map(({ grade, change, what, why, breaks }) =>
      [
        `  ${colored(grade, style)(grade.padEnd(8))} ${change.padEnd(7)} ${printable(what)}${why ? printable(` (${why})`) : ''}`,
        ...breaks.map((impacted) => style.dim(`             ${printable(impacted)}`)),
      ].join('\n'),
    ),
    ...[undeclaredOf(diff, (text) => text)].flatMap((one) => (one ? `  ${printable(one)}` : [])),
    ...(diff.matched_by ? [style.dim(`  ${matchedWords[diff.matched_by]}`)] : []),
    ...limitLines(diff.claim).map((line) => style.yellow(`  ${printable(line)}`)),
  ].join('\n');
}

const colored = (grade: Grade, { red, yellow, green }: Colors) =>
  ({ breaking: red, risky: yellow, safe: green })[grade];

const changesOf = (diff: LineageDiff) =>
  findingsOf(diff).map(({ column, relation_ref, because, breaks, ...one }) => ({
    ...one,
    what: column === null ? relation_ref : `${relation_ref} · ${column}`,
    why: because,
    breaks: breaks.map(affectedText),
  }));

const affectedText = ({ grade, relation_ref, columns }: LineageDiff['columns'][number]['breaks'][number]): string =>
  `${grade === 'breaking' ? 'breaks' : 'may break'} ${relation_ref}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`;
