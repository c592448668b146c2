import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitOf } from '../../../shared/contract/claim.ts';
import type { LineageDiff } from '../../../shared/contract/diff.ts';
import { annotationsOf } from '../../../shared/domain/codehost/pull-requests/check-report.ts';
import { claimOf } from '../../../shared/domain/lineage/queries/claim/claim.ts';
import {
  diffReport,
  effectWords,
  findingsOf,
  label,
  tableReport,
} from '../../../shared/domain/lineage/report/diff-report.ts';

type Break = Pick<LineageDiff['columns'][number]['breaks'][number], 'relation_ref' | 'columns'>;
type Statement = { readonly relation: string; readonly column: string; readonly breaks: readonly Break[] };

const none = { added: 0, removed: 0, changed: 0 };
const side = {
  kind: 'scope',
  as_of: null,
  scope_key: null,
  last_complete_snapshot_at: '2026-01-01T00:00:00Z',
} as const;

/** A comparison where each of these columns was removed and breaks something. */
const diffOf = (removed: readonly Statement[]): LineageDiff => ({
  workspace_id: 'ws',
  connector_id: 'con',
  from: { ...side, found: true },
  to: { ...side, found: true },
  grade: 'breaking',
  not_evaluated: null,
  matched_by: null,
  summary: { relations: none, edges: none, columns: none, grades: { safe: 0, risky: 0, breaking: removed.length } },
  relations: [],
  edges: [],
  columns: removed.map(({ relation, column, breaks }) => ({
    change: 'removed',
    relation_ref: relation,
    column,
    before: null,
    after: null,
    grade: 'breaking',
    breaks: breaks.map((one) => ({
      kind: 'table',
      depth: 1,
      via: [],
      grade: 'breaking',
      ...one,
      columns: [...one.columns],
    })),
    unexplored: 0,
    walked: true,
  })),
  undeclared: {
    edges: removed.map(({ relation }) => ({ upstream: relation, downstream: 'x', verdict: 'observed_only' as const })),
    complete: true,
  },
  precision: { reasons: removed.map(({ relation }) => ({ relation_ref: relation, reason: 'select_star' })) },
  truncated: { any: false, by_requests: false, by_bytes: false, unlisted: 0, unwalked: 0 },
  next_cursor: null,
  claim: claimOf(
    { breaks: removed.length, may_break: 0 },
    [limitOf('columns_unknown', { subjects: removed.map(({ relation }) => relation), detail: 'select_star' })],
    null,
  ),
  cost: { requests: 0, read_units: 0 },
});

const hostile = fc.oneof(
  fc.constantFrom(
    '| x | y |',
    '\\|',
    '\\\\|',
    '`',
    '``',
    '` `',
    '```\n',
    '<script>',
    '<!--',
    '-->',
    '<img src=x onerror=y>',
    '](x)',
    '![',
    '@org/team',
    '#1',
    'https://x.test',
    'www.x.test',
    '**b**',
    '%%{init: {}}%%',
    '"]',
    '#quot;',
    '&quot;',
    '\u202e',
    '\r\n',
    '---',
    '- [ ] ',
    'end',
    ';',
    '{',
    '\ud800',
    '',
  ),
  fc.string({ unit: 'grapheme' }),
);
const name = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''));
const statement = fc.record({
  relation: name,
  column: name,
  breaks: fc.array(fc.record({ relation_ref: name, columns: fc.array(name, { maxLength: 3 }) }), { maxLength: 4 }),
});
const report = (removed: readonly Statement[], owners: readonly string[] = []) =>
  diffReport(diffOf(removed), { heading: 'Heading', ownersOf: () => owners });

