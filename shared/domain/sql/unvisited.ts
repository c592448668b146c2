import { childOf, fieldsOf, nameOf, recordsOf, type Syntax, type SyntaxFields, tableNameOf } from './syntax.ts';
import type { RelationName } from './types.ts';

/**
 * The relations of a statement that the analysis did not visit, so that no read is lost in silence
 * where the parser has a form that the analysis does not know; null where it visited every query and relation.
 */
export function unvisitedIn(
  nodes: readonly Syntax[],
  visited: ReadonlySet<SyntaxFields>,
): readonly RelationName[] | null {
  const missed = nodes.filter(({ kind, fields }) => (kind === 'table' || kind === 'select') && !visited.has(fields));
  if (missed.length === 0) return null;
  const ctes = new Set(nodes.flatMap(({ fields }) => cteNames(fields)));
  const isCte = ([name, ...more]: RelationName) =>
    more.length === 0 && name !== undefined && ctes.has(name.text.toLowerCase());
  return missed.flatMap(({ kind, fields }) => {
    const relation = kind === 'table' ? tableNameOf(fields) : [];
    return relation.length === 0 || isCte(relation) ? [] : [relation];
  });
}

function cteNames(fields: SyntaxFields): readonly string[] {
  const clause = fieldsOf(fields['with']) ?? childOf(fields, 'with_')?.fields ?? null;
  return clause === null
    ? []
    : recordsOf(clause, 'ctes').flatMap((cte) => nameOf(cte['alias'])?.text.toLowerCase() ?? []);
}
