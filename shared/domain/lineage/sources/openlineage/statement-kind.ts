import type { StatementKind } from '../../../../contract/vocabulary.ts';

/**
 * What kind of statement a SQL text is, by its leading keywords alone; null for a query, which writes nothing. The text
 * is whatever a producer put into the `sql` facet: never parsed, so that any dialect will do.
 */
export function statementKindOf(sql: string): StatementKind | null {
  const words = leadingWords(sql);
  if (words.length === 0) return null;
  const text = `${words.join(' ')} `;
  const known = kinds.find(([pattern]) => pattern.test(text));
  return known ? known[1] : 'other';
}

type Pattern = { readonly test: (text: string) => boolean };

const kinds: readonly (readonly [Pattern, StatementKind | null])[] = [
  [/^CREATE (\w+ )*?MATERIALIZED (\w+ )?VIEW /, 'create_materialized_view'],
  [/^CREATE (\w+ )*?DYNAMIC (\w+ )?TABLE /, 'create_materialized_view'],
  [/^CREATE (\w+ )*?VIEW /, 'create_view'],
  [{ test: makesTable }, 'create_table_as'],
  [/^INSERT OVERWRITE /, 'insert_overwrite'],
  [/^INSERT /, 'insert'],
  [/^MERGE /, 'merge'],
  [/^UPDATE /, 'update'],
  [/^(DELETE|TRUNCATE) /, 'delete'],
  [/^(COPY|LOAD|UNLOAD|EXPORT) /, 'copy'],
  [/^SELECT .*?INTO /, 'select_into'],
  [/^(SELECT|VALUES|TABLE|FROM|EXPLAIN|SHOW|DESCRIBE) /, null],
];

/** The first TABLE is looked behind alone: each of many would be looked behind to the end. */
function makesTable(text: string): boolean {
  const head = /^(?:CREATE|REPLACE) (?:\w+ )*?TABLE /.exec(text)?.[0];
  return head !== undefined && /(?:SELECT|CLONE) /.test(text.slice(head.length));
}

/** Longer than any head of a statement: a text of megabytes is not read to its end. */
const readLength = 20_000;
const token =
  /--[^\n]*|\/\*.*?(?:\*\/|$)|'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|\[[^\]\n]*\]?|[()]|[\p{L}_][\w$]*/gsu;

/** The words of the statement itself, in capitals: no comments, no literals, no common table expressions. */
function leadingWords(sql: string): string[] {
  const words: string[] = [];
  let depth = 0;
  let inPrefix = false;
  for (const [text] of sql.slice(0, readLength).matchAll(token)) {
    if (text === '(') depth++;
    else if (text === ')') depth--;
    else if (/^[\p{L}_]/u.test(text)) {
      const word = text.toUpperCase();
      if (words.length === 0 && word === 'WITH') inPrefix = true;
      else if (inPrefix && (depth > 0 || !verbs.has(word))) continue;
      // What `create table t (select …)` is made of stands in parentheses.
      else if (depth <= 0 || words.length === 0 || word === 'SELECT') {
        inPrefix = false;
        words.push(word);
      }
    }
  }
  return words;
}

const verbs = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'VALUES', 'FROM', 'CREATE']);
