import { describe, expect, it } from 'vitest';
import { limits } from '../../../shared/contract/limits.ts';
import { countTokens } from '../../../shared/domain/lineage/sql/budget.ts';

describe('counting the tokens of a statement', () => {
  it.each([
    ['', 0],
    ['select a_1 from t', 4],
    [' \t\r\nselect\n\n1 ', 2],
    ['a+b', 3],
    ['f(x[1])', 7],
    ["'naïve'", 3],
  ])('counts words and signs, not blanks: %j', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  const { characters, tokens, nesting, dollarTags } = limits.sql;
  const tags = (count: number) => Array.from({ length: count }, (_, index) => `$t${index}$ `).join('');
  it.each([
    ['characters', (more: number) => 'a'.repeat(characters + more), 1],
    ['tokens', (more: number) => '+'.repeat(tokens + more), tokens],
    ['levels of brackets', (more: number) => '('.repeat(nesting + more), nesting],
    ['different dollar quotes', (more: number) => tags(dollarTags + more), 3 * dollarTags],
  ])('counts none beyond the limit of %s', (_, textOf, count) => {
    expect([countTokens(textOf(0)), countTokens(textOf(1))]).toEqual([count, null]);
  });

  it('takes a bracket that closes nothing for no level', () => {
    expect(countTokens(`${')'.repeat(5)}${'('.repeat(nesting)}`)).toBe(5 + nesting);
  });
});
