import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Dialect, parse as Parse } from '@polyglot-sql/sdk';
import * as sdk from '@polyglot-sql/sdk/manual';
import type { SqlDialect } from '../domain/sql/dialect.ts';
import type { SqlParser } from '../domain/sql/types.ts';

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
const { parse } = sdk as unknown as { readonly parse: typeof Parse };

function parseStatement(text: string, dialect: SqlDialect): ReturnType<SqlParser> {
  const result = parse(text, (parserNames[dialect] ?? dialect) as Dialect);
  return result.success ? { ok: true, statements: result.ast } : { ok: false, reason: reasonOf(result.error) };
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
