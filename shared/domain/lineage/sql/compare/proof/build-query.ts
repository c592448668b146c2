import { foldedName } from '../../name-rules.ts';
import { withSetOperation } from '../../set-operations.ts';
import {
  childOf,
  fieldsOf,
  functionName,
  holds,
  isQuery,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  wordSet,
} from '../../syntax.ts';
import { setFields } from '../print-expression.ts';
import { holdsVolatile, windowsOf } from '../print-list.ts';
import { placeIn } from '../print-order.ts';
import { nameOfItem } from '../prints.ts';
import { isAggregation, termOf } from './build-expression.ts';
import { buildFrom, type From } from './build-from.ts';
import { buildUnion, itemAt, limited } from './build-union.ts';
import { distinct, hasWindows, type QueryBuilding, withNames } from './building.ts';
import { extended, outermost, type Scope } from './resolve-column.ts';
import { conditionsOf, isOfGroup, simplify } from './rules.ts';
import {
  type Column,
  emptyBlock,
  isAggregateTerm,
  isSteady,
  isWindowTerm,
  type Query,
  someIn,
  type Term,
  Unproven,
} from './terms.ts';

export function buildQuery(building: QueryBuilding, node: Syntax, around: Scope): Query {
  const { kind, fields } = node;
  building.proof.spend(around.ctes.size + 1);
  const within = withCtes(building, fields['with'], around);
  const bare: Syntax = { kind, fields: { ...fields, with: null } };
  switch (kind) {
    case 'select': {
      const operation = withSetOperation(bare);
      return operation === null ? buildSelect(building, bare.fields, within) : buildUnion(building, operation, within);
    }
    case 'union':
    case 'intersect':
    case 'except':
      return buildUnion(building, bare, within);
    case 'subquery':
    case 'paren': {
      const inner = childOf(fields, 'this');
      if (inner === null || !isQuery(inner) || inner.kind === 'values') break;
      return limited(building, buildQuery(building, inner, within), bare.fields, within);
    }
  }
  throw new Unproven();
}

function withCtes(building: QueryBuilding, clause: unknown, around: Scope): Scope {
  const fields = fieldsOf(clause);
  if (fields === null) return around;
  let scope = around;
  for (const cte of recordsOf(fields, 'ctes')) {
    const [alias, query] = [nameOf(cte['alias']), childOf(cte, 'this')];
    if (alias === null || query === null || !isQuery(query) || cte['alias_first'] === false) throw new Unproven();
    const name = foldedName(building.rules, alias);
    const outside = scope;
    const mayRecur = fields['recursive'] === true || building.rules.implicitRecursion;
    const itself = (): Query => {
      throw new Unproven();
    };
    const seen = mayRecur ? { ...outside, ctes: new Map([...outside.ctes, [name, itself]]) } : outside;
    const names = namesOf(cte, 'columns').map((one) => foldedName(building.rules, one));
    // Each reference has its own leaves.
    const build = () => withNames(buildQuery(building, query, seen), names);
    building.proof.spend(outside.ctes.size);
    scope = { ...outside, ctes: new Map([...outside.ctes, [name, build]]) };
  }
  return scope;
}

/** Fields of SELECT that are read here. A statement with others is not proven. */
const handled = wordSet(
  'expressions from joins where_clause prewhere having qualify group_by distinct windows limit offset fetch top order_by',
);

