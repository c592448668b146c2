import { isAggregate, isRowGenerator } from '../../functions.ts';
import { foldedName, type NameRules } from '../../name-rules.ts';
import {
  entriesOf,
  fieldsOf,
  functionName,
  isQuery,
  listOf,
  nameOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  wordSet,
} from '../../syntax.ts';
import { caseless, identifierIn, nodeIn, nonEmptyFields, operands, setFields, swapped } from '../print-expression.ts';
import { allOf, negation, oneOf, searched } from './logic.ts';
import { columnOf, type Scope } from './resolve-column.ts';
import { exists } from './rules.ts';
import { isValue, type Proof, type Query, type Term, Unproven } from './terms.ts';
import { truncated } from './truncated.ts';

export type Building = {
  readonly proof: Proof;
  readonly rules: NameRules;
  readonly query: (node: Syntax, around: Scope) => Query;
  /** Whether NULLs come first in this order by default; null if nobody knows. */
  readonly nullsFirst: (isDescending: boolean) => boolean | null;
  readonly truncatesToDays: boolean;
};

export function termOf(building: Building, value: unknown, scope: Scope, key = ''): Term {
  const { proof, rules } = building;
  const { term } = proof;
  if (Array.isArray(value)) return term('list', ...value.map((one) => termOf(building, one, scope, key)));
  if (typeof value === 'string') return term(`text ${caseless.has(key) ? value.toLowerCase() : value}`);
  const fields = fieldsOf(value);
  if (fields === null) return term(`value ${String(value)}`);
  const name = identifierIn(fields);
  if (name !== null) return term(`name ${foldedName(rules, name)}`);
  const node = nodeIn(fields);
  return node === null ? ofFields(building, fields, scope) : ofNode(building, node, scope);
}

function ofFields(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const set = setFields(fields);
  const keys = Object.keys(set).sort();
  return building.proof.term(`fields ${keys.join(' ')}`, ...keys.map((key) => termOf(building, set[key], scope, key)));
}

function ofNode(building: Building, node: Syntax, scope: Scope): Term {
  const { term } = building.proof;
  const { kind, fields } = node;
  if (isRowGenerator(node) || kind === 'lambda' || kind === 'star' || kind === 'columns') throw new Unproven();
  const special = builders.get(kind)?.(building, fields, scope) ?? null;
  if (special) return special;
  if (isQuery(node)) return building.proof.ofQuery('scalar', building.query(node, scope));
  if (isAggregation(node)) return aggregateOf(building, node, scope);
  const isPlain = plain.has(kind) && Object.keys(setFields(fields)).every((one) => operandKeys.has(one));
  if (isPlain) {
    const args = ['this', 'left', 'right', 'expression', 'pattern'].filter((one) => (fields[one] ?? null) !== null);
    return term(kind, ...args.map((one) => termOf(building, fields[one], scope)));
  }
  return term(`node ${kind}`, ofFields(building, fields, scope));
}

export const isAggregation = ({ kind, fields }: Syntax): boolean =>
  ignoringNulls.has(kind) || isAggregate(kind) || isAggregate(functionName(kind, fields));

/** Kinds of nodes with nothing but operands in their order. */
const plain = wordSet('eq neq lt lte add sub mul div mod neg like i_like upper lower abs');
const operandKeys = wordSet('this left right expression original_name name');

const at = (building: Building, fields: SyntaxFields, scope: Scope, ...keys: readonly string[]): Term[] =>
  keys.map((key) => termOf(building, fields[key], scope));

type Builder = (building: Building, fields: SyntaxFields, scope: Scope) => Term | null;

