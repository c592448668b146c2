import { callValue, valueOfParts } from './call.ts';
import { caseValue, comparingValue, conditionalValue, defaultingValue } from './conditional.ts';
import { datePartValue, isMasking, keyedValue, namedValue, parameterValue, rootValue } from './functions.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { merge, nothing, through } from './provenance.ts';
import { isCertain, valueNamed } from './resolve-name.ts';
import { pathOf, wholeOf } from './row.ts';
import { starRow } from './star.ts';
import {
  castValue,
  extractedValue,
  extractValue,
  fieldOf,
  subqueryValue,
  subscriptValue,
  throughWithFields,
  withOthers,
} from './struct.ts';
import {
  childOf,
  columnSyntax,
  entriesOf,
  fieldsOf,
  nameOf,
  namesOf,
  nodesIn,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  wordSet,
} from './syntax.ts';
import type { Provenance, SqlName } from './types.ts';

/** What the value of an expression consists of. Kinds that are not named here pass on what is below them. */
export function expressionValue(analysis: Analysis, value: unknown, scope: NameScope): Provenance {
  const built = provenanceOf(analysis, value, scope);
  // What joins the columns of operands takes as long as there are columns.
  analysis.spend(1 + built.columns.size);
  return built;
}

function provenanceOf(analysis: Analysis, value: unknown, scope: NameScope): Provenance {
  if (Array.isArray(value)) return merge(value.map((item) => expressionValue(analysis, item, scope)));
  const node = syntaxOf(value);
  const evaluate = node === null ? undefined : evaluators.get(node.kind);
  if (node !== null && evaluate !== undefined) return evaluate(analysis, node.fields, scope, node);
  if (node !== null && isVariant(node)) return expressionValue(analysis, node.fields, scope);
  return node === null ? valueOfParts(analysis, fieldsOf(value), scope) : callValue(analysis, node, scope);
}

/** What the parser writes with a capital only names the role of its content: the bound of a frame is `{ Preceding: … }`. */
const isVariant = ({ kind }: Syntax): boolean => /^[A-Z]/.test(kind);

type Evaluate = (analysis: Analysis, fields: SyntaxFields, scope: NameScope, node: Syntax) => Provenance;

const inner: Evaluate = (analysis, fields, scope) => expressionValue(analysis, fields['this'], scope);
const constant: Evaluate = () => nothing;
const subquery: Evaluate = (analysis, _fields, scope, node) => subqueryValue(analysis, node, scope);

const evaluators: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ...entriesOf('column identifier', namedValue),
  ['dot', dotValue],
  ...entriesOf('alias paren', inner),
  ...entriesOf('literal boolean data_type placeholder pseudocolumn', constant),
  ['parameter', parameterValue],
  ['star', (analysis, fields, scope) => through(wholeOf(starRow(analysis, fields, scope)), 'TRANSFORMATION')],
  // Snowflake's `{*}` is an object of columns.
  ['braced_wildcard', (analysis, fields, scope) => expressionValue(analysis, fields, scope)],
  ['x_m_l_element', elementValue],
  ...entriesOf('subquery select union intersect except', subquery),
  ['exists', existsValue],
  ['in', inValue],
  ['lambda', lambdaValue],
  ['comprehension', comprehensionValue],
  ['named_argument', (analysis, fields, scope) => expressionValue(analysis, fields['value'], scope)],
  ['case', caseValue],
  ...entriesOf('if_func nvl2', conditionalValue),
  ...entriesOf('coalesce nvl if_null', defaultingValue),
  ['null_if', comparingValue],
  ['subscript', subscriptValue],
  ...entriesOf('cast try_cast safe_cast', castValue),
  ...entriesOf('j_s_o_n_extract json_extract json_extract_scalar json_query json_value', extractValue),
  ['extract', datePartValue],
  ['window_function', windowValue],
  ['method_call', methodValue],
  ['match_against', (analysis, { modifier: _words, ...parts }, scope) => partsValue(analysis, parts, scope)],
  ['connect_by_root', rootValue],
  ['j_s_o_n_key_value', keyedValue],
  ['next_value_for', (analysis, fields, scope) => through(analysis.expression(fields['order'], scope), 'WINDOW')],
]);

/** What is called `this` is the name of the element. */
function elementValue(analysis: Analysis, { this: _name, ...parts }: SyntaxFields, scope: NameScope): Provenance {
  return partsValue(analysis, parts, scope);
}

const partsValue = (analysis: Analysis, parts: SyntaxFields, scope: NameScope): Provenance =>
  through(valueOfParts(analysis, parts, scope), 'TRANSFORMATION');

function dotValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope, node: Syntax): Provenance {
  const path = pathOf(node);
  if (path !== null) {
    for (const part of nodesIn({ dot: fields })) analysis.visit(part.fields);
    return valueNamed(analysis, path, scope);
  }
  const field = nameOf(fields['field']);
  const value = expressionValue(analysis, fields['this'], scope);
  return field === null || field.text === '*'
    ? through(value, 'TRANSFORMATION')
    : fieldOf(analysis.rules, value, field);
}

function existsValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const query = childOf(fields, 'this');
  if (query !== null) analysis.query(query, scope);
  return nothing;
}

function inValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const query = childOf(fields, 'query');
  const members = query === null ? nothing : wholeOf(analysis.query(query, scope));
  const listed = ['this', 'expressions', 'unnest'].map((key) => expressionValue(analysis, fields[key], scope));
  return merge([...listed.map((value) => through(value, 'TRANSFORMATION')), through(members, 'CONDITIONAL')]);
}

function lambdaValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const { dialect, rules } = analysis;
  const [name, ...others] = namesOf(fields, 'parameters');
  // The parser takes the arrow of JSON in `f(a -> 'x')` for that of a function, whose body would use its parameter.
  if (name !== undefined && others.length === 0 && jsonArrows.has(dialect)) {
    const folded = foldedName(rules, name);
    const isUsed = nodesIn(fields['body']).some((node) =>
      pathOf(node)
        ?.slice(0, 1)
        .some((first) => foldedName(rules, first) === folded),
    );
    if (!isUsed) return extractedValue(analysis, { args: [columnSyntax(name), ...stepsOf(fields['body'])] }, scope);
  }
  const within = withParameters(analysis, namesOf(fields, 'parameters'), scope);
  return through(expressionValue(analysis, fields['body'], within), 'TRANSFORMATION');
}

const jsonArrows = wordSet('ansi duckdb mysql postgres redshift sqlite');

/** The operands of `'a' -> 'b' ->> 'c'`. */
function stepsOf(path: unknown): readonly unknown[] {
  const node = syntaxOf(path);
  if (node?.fields['arrow_syntax'] !== true) return [path];
  return [...stepsOf(node.fields['this']), node.fields['path']];
}

/** `[f(x) for x in list if c(x)]`. */
function comprehensionValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const variable = nameOf(fields['expression']);
  const within = withParameters(analysis, variable === null ? [] : [variable], scope);
  return merge([
    through(expressionValue(analysis, fields['iterator'], scope), 'TRANSFORMATION'),
    through(expressionValue(analysis, fields['this'], within), 'TRANSFORMATION'),
    through(expressionValue(analysis, fields['condition'], within), 'CONDITIONAL'),
  ]);
}

function withParameters({ rules }: Analysis, names: readonly SqlName[], scope: NameScope): NameScope {
  const added = names.map((name) => [foldedName(rules, name), nothing] as const);
  return { ...scope, parameters: new Map([...scope.parameters, ...added]) };
}

function windowValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const windows = windowsOf(analysis, fieldsOf(fields['over']), scope);
  const order = [...windows.flatMap((over) => [over['partition_by'], over['order_by'], over['frame']]), fields['keep']];
  const value = throughWithFields(expressionValue(analysis, fields['this'], scope), 'TRANSFORMATION');
  return withOthers(value, merge(order.map((item) => through(expressionValue(analysis, item, scope), 'WINDOW'))));
}

/** A window and those that it is based on by name. */
function windowsOf(analysis: Analysis, over: SyntaxFields | null, scope: NameScope): readonly SyntaxFields[] {
  const { rules } = analysis;
  const chain: SyntaxFields[] = [];
  for (let at = over; at !== null && chain.length <= scope.windows.length; ) {
    chain.push(at);
    analysis.spend(scope.windows.length);
    const base = nameOf(at['window_name']);
    const definition = scope.windows.find((window) => {
      const name = nameOf(window['name']);
      return base !== null && name !== null && foldedName(rules, name) === foldedName(rules, base);
    });
    at = definition === undefined ? null : fieldsOf(definition['spec']);
  }
  return chain;
}

/** `f(…)` of a schema or package reads as a method of a column: only a column that is there for certain has methods. */
function methodValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const owner = childOf(fields, 'this');
  const path = owner === null ? null : pathOf(owner);
  const namespaced = path !== null && !analysis.rules.methods && !isCertain(analysis, path, scope);
  const parts = namespaced ? [fields['args']] : [fields['this'], fields['args']];
  const name = nameOf(fields['method'])?.text.toLowerCase() ?? '';
  return through(expressionValue(analysis, parts, scope), 'TRANSFORMATION', isMasking(name));
}
