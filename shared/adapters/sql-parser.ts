import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type {
  Dialect,
  generate as Generate,
  init as Init,
  parse as Parse,
  tokenize as Tokenize,
} from '@polyglot-sql/sdk';
import { beginningOf, storable } from '../contract/fields.ts';
import { tooComplex } from '../domain/lineage/sql/budget.ts';
import type { SqlDialect } from '../domain/lineage/sql/dialect.ts';
import type { KeywordCounts, SqlParser } from '../domain/lineage/sql/types.ts';

/** Loads the parser's 23 MB on first use, and anew after many crashes: each leaves a part of the stack taken. */
export function loadSqlParser(): Promise<SqlParser> {
  if (loading === undefined || crashes >= maxCrashes) {
    crashes = 0;
    loading = loaded(loads++);
    loading.catch(() => {
      loading = undefined;
    });
  }
  return loading;
}

/** About three thousand crashes at the least take the whole stack. */
const maxCrashes = 200;

let loading: Promise<SqlParser> | undefined;
let loads = 0;
let crashes = 0;

/** The package's entry without its declarations, which re-export without an extension, as Node's resolution will not have it. */
type Sdk = {
  readonly init: typeof Init;
  readonly parse: typeof Parse;
  readonly tokenize: typeof Tokenize;
  readonly generate: typeof Generate;
};

/** A module is evaluated once a URL, so that each load has its own memory. */
async function loaded(load: number): Promise<SqlParser> {
  const [entry, wasm] = [fileOf('manual', 'manual.mjs'), fileOf('polyglot_sql.wasm', 'polyglot_sql.wasm')];
  const sdk: Sdk = await import(/* @vite-ignore */ `${entry.href}?load=${load}`);
  const bytes = await readFile(wasm);
  // The declared type only allows URLs, which cannot name a file; the function takes bytes too.
  await (sdk.init as (options: { readonly wasmUrl: Uint8Array }) => Promise<void>)({ wasmUrl: bytes });
  return parserOf(sdk);
}

/** The files of the parser: beside the bundle, once for all bundles in the package of the local service, or installed. */
function fileOf(entry: string, file: string): URL {
  const bundled = ['.', '../../companions'].map((folder) => new URL(`${folder}/${file}`, import.meta.url));
  return bundled.find((one) => existsSync(one)) ?? new URL(import.meta.resolve(`@polyglot-sql/sdk/${entry}`));
}

function parserOf(sdk: Sdk): SqlParser {
  return Object.assign(parsing(sdk), { write: writing(sdk) });
}

function writing(sdk: Sdk): NonNullable<SqlParser['write']> {
  return (node, dialect) => {
    try {
      const { success, sql } = sdk.generate([node], (parserNames[dialect] ?? dialect) as Dialect);
      // Foreign data: the declared type has no null.
      const [text] = success && Array.isArray(sql) ? sql : [];
      return typeof text === 'string' && text !== '' ? text : null;
    } catch {
      crashes++;
      return null;
    }
  };
}

function parsing(sdk: Sdk): SqlParser {
  return (text, dialect) => {
    const name = (parserNames[dialect] ?? dialect) as Dialect;
    try {
      const result = sdk.parse(text, name);
      if (result.success) return { ok: true, statements: result.ast, keywords: () => keywordsIn(sdk, text, name) };
      if (result.error.startsWith('WASM')) crashes++;
      return { ok: false, reason: reasonOf(result.error) };
    } catch (error) {
      // Only a crash throws; its words are of no use to who wrote the statement.
      crashes++;
      if (error instanceof RangeError) return { ok: false, reason: tooComplex };
      return { ok: false, reason: 'the SQL parser: crashed' };
    }
  };
}

function keywordsIn(sdk: Sdk, text: string, dialect: Dialect): KeywordCounts {
  // The declared field names are not those that the function gives.
  const tokens = sdk.tokenize(text, dialect).tokens as unknown as
    | readonly { readonly token_type: string }[]
    | undefined;
  // Without tokens nothing is known to be whole.
  const count = (type: string) =>
    tokens?.filter((token) => token.token_type === type).length ?? Number.POSITIVE_INFINITY;
  return { select: count('SELECT'), join: count('JOIN') };
}

const parserNames: Partial<Record<SqlDialect, string>> = { ansi: 'generic', postgres: 'postgresql' };

/** The parser's own words, without what it quotes of the statement, which may be anyone's data. */
function reasonOf(error: string): string {
  // The parser's own limits of depth, or the end of its stack: no other form of the text is less deep.
  if (/E_GUARD_|call stack/.test(error)) return tooComplex;
  const shortened = error
    .replace(/ near \[.*\]?$/s, '')
    .replace(/\('[^)]*'?\)?/gs, '')
    .replace(/, got .*$/s, '');
  return `the SQL parser: ${beginningOf(storable(shortened.trim()), 300)}`;
}
