import { foldedName, partsOf } from '../../name-rules.ts';
import {
  childOf,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
  wordSet,
} from '../../syntax.ts';
import type { RelationName } from '../../types.ts';
import { setFields } from '../print-expression.ts';
import { limitKeys } from '../print-order.ts';
import { nameOfItem } from '../prints.ts';
import { termOf } from './build-expression.ts';
import { asLeaf, type QueryBuilding, withNames } from './building.ts';
import { joinConstants } from './constant-join.ts';
import { negation } from './logic.ts';
import { columnIn, outermost, type Scope, type Source } from './resolve-column.ts';
import { conditionsOf, exists } from './rules.ts';
import {
  type Block,
  columnTerms,
  emptyBlock,
  join,
  type Outer,
  ownTerms,
  type Query,
  queryOver,
  type Term,
  Unproven,
} from './terms.ts';

export type From = { readonly block: Block; readonly sources: Source[]; readonly merged: Map<string, Term> };

/** Items of FROM, and the joins behind them. */
export function buildFrom(
  building: QueryBuilding,
  items: readonly unknown[],
  joins: readonly SyntaxFields[],
  around: Scope,
): From {
  const from: From = { block: emptyBlock(), sources: [], merged: new Map() };
  for (const item of items) {
    const found = itemOf(building, item, around, from.sources);
    join(from.block, found.block);
    from.sources.push(...found.sources);
  }
  for (const one of joins) addJoin(building, from, one, around);
  return from;
}

type Item = { readonly block: Block; readonly sources: readonly Source[] };

function itemOf(building: QueryBuilding, item: unknown, around: Scope, beside: readonly Source[]): Item {
  const { rules } = building;
  const node = syntaxOf(item);
  if (node === null) throw new Unproven();
  const { kind, fields } = node;
  const named = nameOf(fields['alias']);
  const alias = named && foldedName(rules, named);
  const names = namesOf(fields, 'column_aliases').map((one) => foldedName(rules, one));
  if (kind === 'table') {
    const extras = setFields(fields, ['name', 'schema', 'catalog', 'alias', 'column_aliases']);
    if (Object.keys(extras).length > 0) throw new Unproven();
    const name = tableNameOf(fields);
    const own = name.at(-1);
    refuseElements(building, name, beside, around);
    const query = withNames(tableQuery(building, name, around), names);
    return sourceOf(building, query, alias ?? (own ? foldedName(rules, own) : null));
  }
  if (kind === 'joined_table') {
    if (alias !== null || Object.keys(setFields(fields, ['left', 'joins'])).length > 0) throw new Unproven();
    const from = buildFrom(building, [fields['left']], recordsOf(fields, 'joins'), around);
    if (from.merged.size > 0) throw new Unproven();
    return from;
  }
  const inner = kind === 'subquery' ? childOf(fields, 'this') : null;
  if (inner?.kind === 'values')
    return sourceOf(building, withNames(valuesQuery(building, inner.fields, around), names), alias);
  const rest = setFields(fields, ['this', 'alias', 'column_aliases', 'with', 'order_by', ...limitKeys]);
  if (kind !== 'subquery' || Object.keys(rest).some((key) => !key.startsWith('alias_'))) throw new Unproven();
  const outside: Scope = { ...outermost, ctes: around.ctes, parent: around.parent };
  const unnamed: Syntax = { kind, fields: { ...fields, alias: null, column_aliases: [] } };
  return sourceOf(building, withNames(building.derived(unnamed, outside), names), alias);
}

/** A path that begins with the name of another item may be a column of that item, whose elements are the rows (BigQuery). */
function refuseElements(
  { proof, rules }: QueryBuilding,
  path: RelationName,
  beside: readonly Source[],
  around: Scope,
): void {
  const [first, second] = partsOf(rules, path);
  if (!first || !second) return;
  const alias = foldedName(rules, first);
  for (let at: Scope | null = { ...around, sources: beside }; at !== null; at = at.parent) {
    proof.spend(at.sources.length);
    if (at.sources.some((one) => one.alias === alias)) throw new Unproven();
  }
}

function tableQuery(building: QueryBuilding, name: RelationName, around: Scope): Query {
  const { proof, rules } = building;
  const folded = partsOf(rules, name).map((part) => foldedName(rules, part));
  const cte = folded.length === 1 ? around.ctes.get(folded[0] ?? '') : undefined;
  if (cte) return cte();
  const read = building.read(name);
  if (!('table' in read)) return read;
  const ref = proof.unique('leaf');
  const table = proof.term(`table ${read.table}`);
  proof.tables.set(ref, table);
  for (const [one, type] of read.types ?? [])
    if (/^(date|timestamp)$/i.test(type ?? '')) proof.dates.add(proof.term(`column ${one}`, ref));
  if (read.constants) proof.constants.set(ref, read.constants);
  const listed = read.columns?.map((one) => ({ name: one, term: proof.term(`column ${one}`, ref) }));
  const columns = listed ?? [{ name: null, term: proof.term('all', ref) }];
  return queryOver({ ...emptyBlock(), leaves: [{ ref, table, query: null, branches: [] }] }, columns);
}

