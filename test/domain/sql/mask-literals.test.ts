import { describe, expect, it } from 'vitest';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import { maskedLiterals } from '../../../shared/domain/lineage/sql/mask-literals.ts';

const [secret, number] = ['Zq7xKw9v', '4929123456789012'];
const everywhere = [
  `'${secret}'`,
  `'it''s ${secret}'`,
  `'-- ${secret}'`,
  `'/* ${secret} */'`,
  `'\n${secret} é😀'`,
  number,
  `-${number}.5e2`,
  `1 /* ${secret} 'x */`,
  `1 /*+ ${secret}('${secret}') */`,
  `1 -- it's ${secret}\n`,
  `1 /* /* ${secret} */ ${secret} */`,
  `1 -- x\r${secret}\n`,
];
const backslashes = [`'it\\'s ${secret}'`, `'${secret}\\\\'`, `concat('\\'', '${secret}', '\\'')`];
const double = [`"${secret}"`, `"it's ${secret}"`, `concat("a", '"', "${secret}")`];
const spark = [...backslashes, ...double, `X'${number}'`, `${number}L`, `r'a\\' || "${secret}"`];
const dialects: Partial<Record<SqlDialect, readonly string[]>> = {
  postgres: [
    `$$it's ${secret}$$`,
    `$t$${secret} $$ it's$t$`,
    `E'it\\'s ${secret}'`,
    `E'it\\'s ${secret}' || E'it\\'s ${secret}'`,
    `0x${number}`,
    `4_929_123_456_789_012`,
  ],
  redshift: backslashes,
  snowflake: [...backslashes, `$$it's ${secret}$$`, `1 // it's ${secret}\n`],
  bigquery: [...backslashes, ...double, `'''it's ${secret}'''`, `rb'a\\' || "${secret}"`, `1 # it's ${secret}\n`],
  databricks: spark,
  hive: spark,
  mysql: [...backslashes, ...double, `1 # it's ${secret}\n`],
  oracle: [`q'[it's ${secret}]'`, `nq'!it's ${secret}!' || 'x'`],
  tsql: [`[it's] || N'${secret}'`, `[it's] || N'it''s ${secret}' || 'x'`],
  // Nothing is known of it.
  ansi: [...double, `'it\\'s ${secret}' || 'x\\'y'`, `1 # it's ${secret}\n || 'x'`, `1 // it's ${secret}\n || 'x'`],
};
const templates = ['a || {}', "case when b = 'x' then {} else c end", 'coalesce({}, d, 42)'];
const leaks = (text: string) =>
  [secret, number].some((one) =>
    Array.from(one).some((_, at) => at < one.length - 4 && text.includes(one.slice(at, at + 5))),
  );

describe('SQL whose literals are masked (C-POLICY-16)', () => {
  it.each(Object.entries(dialects))('contains no secret of a literal, a comment or a hint: %s', (dialect, own) => {
    for (const literal of [...everywhere, ...own])
      for (const template of templates) {
        const sql = template.replace('{}', () => literal);
        const masked = maskedLiterals(sql, dialect as SqlDialect);
        expect([sql, masked, leaks(masked)]).toEqual([sql, masked, false]);
        for (let end = sql.indexOf(literal); end < sql.length; end++) {
          const cut = maskedLiterals(`${sql.slice(0, end)}…`, dialect as SqlDialect);
          expect([sql, end, cut, leaks(cut)]).toEqual([sql, end, cut, false]);
        }
      }
  });

  it.each([
    ["owner || 'secret' || 42", 'duckdb', 'owner || ? || ?'],
    ["case when a = 'it''s' then .5e3 else b1 end -- 'c'", 'postgres', 'case when a = ? then .? else b1 end'],
    ["concat(\"secret\", 'it\\'s')", 'bigquery', 'concat(?, ?)'],
    ['a || $x$it\'s$x$ || "Name"', 'postgres', 'a || ? || "Name"'],
    ["a = 'cut in the mid…", 'postgres', 'a = ?'],
    ["a = 'never closed", 'postgres', '?'],
  ] as const)('keeps the rest of the text: %s', (text, dialect, masked) => {
    expect(maskedLiterals(text, dialect)).toBe(masked);
  });
});
