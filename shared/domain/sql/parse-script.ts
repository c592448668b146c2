import { withDefaultSchema } from './default-schema.ts';
import type { SqlDialect } from './dialect.ts';
import { omitsPart, withQuotedColumns } from './parser-omissions.ts';
import { rewrittenTexts } from './rewrite.ts';
import { nodesIn, type Syntax, syntaxOf } from './syntax.ts';
import { tooLargeReason } from './text-limits.ts';
import type { SqlParser } from './types.ts';

export type ParsedStatement = {
  readonly node: Syntax;
  /** Every node of its tree, outermost first. */
  readonly nodes: readonly Syntax[];
  /** The text that its names are placed in. */
  readonly text: string;
};

type ParsedScript =
  | { readonly ok: true; readonly statements: readonly ParsedStatement[] }
  | { readonly ok: false; readonly reason: string };

/** The statements of a text. What the parser refuses is parsed in another form that means the same, if there is one. */
export function parsedScript(parser: SqlParser, written: string, dialect: SqlDialect): ParsedScript {
  const refusal = tooLargeReason(written);
  if (refusal !== null) return { ok: false, reason: refusal };
  const text = withQuotedColumns(withDefaultSchema(written, dialect), dialect);
  const asWritten = parsedText(parser, text, dialect);
  if (asWritten.ok && !asWritten.statements.some(({ node }) => opaqueKinds.has(node.kind))) return asWritten;
  for (const texts of rewrittenTexts(text, dialect)) {
    const parsed = parsedTexts(parser, texts, dialect);
    if (parsed.ok && (!asWritten.ok || isBetter(parsed, asWritten))) return parsed;
  }
  for (const other of dialect === 'ansi' && !asWritten.ok ? likelyDialects : []) {
    const parsed = parsedText(parser, text, other);
    if (parsed.ok) return parsed;
  }
  return asWritten;
}

/** Kinds of what the parser keeps as text, or takes for an expression. */
const opaqueKinds: ReadonlySet<string> = new Set(['alias', 'column', 'command', 'raw']);

type Parsed = ParsedScript & { readonly ok: true };

function isBetter(parsed: Parsed, asWritten: Parsed): boolean {
  const opaque = ({ statements }: Parsed) => statements.filter(({ node }) => opaqueKinds.has(node.kind)).length;
  return opaque(parsed) < opaque(asWritten);
}

/** The dialects that differ most from each other: a text of an unknown one is in one of them. */
const likelyDialects: readonly SqlDialect[] = ['spark', 'bigquery', 'snowflake', 'duckdb', 'tsql'];

function parsedTexts(parser: SqlParser, texts: readonly string[], dialect: SqlDialect): ParsedScript {
  const statements: ParsedStatement[] = [];
  for (const text of texts) {
    const parsed = parsedText(parser, text, dialect);
    if (!parsed.ok) return parsed;
    statements.push(...parsed.statements);
  }
  return { ok: true, statements };
}

function parsedText(parser: SqlParser, text: string, dialect: SqlDialect): ParsedScript {
  const parsed = parser(text, dialect);
  if (!parsed.ok) return parsed;
  const trees = parsed.statements.map((value) => ({ node: syntaxOf(value), nodes: nodesIn(value) }));
  const all = trees.flatMap(({ nodes }) => nodes);
  if (omitsPart(parsed, all, text, dialect))
    return { ok: false, reason: 'the SQL parser left out a part of the statement' };
  return { ok: true, statements: trees.flatMap(({ node, nodes }) => (node === null ? [] : { node, nodes, text })) };
}
