import { describe, expect, it, vi } from 'vitest';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import type { ParsedSql } from '../../shared/domain/lineage/sql/types.ts';

const treeOf = (parsed: ParsedSql) => (parsed.ok ? parsed.statements : null);
const sound = 'select a, sum(b) over (partition by c) from (select * from x) t';

describe('a parser that crashed', () => {
  it('gives a reason each time, and is loaded anew before the crashes have used up its memory', async () => {
    // The crash's own report; it holds no text of the statement.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const crash = `select ${'if('.repeat(60)}a from t`;
    const parser = await loadSqlParser();
    expect(parser(crash, 'tsql')).toEqual({ ok: false, reason: expect.stringMatching(/^the SQL parser: /) });
    expect(await loadSqlParser()).toBe(parser);
    for (let i = 0; i < 300; i++) parser(crash, 'tsql');
    const before = treeOf(parser(sound, 'postgres'));
    expect(before).not.toBeNull();
    const fresh = await loadSqlParser();
    expect(fresh).not.toBe(parser);
    expect(treeOf(fresh(sound, 'postgres'))).toEqual(before);
    expect(await loadSqlParser()).toBe(fresh);
  });
});
