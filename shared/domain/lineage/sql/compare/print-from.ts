import { foldedName } from '../name-rules.ts';
import {
  fieldsOf,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
} from '../syntax.ts';
import { limitKeys } from './print-clauses.ts';
import { printConditions, printValue, saidFields } from './print-expression.ts';
import { relationOfTable, renamed } from './print-relation.ts';
import {
  type Clause,
  emptyScope,
  openRelation,
  type Print,
  type PrintedSource,
  type Printing,
  type PrintScope,
} from './prints.ts';

type From = {
  readonly sources: readonly PrintedSource[];
  readonly clauses: readonly Clause[];
  readonly conditions: readonly Print[];
};

/** Joins that only pair rows and filter the pairs: their conditions count as those of WHERE. */
const pairing: ReadonlySet<string> = new Set(['Inner', 'Cross', 'Implicit']);

export function printFrom(printing: Printing, fields: SyntaxFields, around: PrintScope, path: string): From {
  const { print } = printing;
  const sources: PrintedSource[] = [];
  const clauses: Clause[] = [];
  const conditions: Print[] = [];
  const expressions = { ...printing, blocks: null };
  const scopeNow = (): PrintScope => ({
    ...emptyScope,
    ctes: around.ctes,
    parent: around.parent,
    sources: [...sources],
  });
  const addSource = (item: unknown) => {
    const place = sources.length;
    const source = sourceOf(printing, item, scopeNow(), `${path}/from ${place}`);
    sources.push(source);
    clauses.push({ kind: 'source', key: String(place), column: null, print: source.relation.rows, text: [item] });
  };
  for (const item of listOf(fieldsOf(fields['from'])?.['expressions'])) addSource(item);
  const joins = recordsOf(fields, 'joins');
  const merges =
    !printing.blocks && joins.every((join) => pairing.has(String(join['kind'])) && listOf(join['using']).length === 0);
  for (const join of joins) {
    addSource(join['this']);
    if (merges) conditions.push(...(join['on'] ? printConditions(expressions, join['on'], scopeNow()) : []));
    else {
      const kind =
        pairing.has(String(join['kind'])) && !join['on'] && listOf(join['using']).length === 0
          ? 'Cross'
          : String(join['kind']);
      const on = join['on'] ? printConditions(expressions, join['on'], scopeNow()) : [];
      const using = namesOf(join, 'using').map((one) => foldedName(printing.rules, one));
      const rest = Object.fromEntries(
        Object.entries(saidFields(join, ['this', 'kind', 'on', 'using'])).filter(([, value]) => value !== false),
      );
      const said = print('join', kind, ...on, '|', ...using, printValue(expressions, rest, scopeNow()));
      const text = [
        `${kind.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()} join`,
        join['this'],
        ...(join['on'] ? ['on', join['on']] : []),
        ...(using.length > 0 ? [`using (${using.join(', ')})`] : []),
      ];
      clauses.push({ kind: 'join', key: `join ${sources.length - 1}`, column: null, print: said, text });
    }
  }
  return { sources, clauses, conditions };
}

function sourceOf(printing: Printing, item: unknown, scope: PrintScope, path: string): PrintedSource {
  const { print, rules } = printing;
  const node = syntaxOf(item);
  const fields = node?.fields ?? {};
  const named = nameOf(fields['alias']);
  const alias = named && foldedName(rules, named);
  const outside: PrintScope = { ...emptyScope, ctes: scope.ctes, parent: scope.parent };
  if (node?.kind === 'table') {
    const own = tableNameOf(fields).at(-1);
    return {
      alias: alias ?? (own ? foldedName(rules, own) : null),
      relation: relationOfTable(printing, fields, scope),
    };
  }
  const aliases = namesOf(fields, 'column_aliases').map((one) => foldedName(rules, one));
  const query = node && isQuery(node) ? node : null;
  if (query && node?.kind !== 'values') {
    const isLateral = fields['lateral'] === true;
    const around = isLateral ? { ...outside, parent: scope } : outside;
    const rest = saidFields(fields, ['this', 'alias', 'column_aliases', 'lateral', 'with', ...limitKeys, 'order_by']);
    const known = renamed(
      printing,
      printing.query(printing, { kind: query.kind, fields: withoutName(query) }, around, path),
      aliases,
    );
    const isPlain = Object.values(rest).every((one) => one === false) || query.kind !== 'subquery';
    const whole = isPlain
      ? known
      : { ...known, rows: print('read with', known.rows, printValue({ ...printing, blocks: null }, rest, scope)) };
    if (printing.blocks) return { alias, relation: openRelation(print, print('derived', isLateral ? 'lateral' : '')) };
    return { alias, relation: whole };
  }
  const inner = node?.kind === 'alias' ? fields['this'] : item;
  const rows = print('rows of', printValue({ ...printing, blocks: null }, withoutAlias(inner), scope), ...aliases);
  return { alias, relation: openRelation(print, rows) };
}

const withoutName = ({ kind, fields }: Syntax): SyntaxFields =>
  kind === 'subquery' ? { ...fields, alias: null, column_aliases: [] } : fields;

function withoutAlias(item: unknown): unknown {
  const node = syntaxOf(item);
  return node && nameOf(node.fields['alias']) !== null ? { [node.kind]: { ...node.fields, alias: null } } : item;
}