/** Cells of a row of a table, as GitHub splits it before it reads anything in it. */
const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:\\[!-/:-@[-`{-~]|[^|])+/g)].map(([cell]) => cell.trim()).filter((cell) => cell !== '');

/** What is left of a line once its code is taken out, as CommonMark finds it: a run of backticks ends at one as long. */
const withoutCode = (line: string): string =>
  line
    .replaceAll(/(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)/g, '·')
    .replaceAll(/<code>(?:[^!-/:-@[-`{-~]|&#\d+;)*<\/code>/gu, '·');

it('names the first columns of a relation that a change breaks, and counts the others', () => {
  const effect = { kind: 'table', depth: 1, via: [] as string[], relation_ref: 'a.b' };
  const words = (columns: string[]) => effectWords({ ...effect, grade: 'breaking', columns }, (text) => text, 2);
  expect(['x y', 'x y z', ''].map((text) => words(text === '' ? [] : text.split(' ')))).toEqual([
    'breaks a.b: x, y',
    'breaks a.b: x, y, and 1 more',
    'breaks a.b',
  ]);
});

describe('the report of a comparison (C-CODEHOST-11)', () => {
  it('has names only as code, whatever they are: in tables, in lists and in the graph', () => {
    fc.assert(
      fc.property(
        fc.array(statement, { minLength: 1, maxLength: 4 }),
        fc.array(name, { maxLength: 3 }),
        (removed, owners) => {
          const lines = report(removed, owners).split('\n');
          const [start, end] = [lines.indexOf('```mermaid'), lines.lastIndexOf('```')];
          for (const line of start < 0 ? [] : lines.slice(start + 1, end))
            expect(line).toMatch(
              /^(?:graph LR| {2}n\d+\["(?:[\p{L}\p{N}\p{M} ._/:-]|#\d+;)*"\]| {2}n\d+ (?:-- breaks -->|-\. may break \.->) n\d+)$/u,
            );
          const texts = lines.toSpliced(Math.max(0, start), start < 0 ? 0 : end - start + 1);
          for (const line of texts.filter((one) => one.startsWith('- ')))
            expect(withoutCode(line)).toMatch(/^- Columns of \d+ relations? are not known: select star \(·(, ·)*\)\. /);
          const rows = texts.filter((one) => one.startsWith('|')).slice(2);
          expect(rows).toHaveLength(removed.length);
          for (const line of rows) {
            expect(cellsOf(line).length).toBeLessThanOrEqual(6);
            expect(withoutCode(line)).toMatch(
              /^\| breaking \| removed \| · · · \| {2}\| (?:breaks ·(?:: ·(?:, ·)*)?(?:<br>)?)* \| (?:· ?)* ?\|$/,
            );
          }
        },
      ),
    );
  });

  it('says a name as it is, if a reader sees it', () => {
    for (const one of ['crm.core.orders', 's3://bucket/a_b*c', 'x@y#1', 'a b'])
      expect(report([{ relation: one, column: 'c', breaks: [] }])).toContain(`\`${one}\` · \`c\``);
    expect(report([{ relation: 'a`b|c\\d', column: 'c', breaks: [] }])).toContain('<code>a&#96;b&#124;c&#92;d</code>');
    expect(label('a"b%%{x}')).toBe('"a#34;b#37;#37;#123;x#125;"');
  });

  it('is never longer than hosts take, and counts what it leaves out', () => {
    const long = (i: number) => `${i}${'"|`'.repeat(300)}`;
    const breaks = Array.from({ length: 60 }, (_, i) => ({ relation_ref: long(i), columns: Array(300).fill(long(i)) }));
    for (const removed of [
      Array.from({ length: 500 }, (_, i) => ({ relation: long(i), column: long(i), breaks: [] })),
      [{ relation: long(0), column: 'c', breaks }],
      Array.from({ length: 2_000 }, (_, i) => ({ relation: `r${i}`, column: 'c', breaks: [] })),
    ]) {
      const text = report(removed, [long(1)]);
      expect(text.length).toBeLessThanOrEqual(65_535);
      expect(text).toMatch(/And \d+ more changes\.$/);
    }
  });
});

describe('a row of a comparison', () => {
  const numbered = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text}_${i}`);
  const cell = (breaks: readonly Break[]) =>
    (
      report([{ relation: 'a', column: 'c', breaks }], [])
        .split('\n')
        .at(-1) ?? ''
    )
      .split(' | ')
      .at(-2) ?? '';

  it.each([
    [20, 20, null],
    [21, 20, 'and 1 more'],
  ])('with %i broken relations names %i of them', (count, named, rest) => {
    const lines = cell(numbered(count, 't').map((relation_ref) => ({ relation_ref, columns: [] }))).split('<br>');
    expect(lines.filter((line) => line.startsWith('breaks '))).toHaveLength(named);
    expect(lines.slice(named)).toEqual(rest === null ? [] : [rest]);
  });

  it.each([
    [20, 20, false],
    [21, 20, true],
  ])('with %i broken columns names %i of them', (count, named, isCut) => {
    const text = cell([{ relation_ref: 't', columns: numbered(count, 'c') }]);
    expect(text.match(/c_\d+/g)).toHaveLength(named);
    expect(text.includes('1 more')).toBe(isCut);
  });
});

describe('rows as a comment', () => {
  it('are a table below a sentence, without markup from names, and cut to what hosts take', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => [`a|b${index}`, '@team <b>']);
    const text = tableReport({ sentence: '`x` breaks', limits: ['`y` is not known'] }, [
      ['Relation', 'Columns'],
      ...rows,
    ]);
    expect(text.split('\n').slice(0, 11)).toEqual([
      '### Lineage',
      '',
      '&#96;x&#96; breaks',
      '',
      '**Not known:**',
      '',
      '- &#96;y&#96; is not known',
      '',
      '| Relation | Columns |',
      '| --- | --- |',
      '| <code>a&#124;b0</code> | &#64;team &#60;b&#62; |',
    ]);
    expect(text.length).toBeLessThanOrEqual(65_535);
    expect(text).toMatch(/And \d+ more relations\.$/);
  });
});

describe('the annotations of a comparison (C-CODEHOST-11)', () => {
  const files = { fileOf: () => ({ path: 'models/a.sql', code: '' }), ownersOf: () => ['@org/team'] };

  it('are of a size that the host takes, on lines that hide nothing', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 4 }), (removed) => {
        for (const { title, message } of annotationsOf(files, findingsOf(diffOf(removed)))) {
          expect(title.length).toBeLessThanOrEqual(255);
          expect(title.isWellFormed()).toBe(true);
          expect(title + message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        }
      }),
    );
    const wide = { relation_ref: '💥'.repeat(500), columns: Array(400).fill('💥'.repeat(200)) };
    const removed = [{ relation: '💥'.repeat(500), column: 'c', breaks: Array(400).fill(wide) }];
    for (const { title, message } of annotationsOf(files, findingsOf(diffOf(removed)))) {
      expect(title.length).toBeLessThanOrEqual(255);
      expect(title.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(64 * 1024);
      expect(message).toMatch(/And \d+ more/);
    }
  });

  it('name no owner of relations without a file in the repository', () => {
    const diff = diffOf([{ relation: 'a', column: 'c', breaks: [{ relation_ref: 's3://x', columns: ['c'] }] }]);
    const ownersOf = (ref: string) => (ref === 'a' ? ['@org/team'] : []);
    const fileOf = (ref: string) => (ref === 'a' ? { path: 'a.sql', code: '' } : null);
    expect(annotationsOf({ fileOf, ownersOf }, findingsOf(diff)).map(({ message }) => message)).toEqual([
      'Breaks s3://x (c).',
    ]);
  });
});
