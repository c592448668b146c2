import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Dialect, parse as Parse, tokenize as Tokenize } from '@polyglot-sql/sdk';
import * as sdk from '@polyglot-sql/sdk/manual';
import type { SqlDialect } from '../domain/sql/dialect.ts';
import type { KeywordCounts, ParsedSql, SqlParser } from '../domain/sql/types.ts';

/** Loads the parser once a process, when it is first asked for: work without SQL does not pay for its 23 MB. */
export function loadSqlParser(): Promise<SqlParser> {
  loading ??= loaded();
  return loading;
}

let loading: Promise<SqlParser> | undefined;

async function loaded(): Promise<SqlParser> {
  const bytes = await readFile(wasmFile());
  // The declared type knows URLs alone, which cannot name a file; the function takes bytes too.
  await sdk.init({ wasmUrl: bytes as unknown as URL });
  return parseStatement;
}

/** Bundled, the file lies beside the bundle; else it is in the package. */
function wasmFile(): URL {
  const beside = new URL('./polyglot_sql.wasm', import.meta.url);
  return existsSync(beside) ? beside : new URL(import.meta.resolve('@polyglot-sql/sdk/polyglot_sql.wasm'));
}

// The package's declarations of this entry re-export without an extension, which Node's resolution does not follow.
const { parse, tokenize } = sdk as unknown as { readonly parse: typeof Parse; readonly tokenize: typeof Tokenize };

function parseStatement(text: string, dialect: SqlDialect): ParsedSql {
  const name = (parserNames[dialect] ?? dialect) as Dialect;
  const result = parse(text, name);
  if (!result.success) return { ok: false, reason: reasonOf(result.error) };
  return { ok: true, statements: result.ast, keywords: keywordsIn(text, name) };
}

function keywordsIn(text: string, dialect: Dialect): KeywordCounts {
  // The declared field names are not those that the function gives.
  const tokens = (tokenize(text, dialect).tokens ?? []) as unknown as readonly { readonly token_type: string }[];
  const count = (type: string) => tokens.filter((token) => token.token_type === type).length;
  return { select: count('SELECT'), join: count('JOIN') };
}

const parserNames: Partial<Record<SqlDialect, string>> = { ansi: 'generic', postgres: 'postgresql' };

/** The parser's own words, without what it quotes of the statement, which may be anyone's data. */
function reasonOf(error: string): string {
  const told = error
    .replace(/ near \[.*\]?$/s, '')
    .replace(/\('[^)]*'?\)?/gs, '')
    .replace(/, got .*$/s, '');
  return `the SQL parser: ${told.trim().slice(0, 300)}`;
}
