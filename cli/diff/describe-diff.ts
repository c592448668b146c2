import { headlineOf, limitLines } from '../../shared/contract/claim-words.ts';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import {
  diffReport,
  effectWords,
  findingsOf,
  matchedWords,
  undeclaredOf,
} from '../../shared/domain/lineage/report/diff-report.ts';
import { type Colors, printable } from '../terminal/terminal.ts';

/** Of a relation on a line of the terminal; `--json` has all. */
const mostColumns = 8;

type Grade = LineageDiff['relations'][number]['grade'];

export function describeDiff(diff: LineageDiff, style: Colors): string {
  if (diff.not_evaluated)
    return [style.bold(headlineOf(diff)), style.yellow(`  ${printable(diff.not_evaluated.message)}`)].join('\n');
  return [
    style.bold(headlineOf(diff)),
    ...findingsOf(diff).flatMap(({ grade, change, column, relation_ref, because, breaks }) => {
      const what = column === null ? relation_ref : `${relation_ref} · ${column}`;
      const text = printable(`${what}${because ? ` (${because})` : ''}`);
      return [
        `  ${colored(grade, style)(grade.padEnd(8))} ${change.padEnd(7)} ${text}`,
        ...breaks.map((one) => style.dim(`             ${printable(effectWords(one, (text) => text, mostColumns))}`)),
      ];
    }),
    ...[undeclaredOf(diff, (text) => text)].flatMap((one) => (one ? `  ${printable(one)}` : [])),
    ...(diff.matched_by ? [style.dim(`  ${matchedWords[diff.matched_by]}`)] : []),
    ...limitLines(diff.claim).map((line) => style.yellow(`  ${printable(line)}`)),
  ].join('\n');
}

const colored = (grade: Grade, { red, yellow, green }: Colors) =>
  ({ breaking: red, risky: yellow, safe: green })[grade];

/** A comparison as Markdown, for a comment on a pull request. Names of the data are no markup in it. */
export const diffMarkdown = (diff: LineageDiff): string =>
  diffReport(diff, { heading: `### Lineage\n\n**${headlineOf(diff)}**` });
