import { foldedName } from '../name-rules.ts';
import { nameOf, type SyntaxFields, syntaxOf, tableNameOf } from '../syntax.ts';
import type { SqlName } from '../types.ts';
import type { Place, Print, Printing, PrintScope } from './prints.ts';

/** The folded name of a column, without its qualifier; null if the expression is not a column. */
export function columnName({ rules }: Pick<Printing, 'rules'>, node: unknown): string | null {
  const column = syntaxOf(node);
  const name = column?.kind === 'column' ? nameOf(column.fields['name']) : null;
  return name && foldedName(rules, name);
}

/** Prints a column by the source that has it. */
export function printColumn(printing: Printing, fields: SyntaxFields, scope: PrintScope): Print | null {
  const name = nameOf(fields['name']);
  if (name === null || fields['join_mark'] === true) return null;
  const folded = foldedName(printing.rules, name);
  const path = [...tableNameOf({ ...fields, name: null }), nameOf(fields['table'])].filter((one) => one !== null);
  const qualifier = path.at(-1);
  if (qualifier === undefined) return printName(printing, folded, scope) ?? missing(printing, folded);
  return printQualified(printing, { qualifier, folded }, scope);
}

/** A name that nothing has: the statement fails, even if nothing comes of the place where it is read. */
function missing({ print, columnsRead }: Printing, folded: string): Print {
  const found = print('unknown', folded);
  columnsRead.add(found);
  return found;
}

type Qualified = { readonly qualifier: SqlName; readonly folded: string };

function printQualified(printing: Printing, { qualifier, folded }: Qualified, scope: PrintScope): Print {
  const alias = foldedName(printing.rules, qualifier);
  const source = sourceNamed(printing, alias, scope);
  if (source) return readPrint(printing, source, source.relation.column(folded) ?? missing(printing, folded));
  // A field of a column.
  const column = printName(printing, alias, scope) ?? missing(printing, alias);
  return printing.print('field', column, folded);
}

/** The item of FROM that a qualifier names, of the query or of one around it. */
export function sourceNamed({ spend }: Printing, alias: string, scope: PrintScope) {
  let depth = 0;
  for (let at: PrintScope | null = scope; at !== null; at = at.parent) {
    spend(at.sources.length);
    const place = at.sources.findIndex((one) => one.alias === alias);
    const relation = at.sources[place]?.relation;
    if (relation) return { depth, place, relation };
    depth++;
  }
  return null;
}

/** What a name without a qualifier means; if several are possible, all of them represent it. */
function printName(printing: Printing, folded: string, scope: PrintScope): Print | null {
  let depth = 0;
  for (let at: PrintScope | null = scope; at !== null; at = at.parent) {
    const found = printNameAt(printing, folded, at, depth);
    if (found !== null) return found;
    depth++;
  }
  return null;
}

function printNameAt(printing: Printing, folded: string, scope: PrintScope, depth: number): Print | null {
  const alias = scope.aliases.get(folded) ?? null;
  if (alias !== null && scope.aliasesCome === 'first') return alias;
  printing.spend(scope.sources.length);
  const { columnsRead } = printing;
  const noted = columnsRead.size;
  const candidates = scope.sources.flatMap(({ relation }, place) => {
    const column = relation.column(folded);
    return column === null
      ? []
      : [{ place, column, isSure: relation.isListed || relation.columns.some(({ name }) => name === folded) }];
  });
  // If the relation does not have the column, the alias is meant: nothing fails.
  if (alias !== null && candidates.length === 1 && printing.rules.listAliases !== 'never') {
    printing.spend(columnsRead.size);
    for (const one of [...columnsRead].slice(noted)) columnsRead.delete(one);
  }
  const proven = scope.proven.get(folded);
  const chosen = candidates.filter(({ place, isSure }) => place === proven || isSure);
  const certain = candidates.length === 1 || (chosen.length === 1 && candidates.length === chosen.length);
  const prints = candidates.map(({ place, column }) => readPrint(printing, { depth, place }, column));
  const [first] = prints;
  const isColumn = first !== undefined && certain && (alias === null || chosen.length === 1);
  if (isColumn) return first;
  if (prints.length === 0) return alias;
  return printing.print('one of', folded, ...prints, alias);
}

/** A column of a source: the places tell two sources of the same relation apart. */
export const readPrint = (printing: Printing, { depth, place }: Place, column: Print): Print =>
  printing.print('read', String(depth), String(place), column);