const builders: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ['column', columnOf],
  ['paren', (building, fields, scope) => termOf(building, fields['this'], scope)],
  [
    'literal',
    ({ proof }, fields) => proof.term(`literal ${fields['literal_type']} ${JSON.stringify(fields['value'])}`),
  ],
  ['boolean', ({ proof }, fields) => proof.term(`boolean ${fields['value'] === true}`)],
  ['null', ({ proof }) => proof.term('null')],
  ['and', (building, fields, scope) => allOf(building.proof, each(building, 'and', fields, scope))],
  ['or', (building, fields, scope) => oneOf(building.proof, each(building, 'or', fields, scope))],
  ['not', (building, fields, scope) => negation(building.proof, termOf(building, fields['this'], scope))],
  ['gt', (building, fields, scope) => ofNode(building, { kind: 'lt', fields: swapped(fields) }, scope)],
  ['gte', (building, fields, scope) => ofNode(building, { kind: 'lte', fields: swapped(fields) }, scope)],
  [
    'null_safe_eq',
    (building, fields, scope) => building.proof.term('same', ...at(building, fields, scope, 'left', 'right')),
  ],
  ['is_null', isNullOf],
  [
    'is_true',
    (building, fields, scope) =>
      fields['not'] === true ? null : building.proof.term('is_true', termOf(building, fields['this'], scope)),
  ],
  ['exists', existsOf],
  ['in', inOf],
  ['between', betweenOf],
  ['case', caseOf],
  ['if_func', ifOf],
  ...entriesOf('coalesce if_null nvl', coalesceOf),
  ['function', functionOf],
  ['cast', castOf],
  [
    'subscript',
    (building, fields, scope) => building.proof.term('subscript', ...at(building, fields, scope, 'this', 'index')),
  ],
  ['window_function', windowOf],
]);

const each = (building: Building, kind: string, fields: SyntaxFields, scope: Scope): Term[] =>
  operands(kind, { [kind]: fields }).map((one) => termOf(building, one, scope));

function isNullOf(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const found = building.proof.term('is_null', termOf(building, fields['this'], scope));
  return fields['not'] === true ? negation(building.proof, found) : found;
}

function existsOf(building: Building, fields: SyntaxFields, scope: Scope): Term | null {
  const node = syntaxOf(fields['this']);
  if (!node || !isQuery(node)) return null;
  const found = exists(building.proof, building.query(node, scope));
  return fields['not'] === true ? negation(building.proof, found) : found;
}

function inOf(building: Building, fields: SyntaxFields, scope: Scope): Term | null {
  const { proof } = building;
  const tested = termOf(building, fields['this'], scope);
  const node = syntaxOf(fields['query']);
  const isNegated = fields['not'] === true;
  if (Object.keys(setFields(fields)).some((key) => !['this', 'query', 'expressions', 'not'].includes(key))) return null;
  if (node) {
    const found = proof.ofQuery('in', building.query(node, scope), tested);
    return isNegated ? negation(proof, found) : found;
  }
  // A list of values of several types makes one type of them, and of the tested value.
  const values = listOf(fields['expressions']).map((one) => termOf(building, one, scope));
  const isOfOneType = [/^literal number "\d{1,9}"$/, /^literal string "/].some((type) =>
    values.every(({ op }) => type.test(op)),
  );
  if (values.length === 0 || !isOfOneType) return null;
  const found = oneOf(
    proof,
    values.map((one) => proof.term('eq', tested, one)),
  );
  return isNegated ? negation(proof, found) : found;
}

function betweenOf(building: Building, fields: SyntaxFields, scope: Scope): Term | null {
  if (fields['symmetric'] === true) return null;
  const { proof } = building;
  const [tested, low, high] = at(building, fields, scope, 'this', 'low', 'high');
  if (!tested || !low || !high) return null;
  const found = allOf(proof, [proof.term('lte', low, tested), proof.term('lte', tested, high)]);
  return fields['not'] === true ? proof.term('not', found) : found;
}

function caseOf(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const { term } = building.proof;
  const operand = fields['operand'] ? termOf(building, fields['operand'], scope) : null;
  // The operand of a CASE is computed once.
  if (operand !== null && !operand.isPure) return term('node case', ofFields(building, fields, scope));
  const whens = listOf(fields['whens']).map((pair) => {
    const [condition, result] = listOf(pair).map((one) => termOf(building, one, scope));
    if (!condition || !result) throw new Unproven();
    return [operand ? term('eq', operand, condition) : condition, result] as const;
  });
  return searched(building.proof, whens, fields['else_'] ? termOf(building, fields['else_'], scope) : term('null'));
}

function ifOf(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const [condition, result] = at(building, fields, scope, 'condition', 'true_value');
  if (!condition || !result) throw new Unproven();
  const other = fields['false_value'] ? termOf(building, fields['false_value'], scope) : building.proof.term('null');
  return searched(building.proof, [[condition, result]], other);
}

/** NVL and IFNULL take two operands; some databases cast the second to the type of the first, which a number may show. */
function coalesceOf(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const list = listOf(fields['expressions']);
  const args = list.length > 0 ? list : [fields['this'], fields['expression']].filter((one) => (one ?? null) !== null);
  return building.proof.term('coalesce', ...args.map((one) => termOf(building, one, scope)));
}

