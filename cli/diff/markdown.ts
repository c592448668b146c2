import type { LineageDiff } from '../../shared/contract/diff.ts';
import { printable } from '../terminal/printable.ts';
import { caveatsOf, changesOf, headline } from './describe-diff.ts';

const listed = 100;

/** A comparison as Markdown, for a comment on a pull request. Names of the data are no markup in it. */
export function diffMarkdown(diff: LineageDiff): string {
  const changes = changesOf(diff);
  const rows = changes
    .slice(0, listed)
    .map(({ grade, change, what, why, breaks }) =>
      row([grade, change, code(what), text(why), breaks.map((one) => text(one)).join('<br>')]),
    );
  const more = changes.length - listed;
  return [
    '### Lineage',
    '',
    `**${headline(diff)}**`,
    ...(rows.length > 0
      ? ['', row(['Grade', 'Change', 'Of', 'Because', 'Downstream']), row(['---', '---', '---', '---', '---']), ...rows]
      : []),
    ...(more > 0 ? ['', `And ${more} more.`] : []),
    ...caveatsOf(diff).flatMap((caveat) => ['', `> ${text(caveat)}`]),
  ].join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Escaped for a cell: neither HTML, nor a mention, nor a link, nor another cell. */
const text = (plain: string): string =>
  printable(plain)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]()#|~!@]/g, '\\$&');

const code = (plain: string): string => `\`${printable(plain).replaceAll('`', 'ˋ').replaceAll('|', '\\|')}\``;
