import { describe, expect, it } from 'vitest';
import { compareLines } from '../../web/src/changes/compare-lines.ts';

const statement = (...lines: string[]) => ['select', ...lines, 'from charges', 'where paid', 'limit 10'].join('\n');
const shown = (lines: ReturnType<typeof compareLines>['before']) =>
  lines.map(({ number, text, differs }) => `${number}${differs ? '!' : ' '}${text}`);

describe('two statements beside each other', () => {
  it('show the lines that differ, with two around them, under their own numbers', () => {
    const { before, after } = compareLines(statement('  a,', '  b,', '  c'), statement('  a,', '  x,', '  y,', '  c'));
    expect(shown(before)).toEqual(['1 select', '2   a,', '3!  b,', '4   c', '5 from charges']);
    expect(shown(after)).toEqual(['1 select', '2   a,', '3!  x,', '4!  y,', '5   c', '6 from charges']);
  });

  it('do not differ in how far a line is indented', () => {
    const { before, after } = compareLines(statement('a', 'b'), statement('    a', '  b'));
    expect([...before, ...after].filter(({ differs }) => differs)).toEqual([]);
  });

  it('start at the first line if only the other side has more', () => {
    const { before, after } = compareLines('a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\nf\ng');
    expect([before.length, shown(after)]).toEqual([5, ['5 e', '6 f', '7!g']]);
  });

  it('are compared within their memory however long they are', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
    const { after } = compareLines(lines.join('\n'), lines.with(10_000, 'other').join('\n'));
    expect(shown(after)).toEqual([
      '9999 line 9998',
      '10000 line 9999',
      '10001!other',
      '10002 line 10001',
      '10003 line 10002',
    ]);
    const others = lines.map((line, i) => (i % 2 === 0 ? line : `${line} b`));
    expect(compareLines(lines.join('\n'), others.join('\n')).after).toHaveLength(20_000);
  });
});