function functionOf(building: Building, fields: SyntaxFields, scope: Scope): Term | null {
  const args = listOf(fields['args']).map((one) => termOf(building, one, scope));
  const [first] = args;
  const name = String(fields['name']).toLowerCase();
  if (name === 'zeroifnull' && first && args.length === 1)
    return building.proof.term('coalesce', first, building.proof.term('literal number "0"'));
  const [, second] = args;
  if (name === 'date_trunc' && first?.op.startsWith('literal string ') && second && args.length === 2)
    return truncated(building.proof, first, second, building.truncatesToDays);
  return null;
}

function castOf(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const type = ofFields(building, nonEmptyFields(fields, ['this']), scope);
  return building.proof.term('cast', termOf(building, fields['this'], scope), type);
}

/** Aggregates that ignore nulls, by the names that the parser gives them. */
export const ignoringNulls = wordSet('sum min max avg count logical_and logical_or bitwise_and_agg bitwise_or_agg');

function aggregateOf(building: Building, { kind, fields }: Syntax, scope: Scope): Term {
  const { proof } = building;
  const { term } = proof;
  const rest = setFields(fields, ['this', 'star', 'filter', 'distinct', 'original_name', 'name']);
  if (!ignoringNulls.has(kind) || Object.keys(rest).length > 0)
    return term(`aggregate other ${kind}`, ofFields(building, fields, scope));
  const operand = fields['this'] ? termOf(building, fields['this'], scope) : term('literal number "1"');
  // `count(1)` counts rows as `count(*)` does.
  const isOfRows = kind === 'count' && fields['distinct'] !== true && isValue(operand);
  const counted = isOfRows ? term('literal number "1"') : operand;
  const filter = fields['filter'] ? termOf(building, fields['filter'], scope) : null;
  const chosen = filter ? searched(proof, [[filter, counted]], term('null')) : counted;
  return term(`aggregate ${kind}${fields['distinct'] === true ? ' distinct' : ''}`, withOneIn(proof, kind, chosen));
}

/** A count of `case when c then 'x' end` is one of `case when c then 1 end`. */
function withOneIn(proof: Proof, kind: string, term: Term): Term {
  const [condition, result, other] = term.args;
  const isCounted = kind === 'count' && term.op === 'case' && term.args.length === 3 && other?.op === 'null';
  if (!isCounted || !condition || !result || !isValue(result)) return term;
  return proof.term('case', condition, proof.term('literal number "1"'), other);
}

/** With a named window as what it is defined as, and without a frame and an order of nulls that are the default. */
function windowOf(building: Building, fields: SyntaxFields, scope: Scope): Term {
  const over = fieldsOf(fields['over']) ?? {};
  const name = nameOf(over['window_name']);
  const named = name ? scope.windows.get(foldedName(building.rules, name)) : {};
  if (!named) throw new Unproven();
  const whole: SyntaxFields = { ...over, ...named, ...nonEmptyFields(over), window_name: null };
  const order = listOf(whole['order_by']).map((one) => orderTermOf(building, one, scope));
  const frame = fieldsOf(whole['frame']);
  const end = order.length > 0 ? 'CurrentRow' : 'UnboundedFollowing';
  const isDefault =
    frame?.['kind'] === 'Range' && frame['start'] === 'UnboundedPreceding' && frame['end'] === end && !frame['exclude'];
  const { term } = building.proof;
  const partition = listOf(whole['partition_by']).map((one) => termOf(building, one, scope));
  const rest = setFields(whole, ['order_by', 'partition_by', 'window_name', ...(isDefault ? ['frame'] : [])]);
  const call = syntaxOf(fields['this']);
  if (call === null) throw new Unproven();
  return term(
    'node window_function',
    ofNode(building, call, scope),
    term('set', ...partition),
    term('list', ...order),
    ofFields(building, rest, scope),
    ofFields(building, setFields(fields, ['this', 'over']), scope),
  );
}

export function orderTermOf(building: Building, one: unknown, scope: Scope, known: Term | null = null): Term {
  const { this: expression, desc, nulls_first, ...others } = fieldsOf(one) ?? {};
  const isDescending = desc === true;
  const first = typeof nulls_first === 'boolean' ? nulls_first : building.nullsFirst(isDescending);
  const value = known ?? termOf(building, expression, scope);
  return building.proof.term(`order ${isDescending} ${first}`, value, ofFields(building, others, scope));
}
