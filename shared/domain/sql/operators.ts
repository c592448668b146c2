import type { SqlDialect } from './dialect.ts';
import type { Token } from './tokens.ts';

/** PostgreSQL's operators of extensions, such as `<#>` and `&&&`: a known one stands for each, which reads as much. */
export function withKnownOperators(text: string, tokens: readonly Token[], dialect: SqlDialect): string {
  if (dialect !== 'postgres') return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of symbolRuns(tokens)) {
    const run = text.slice(start, end);
    // What ends in a sign may be an operator and the sign of a number.
    if (knownOperators.has(run) || run.length < 2 || run.endsWith('-') || run.endsWith('+')) continue;
    parts.push(text.slice(from, start), '||');
    from = end;
  }
  return parts.join('') + text.slice(from);
}

const knownOperators: ReadonlySet<string> = new Set(
  '<= >= <> != || :: := -> ->> #> #>> #- @> <@ && ~~ ~* !~ !~* ~~* !~~ !~~* << >> <-> ?| ?& @@ => |/ ||/ !! == ^@'.split(
    ' ',
  ),
);

const operatorCharacters: ReadonlySet<string> = new Set('-+*/<>=~!@#%^&|`?');

type Run = { readonly start: number; readonly end: number };

/** Symbols that no space divides. */
function symbolRuns(tokens: readonly Token[]): readonly Run[] {
  const runs: { start: number; end: number }[] = [];
  for (const { kind, text, start, end } of tokens) {
    if (kind !== 'symbol' || !operatorCharacters.has(text.charAt(0))) continue;
    const last = runs.at(-1);
    if (last?.end === start) last.end = end;
    else runs.push({ start, end });
  }
  return runs;
}
