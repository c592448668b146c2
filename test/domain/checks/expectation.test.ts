import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectationMessage, parseExpectation } from '../../../shared/domain/agents/checks/expectation.ts';

const rulesOf = (text: string) => {
  const parsed = parseExpectation(text);
  if (!parsed.ok) throw new Error(expectationMessage(parsed.error));
  return parsed.rules;
};

describe('an expectation', () => {
  it.each([
    ['no new upstream', { kind: 'no_new', direction: 'upstream' }],
    ['No New DOWNSTREAM', { kind: 'no_new', direction: 'downstream' }],
    ['no removed relation', { kind: 'no_removed_relation' }],
    ['no removed column', { kind: 'no_removed_column' }],
    ['every column has a source', { kind: 'columns_have_sources', of: null }],
    ['every column of core.orders has a source', { kind: 'columns_have_sources', of: 'core.orders' }],
    ['confidence at least 0.8', { kind: 'confidence', atLeast: 0.8 }],
    ['fresh within 90 minutes', { kind: 'fresh', withinMs: 5_400_000 }],
    ['fresh within 24 h', { kind: 'fresh', withinMs: 86_400_000 }],
    ['fresh within 1.5 days', { kind: 'fresh', withinMs: 129_600_000 }],
    ['no path from raw.a to core.b', { kind: 'path', from: 'raw.a', to: 'core.b', wanted: false }],
    ['path from "raw.a" to core."b c"', { kind: 'path', from: 'raw.a', to: 'core."b c"', wanted: true }],
    ["path from 'raw.a' to and", { kind: 'path', from: 'raw.a', to: 'and', wanted: true }],
    ['at most 5 downstream', { kind: 'at_most', most: 5, direction: 'downstream', columns: false }],
    ['at most 5 upstream relations', { kind: 'at_most', most: 5, direction: 'upstream', columns: false }],
    ['at most 0 upstream columns', { kind: 'at_most', most: 0, direction: 'upstream', columns: true }],
    ['no open gap', { kind: 'no_open_gap', type: null }],
    ['no open gap of type SILENT_provider', { kind: 'no_open_gap', type: 'silent_provider' }],
    ['no stale edge', { kind: 'no_stale_edge' }],
    ['no undeclared edge', { kind: 'no_undeclared_edge', schema: null }],
    ['no undeclared edges into schema core', { kind: 'no_undeclared_edge', schema: 'core' }],
    ['every declared edge confirmed within 30 days', { kind: 'confirmed', withinMs: 2_592_000_000 }],
  ])('reads "%s"', (text, rule) => {
    expect(rulesOf(text)).toEqual([rule]);
  });

  it('joins rules by and', () => {
    expect(rulesOf('no removed column AND  no stale edge\nand at most 3 upstream').map(({ kind }) => kind)).toEqual([
      'no_removed_column',
      'no_stale_edge',
      'at_most',
    ]);
  });

  it.each([
    ['orders never shrink', 1, null],
    ['no removed colum', 12, 'no removed column'],
    ['no new', 7, 'no new upstream'],
    ['no stale edge or two', 15, 'no stale edge'],
    ['no stale edge and', 18, null],
    ['confidence at least 2', 21, 'confidence at least SHARE'],
    ['fresh within 3 weeks', 16, 'fresh within NUMBER UNIT'],
    ['no path from a', 15, 'no path from REF to REF'],
    ['', 1, null],
  ])('says where "%s" is no rule, and which is nearest', (text, position, nearest) => {
    const parsed = parseExpectation(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.error.position).toBe(position);
    if (nearest) expect(parsed.error.nearest).toBe(nearest);
    expect(parsed.error.expected.length).toBeGreaterThan(0);
  });

  it('ends for any text, and repeats none of it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const parsed = parseExpectation(`${text} qxqxqx`);
        if (parsed.ok) return;
        expect(parsed.error.position).toBeGreaterThan(0);
        expect(parsed.error.position).toBeLessThanOrEqual(text.length + 8);
        expect(expectationMessage(parsed.error)).not.toContain('qxqxqx');
      }),
    );
  });
});
