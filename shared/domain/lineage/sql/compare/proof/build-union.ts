import { foldedName } from '../../name-rules.ts';
import { childOf, fieldsOf, listOf, nameOf, type Syntax, type SyntaxFields, syntaxOf } from '../../syntax.ts';
import { setFields } from '../print-expression.ts';
import { limitKeys, limitsIn, placeIn } from '../print-order.ts';
import { orderTermOf, termOf } from './build-expression.ts';
import { asLeaf, distinct, type QueryBuilding } from './building.ts';
import { outermost, type Scope } from './resolve-column.ts';
import { isOfGroup, simplify } from './rules.ts';
import { type Column, emptyBlock, type Leaf, type Query, queryOver, type Term, Unproven } from './terms.ts';

/** The branches of UNION ALL. UNION is their DISTINCT. */
export function buildUnion(building: QueryBuilding, { kind, fields }: Syntax, around: Scope): Query {
  const { proof } = building;
  const rest = setFields(fields, ['left', 'right', 'all', 'distinct', ...limitKeys, 'order_by']);
  const sides = [childOf(fields, 'left'), childOf(fields, 'right')].flatMap((one) => one ?? []);
  if (Object.keys(rest).length > 0 || sides.length !== 2) throw new Unproven();
  const isAll = fields['all'] === true;
  const queries = sides.map((side) => building.derived(side, around));
  const [first] = queries;
  const branches = kind === 'union' ? queries.flatMap((one) => branchesIn(building, one, isAll)) : queries;
  if (!first || branches.some(({ columns }) => columns.length !== first.columns.length)) throw new Unproven();
  const isUnion = kind === 'union';
  const ref = proof.unique('leaf');
  if (branches.some(({ group }) => group !== null)) proof.grouped.add(ref);
  const columns = first.columns.map(({ name }, place) => {
    const terms = branches.flatMap((one) => one.columns[place]?.term ?? []);
    const column = isUnion ? proof.term('tuple', ...terms) : proof.term(`place ${place}`);
    return { name, term: (isUnion ? lifted(building, terms) : null) ?? proof.term('read', ref, column) };
  });
  const table = isUnion ? null : proof.term(`operation ${kind} ${isAll}`);
  const leaf: Leaf = { ref, table, query: null, branches };
  const query = queryOver({ ...emptyBlock(), leaves: [leaf] }, columns);
  return limited(building, isUnion && !isAll ? distinct(building, query) : simplify(proof, query), fields, around);
}

/** A literal in all branches is that literal. */
function lifted({ proof }: QueryBuilding, terms: readonly Term[]): Term | null {
  const [first] = terms;
  const isOne = first?.op.startsWith('literal ') && terms.every((one) => one === first);
  proof.spend(terms.length);
  return isOne && first ? first : null;
}

/** Joins the branches of a nested UNION ALL to those around it; within UNION also the branches of a nested UNION. */
function branchesIn({ proof }: QueryBuilding, query: Query, isAll: boolean): readonly Query[] {
  const [leaf, second] = query.leaves;
  const group = query.group;
  const isDistinct =
    group !== null && group.having.length === 0 && group.sets.length === 0 && !isAll && group.keys.length > 0;
  const isBare =
    query.conditions.length + query.outers.length + query.fulls.length + query.qualify.length + query.limits.length ===
    0;
  if (!leaf || second || leaf.table || leaf.branches.length === 0 || !isBare || (group && !isDistinct)) return [query];
  return leaf.branches.map((branch, place) => {
    const columns = query.columns.map(({ name, term }) => {
      const [ref, tuple] = term.args;
      const part = term.op === 'read' && ref === leaf.ref && tuple?.op === 'tuple' ? tuple.args[place] : null;
      if (part) return { name, term: part };
      if (term.op.startsWith('literal ')) return { name, term };
      throw new Unproven();
    });
    proof.spend(columns.length);
    return { ...branch, columns };
  });
}

/** LIMIT and its like with the order. Without a limit no order is kept if nothing in the statement takes rows by their order. */
export function limited(building: QueryBuilding, query: Query, fields: SyntaxFields, scope: Scope): Query {
  const set = limitsIn(fields);
  const order = listOf(fieldsOf(fields['order_by'])?.['expressions']);
  if (set.length === 0 && order.length === 0) return query;
  const { term } = building.proof;
  const inOrder: Scope = {
    ...scope,
    aliases: new Map(query.columns.flatMap(({ name, term: one }) => (name ? [[name, one] as const] : []))),
  };
  const terms = order.map((one) => {
    const node = syntaxOf(fieldsOf(one)?.['this']);
    const name = node?.kind === 'column' && !node.fields['table'] ? nameOf(node.fields['name']) : null;
    const alias = name ? inOrder.aliases.get(foldedName(building.rules, name)) : null;
    return orderTermOf(building, one, inOrder, itemAt(query.columns, fieldsOf(one)?.['this']) ?? alias);
  });
  const isForgotten = building.order === 'dropped' || fields['order_by'] === building.resultOrder;
  // Grouped rows have no other columns to go by: most databases refuse the order.
  const known = new Set([...(query.group?.keys ?? []), ...query.columns.map(({ term: one }) => one)]);
  if (query.group && !terms.every((one) => isOfGroup(building.proof, one, known))) throw new Unproven();
  if (set.length === 0 && isForgotten) return query;
  const limits = set.map((key) => term(`limit ${key}`, termOf(building, fields[key], outermost)));
  const base = query.limits.length > 0 ? asLeaf(building, query) : query;
  if (base !== query && order.length > 0) throw new Unproven();
  return { ...base, limits: [...limits, term('list', ...terms)] };
}

/** The item of the list that a number in GROUP BY or ORDER BY is. */
export function itemAt(columns: readonly Column[], node: unknown): Term | null {
  const place = placeIn(node);
  if (place === null) return null;
  const item = columns[place - 1];
  if (!item || columns.slice(0, place).some(({ name }) => name === null)) throw new Unproven();
  return item.term;
}