function buildSelect(building: QueryBuilding, fields: SyntaxFields, around: Scope): Query {
  const { proof, rules } = building;
  if (Object.keys(setFields(fields)).some((key) => !handled.has(key))) throw new Unproven();
  const items = listOf(fieldsOf(fields['from'])?.['expressions']);
  const from = buildFrom(building, items, recordsOf(fields, 'joins'), around);
  const stages = stagesOf(building, from, fields);
  const { block, sources, merged } = stages?.from ?? from;
  const windows = windowsOf(rules, fields);
  const base: Scope = { ...outermost, ctes: around.ctes, parent: around.parent, sources, merged, windows };
  const { columns, aliases } = buildList(building, fields, base);
  // ClickHouse takes an alias before a column, which hides it.
  if (rules.listAliases === 'first' && aliases.size > 0) throw new Unproven();
  const byAlias: Scope = { ...base, aliases };
  const conditionsIn = (condition: unknown, scope: Scope): Term[] =>
    condition ? conditionsOf(proof, termOf(building, condition, scope)) : [];
  const conditions = (key: string, scope: Scope) => conditionsIn(fieldsOf(fields[key])?.['this'], scope);
  const finished = (query: Query): Query => {
    const rows = fields['distinct'] === true ? distinct(building, query) : simplify(proof, query);
    return limited(building, rows, fields, byAlias);
  };
  const inWhere = rules.listAliases === 'never' ? base : byAlias;
  const where = [...conditions('where_clause', inWhere), ...conditionsIn(fields['prewhere'], base)];
  if (stages) {
    const { query } = stages;
    const { group } = query;
    const qualify = [...query.qualify, ...conditions('qualify', byAlias)];
    return finished(
      stages.isWindowed
        ? { ...query, columns, qualify: [...qualify, ...where] }
        : { ...query, columns, qualify, group: group && { ...group, having: [...group.having, ...where] } },
    );
  }
  block.conditions.push(...where);
  const having = conditions('having', byAlias);
  const query: Query = { ...block, group: null, qualify: conditions('qualify', byAlias), columns, limits: [] };
  const group = fieldsOf(fields['group_by']);
  if (group || having.length > 0 || hasAggregates(fields)) {
    const keys = group ? keysOf(building, group, columns, byAlias) : { keys: [], sets: [] };
    query.group = { ...keys, having };
    // Most databases refuse a column that is no key; others give any of the group's values.
    // Of two names of one value only one may be a key.
    const hasTwins = sources.some(({ columns: own }) => new Set(own.map(({ term }) => term)).size < own.length);
    const places = listOf(group?.['expressions']).map(placeIn);
    const others = [...columns.filter((_, at) => !places.includes(at + 1)).map(({ term }) => term), ...having];
    const isByPlace = !places.includes(null) && others.every((one) => isOfGroup(proof, one, new Set()));
    if (hasTwins && !(isByPlace && query.qualify.length === 0)) throw new Unproven();
    const known = new Set(keys.keys);
    const values = [...columns.map(({ term }) => term), ...having, ...query.qualify];
    if (keys.sets.length === 0 && !values.every((one) => isOfGroup(proof, one, known))) throw new Unproven();
  }
  return finished(query);
}

type Stages = { readonly from: From; readonly query: Query; readonly isWindowed: boolean };

/** A select of one query that only filters and computes is a part of that query: of its groups, or of its windows. */
function stagesOf(building: QueryBuilding, { block, sources }: From, fields: SyntaxFields): Stages | null {
  const [leaf, other] = block.leaves;
  const [source] = sources;
  const query = leaf?.query;
  if (!query || !source || other || block.outers.length + block.fulls.length + block.conditions.length > 0) return null;
  if (fields['group_by'] || fields['having'] || hasAggregates(fields) || query.limits.length > 0) return null;
  const isWindowed = hasWindows(building, query);
  const usesWindows =
    Boolean(fields['qualify']) || holds(fields['expressions'], ({ kind }) => kind === 'window_function');
  if (!query.columns.every(({ term }) => isSteady(term)) || (isWindowed && usesWindows)) return null;
  if (!isWindowed && !query.group) return null;
  return {
    from: { block: emptyBlock(), sources: [{ ...source, columns: query.columns }], merged: new Map() },
    query,
    isWindowed,
  };
}

const hasAggregates = (fields: SyntaxFields): boolean =>
  listOf(fields['expressions']).some((one) => holds(withoutWindowCall(one), isAggregation));

/** The call of a window function is no aggregate; its operands may be. */
function withoutWindowCall(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWindowCall);
  const fields = fieldsOf(value);
  if (fields === null) return value;
  const node = syntaxOf(value);
  if (node !== null && isQuery(node)) return null;
  if (node?.kind !== 'window_function')
    return Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, withoutWindowCall(one)]));
  const call = childOf(node.fields, 'this');
  return [Object.values(call?.fields ?? {}).map(withoutWindowCall), withoutWindowCall(node.fields['over'])];
}

