import { describe, expect, it } from 'vitest';
import { becauseOf } from '../../../shared/domain/lineage/report/because.ts';

type Change = Parameters<typeof becauseOf>[0];

const clause = (kind: string, more: object = {}) => ({ kind, column: null, before: null, after: null, ...more });
const because = (reasons: readonly string[], model: object | null) =>
  becauseOf(
    { reasons, model: model && { differences: [], settings: [], not_compared: null, ...model } } as unknown as Change,
    (text) => `'${text}'`,
  );

describe('why a relation changes', () => {
  it.each([
    ['rows may differ', ['rows_may_differ'], null],
    [
      'statement not compared (statement too complex)',
      ['statement_not_compared'],
      { not_compared: 'statement_too_complex' },
    ],
    ['seed changed', ['seed_changed'], { not_compared: 'seed_changed' }],
    ['statement not compared', ['statement_not_compared'], null],
    ['configuration changed', ['configuration_changed'], {}],
    [
      "configuration changed: 'enabled' was 'true', is 'false'",
      ['configuration_changed'],
      { settings: [{ name: 'enabled', before: 'true', after: 'false' }] },
    ],
    [
      "formula changed of 'total': 'a' is now 'b'",
      ['formula_changed'],
      { differences: [clause('formula_changed', { column: 'total', before: 'a', after: 'b' })] },
    ],
    ['other; formula changed', ['other', 'formula_changed'], { differences: [clause('formula_changed')] }],
  ])('is said once: %s', (text, reasons, model) => {
    expect(because(reasons, model)).toBe(text);
  });

  it('lists five clauses, and counts the others', () => {
    const differences = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((kind) => clause(kind));
    expect(because([], { differences, unlisted: 2 })).toBe('a; b; c; d; e; and 4 more clauses');
  });
});