/** One row of constants is no relation: its columns are the constants. */
function valuesQuery(building: QueryBuilding, fields: SyntaxFields, around: Scope): Query {
  const [row, second] = recordsOf(fields, 'expressions');
  if (!row || second || Object.keys(setFields(fields, ['expressions'])).length > 0) throw new Unproven();
  const outside: Scope = { ...outermost, ctes: around.ctes, parent: around.parent };
  const terms = listOf(row['expressions']).map((one) => termOf(building, one, outside));
  if (terms.some((one) => !/^(literal|boolean|null)/.test(one.op))) throw new Unproven();
  const columns = terms.map((term, place) => ({ name: nameOfItem(place + 1), term }));
  return queryOver(emptyBlock(), columns);
}

/** Merges a query that only filters and computes into the block around it; any other is a leaf of it. */
function sourceOf(building: QueryBuilding, query: Query, alias: string | null): Item {
  const { proof } = building;
  const isPlain = query.group === null && ownTerms(query).length === 0;
  const isPure = isPlain && [...columnTerms(query), ...query.conditions].every((one) => one.isPure);
  const merged = isPure ? query : asLeaf(building, query);
  proof.spend(merged.columns.length);
  const { leaves, outers, fulls, conditions } = merged;
  return { block: { leaves, outers, fulls, conditions }, sources: [{ alias, columns: merged.columns, sides: [] }] };
}

const inner = wordSet('Inner Cross Implicit');
const semi = wordSet('LeftSemi Semi');
const anti = wordSet('LeftAnti Anti');

function addJoin(building: QueryBuilding, from: From, fields: SyntaxFields, around: Scope): void {
  const { proof } = building;
  const kind = String(fields['kind']);
  const rest = setFields(fields, ['this', 'kind', 'on', 'using']);
  const isKnown = inner.has(kind) || semi.has(kind) || anti.has(kind) || ['Left', 'Right', 'Full'].includes(kind);
  if (!isKnown || Object.keys(rest).length > 0) throw new Unproven();
  const item = itemOf(building, fields['this'], around, from.sources);
  const { block, sources, merged } = from;
  const all = [...sources, ...item.sources];
  const scope: Scope = { ...outermost, ctes: around.ctes, parent: around.parent, sources: all, merged };
  const on = fields['on'] ? conditionsOf(proof, termOf(building, fields['on'], scope)) : [];
  for (const one of namesOf(fields, 'using')) {
    const name = foldedName(building.rules, one);
    const [left, right] = [
      columnFrom(building, sources, name, merged),
      columnFrom(building, item.sources, name, new Map()),
    ];
    on.push(proof.term('eq', left, right));
    if (kind === 'Full' || semi.has(kind) || anti.has(kind)) throw new Unproven();
    // Its type may be one that both columns can have.
    merged.set(name, proof.term(`merged ${kind === 'Right'}`, left, right));
  }
  // ClickHouse fills the columns of rows without a match with zeros and empty texts, and its semi join gives both sides.
  if (!inner.has(kind) && !building.hasOuterNulls) throw new Unproven();
  if (semi.has(kind) || anti.has(kind)) {
    const found = exists(proof, queryOver({ ...item.block, conditions: [...item.block.conditions, ...on] }, []));
    block.conditions.push(anti.has(kind) ? negation(proof, found) : found);
    return;
  }
  const constant = kind === 'Left' && listOf(fields['using']).length === 0 ? joinConstants(proof, item, on) : null;
  sources.push(...(constant ?? item.sources));
  if (constant) return;
  if (inner.has(kind)) {
    join(block, item.block);
    block.conditions.push(...on);
    return;
  }
  const side = (one: Block, more: readonly Term[]): Outer => {
    const made: Outer = { ...one, conditions: [...one.conditions, ...more], ref: proof.unique('side') };
    proof.sides.set(made.ref, made);
    return made;
  };
  const nullable = (these: readonly Source[], { ref }: Outer) => {
    for (const one of these) one.sides.push(ref);
  };
  const before = { ...block };
  if (kind === 'Left') {
    const right = side(item.block, on);
    block.outers = [...block.outers, right];
    nullable(item.sources, right);
    return;
  }
  const left = side(before, kind === 'Right' ? on : []);
  nullable(all.slice(0, all.length - item.sources.length), left);
  Object.assign(block, emptyBlock());
  if (kind === 'Right') {
    join(block, item.block);
    block.outers.push(left);
    // Columns that USING joined before are those of the nullable side now.
    if (merged.size > namesOf(fields, 'using').length) throw new Unproven();
    return;
  }
  if (merged.size > 0) throw new Unproven();
  const right = side(item.block, []);
  nullable(item.sources, right);
  block.fulls.push({ left, right, on });
}

function columnFrom(
  { proof }: QueryBuilding,
  sources: readonly Source[],
  name: string,
  merged: ReadonlyMap<string, Term>,
): Term {
  const known = merged.get(name);
  if (known) return known;
  const found = sources.flatMap((source) => columnIn(proof, source, name) ?? []);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Unproven();
  return only;
}