function keysOf(building: QueryBuilding, group: SyntaxFields, columns: readonly Column[], scope: Scope) {
  if (Object.keys(setFields(group, ['expressions', 'all'])).length > 0) throw new Unproven();
  const nodes = listOf(group['expressions']);
  if (group['all'] === true) return { keys: keysOfAll(building, nodes, columns), sets: [] };
  const isOfSets = nodes.some((node) => {
    const one = syntaxOf(node);
    return one === null || !['column', 'literal'].includes(one.kind)
      ? holds(node, ({ kind, fields: own }) => groupings.test(functionName(kind, own)))
      : false;
  });
  const keys = nodes.map((node) => itemAt(columns, node) ?? termOf(building, node, scope));
  return isOfSets ? { keys: [], sets: keys } : { keys: [...new Set(keys)], sets: [] };
}

/** GROUP BY ALL: the items of the list without aggregates. Databases differ in items of windows, and if there are no keys. */
function keysOfAll({ proof }: QueryBuilding, nodes: readonly unknown[], columns: readonly Column[]): Term[] {
  const terms = columns.map(({ term }) => term);
  const keys = terms.filter((one) => !someIn(proof, [one], isAggregateTerm));
  const isKnown = columns.every(({ name }) => name !== null) && !someIn(proof, terms, isWindowTerm);
  if (nodes.length > 0 || !isKnown || !keys.some((one) => isReading(one))) throw new Unproven();
  return [...new Set(keys)];
}

const isReading = ({ op }: Term): boolean => op === 'read' || op.startsWith('column ');

const groupings = /^(rollup|cube|grouping.sets)$/;
function buildList(building: QueryBuilding, fields: SyntaxFields, base: Scope) {
  const { rules, proof } = building;
  const aliases = new Map<string, Term>();
  const seesAliases = !['never', 'first'].includes(rules.listAliases);
  const columns = listOf(fields['expressions']).flatMap((node, place): Column[] => {
    const item = syntaxOf(node);
    if (item?.kind === 'star') return starColumns(building, item.fields, base);
    const isAliased = item?.kind === 'alias';
    if (isAliased && Object.keys(setFields(item.fields, ['this', 'alias'])).length > 0) throw new Unproven();
    const own = isAliased ? nameOf(item.fields['alias']) : item?.kind === 'column' ? nameOf(item.fields['name']) : null;
    const value = isAliased ? item.fields['this'] : node;
    const found = termOf(building, value, { ...base, aliases: seesAliases ? aliases : base.aliases });
    const name = own ? foldedName(rules, own) : nameOfItem(place + 1);
    // Two items with one volatile text have two values.
    const term = holdsVolatile(value) ? proof.term(`volatile ${name}`, found) : found;
    if (own && isAliased) {
      // The alias of a column with the same name hides nothing.
      const hidden = term.op === `column ${name}` && base.sources.length === 1;
      if (!hidden) aliases.set(name, term);
    }
    proof.spend(1);
    return [{ name, term }];
  });
  return { columns, aliases };
}

function starColumns({ proof, rules }: QueryBuilding, fields: SyntaxFields, { sources, merged }: Scope): Column[] {
  if (merged.size > 0 || Object.keys(setFields(fields, ['table', 'except'])).length > 0) throw new Unproven();
  const qualifier = nameOf(fields['table']);
  const except = new Set(namesOf(fields, 'except').map((one) => foldedName(rules, one)));
  const found = sources
    .filter(({ alias }) => qualifier === null || alias === foldedName(rules, qualifier))
    .flatMap(({ columns, sides }) => columns.map(({ name, term }) => ({ name, term: extended(proof, term, sides) })));
  if (found.length === 0 || (except.size > 0 && found.some(({ name }) => name === null))) throw new Unproven();
  return found.filter(({ name }) => !except.has(name ?? ''));
}
