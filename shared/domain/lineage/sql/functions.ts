import { isDatePartName } from './date-part.ts';
import type { SqlDialect } from './dialect.ts';
import { type Analysis, isCallWithoutBrackets, type NameScope } from './name-scope.ts';
import { merge, nothing, through, unknown } from './provenance.ts';
import { presenceOf, valueNamed, variableNamed } from './resolve-name.ts';
import { columnAt, pathOf } from './row.ts';
import {
  childrenOf,
  entriesOf,
  fieldsOf,
  functionName,
  nameOf,
  type Syntax,
  type SyntaxFields,
  stringOf,
  syntaxOf,
  textOf,
  unquoted,
  wordSet,
} from './syntax.ts';
import type { Provenance, SqlName } from './types.ts';

/** Functions that make one value of the values of many rows, by the names that dialects and the parser give them. */
const aggregates = wordSet(
  `agg_func aggregate_function any_value anyif approx_count_distinct approx_distinct approx_median
  approx_most_frequent approx_percentile approx_percentile_cont approx_quantile approx_quantiles approx_set
  approx_top_count approx_top_k approx_top_sum arg_max arg_min argmax argmin array_agg_distinct avg avg_if
  avg_weighted avgif avgweighted bool_and bool_or bounding_ratio boundingratio checksum collect collect_list
  collect_set combined_agg_func corr count count_big count_distinct count_if countif delta_sum deltasum entropy every
  favg fsum geometric_mean histogram hll_accumulate hll_count json_agg_strict jsonb_object_agg_unique kurtosis
  list logical_and logical_or mad map_union max max_by maxif median min min_by minhash minif mode
  numeric_histogram percentile percentile_approx percentile_cont percentile_disc product regr_avgx regr_avgy
  regr_count regr_intercept regr_r2 regr_slope reservoir_quantile skewness some stats_mode std stddev stdev stdevp
  sum sum_if sum_kahan sum_with_overflow sumdistinct sumif sumkahan sumwithoverflow var variance variance_pop varp
  within_group`,
);

/** The names of families of them, most of them ClickHouse's. */
const aggregateFamilies =
  /agg$|^(uniq|quantiles?|top_?k|group_?(array|bit|concat|uniq)|(sum|min|max)_?map|any_?(heavy|last)|(var|std_?dev|skew|kurt|covar)_?(pop|samp)|bit_(and|or|xor)$)/;

/** Functions whose result does not let the value itself be seen, as OpenLineage's producers mark them. */
const masks =
  /^(md5.*|sha_?\d*(_hex|_binary)?|hash(_.*)?|hashbytes|xx_?hash_?\d*|city_?hash_?\d*|sip_?hash_?\d*|murmur_?hash.*|farm_fingerprint|crc32|digest|hmac.*|crypt|encrypt|anonymize|mask(_.*)?|count(_big|_if|if|_distinct)?|approx_(count_)?distinct|uniq(_?exact|_?combined)?)$/;

export const isAggregate = (name: string): boolean =>
  [name, withoutCombinators(name)].some((one) => aggregates.has(one) || aggregateFamilies.test(one));

/** What ClickHouse adds to the names of aggregates: `sumState`, `avgMergeIf`. */
function withoutCombinators(name: string): string {
  const found = combinators.find((suffix) => name.endsWith(suffix));
  return found === undefined ? name : withoutCombinators(name.slice(0, -found.length));
}

const combinators = ['state', 'merge', 'if', 'foreach', 'ornull', 'ordefault'];

/** Names of functions that give another value at each call. */
const volatile = /rand|uuid|guid|newid|newsequentialid|next_?val|^seq\d|^uniform$|^zipf$|clock_timestamp/;

export const isVolatile = (name: string): boolean => volatile.test(name);

export const isMasking = (name: string): boolean => masks.test(name);

const collecting = wordSet(
  'array_agg arrayagg group_concat json_agg json_arrayagg list list_agg listagg string_agg xmlagg',
);

/** Aggregates that hold all values, in the order that WITHIN GROUP gives them. */
export const isCollecting = (name: string): boolean => collecting.has(name);

/** Whether an operand of an aggregate only chooses the rows: the second of `max_by(a, b)`, the last of `sumIf(a, c)`. */
export function choosesRow(name: string, place: number, count: number): boolean {
  if (place === 0) return false;
  return rowChoosers.test(name) || (conditional.test(name) && isAggregate(name) && place === count - 1);
}

const rowChoosers = /^(arg_?(max|min)|(max|min)_?by)/;
const conditional = /if$/;

/** Functions in FROM that make rows only from their arguments, with the columns that they have without aliases. */
const rowFunctions: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...entriesOf<readonly string[]>(
    `explode explode_outer posexplode posexplode_outer generate_date_array generate_array inline inline_outer
    j_s_o_n_table json_table json_populate_record json_populate_recordset json_to_record json_to_recordset
    json_tuple jsonb_populate_record jsonb_populate_recordset jsonb_to_record jsonb_to_recordset parse_url_tuple range stack unnest x_m_l_table xmltable`,
    [],
  ),
  // Their only column has their name.
  ...`generate_series generate_subscripts jsonb_object_keys jsonb_path_query regexp_matches regexp_split_to_table
    string_to_table`
    .split(/\s+/)
    .map((name) => [name, [name]] as const),
  ['flatten', ['seq', 'key', 'path', 'index', 'value', 'this']],
  ['generator', ['seq4', 'seq8']],
  ...entriesOf('json_array_elements json_array_elements_text', ['value']),
  ...entriesOf('jsonb_array_elements jsonb_array_elements_text string_split', ['value']),
  ...entriesOf('json_each json_each_text jsonb_each jsonb_each_text', ['key', 'value']),
  ['generateseries', ['generate_series']],
  ...entriesOf('numbers numbers_mt', ['number']),
  ...entriesOf('zeros zeros_mt', ['zero']),
  ...entriesOf('open_j_s_o_n openjson', ['key', 'value', 'type']),
  ['sequence', ['sequential_number']],
  ...entriesOf('split_to_table strtok_split_to_table', ['seq', 'index', 'value']),
  ...entriesOf('variant_explode variant_explode_outer', ['pos', 'key', 'value']),
]);

const jsonNodes = entriesOf('json_each json_tree', 'key value type atom id parent fullkey path'.split(' '));

const byDialect: Partial<Record<SqlDialect, ReadonlyMap<string, readonly string[]>>> = {
  duckdb: new Map([...jsonNodes, ['range', ['range']]]),
  sqlite: new Map([...jsonNodes, ['generate_series', ['value']]]),
  tsql: new Map([['generate_series', ['value']]]),
};

/** Functions whose arrays hold no structs. */
const scalarArrays =
  wordSet(`generate_array generate_date_array generate_series generate_timestamp_array range regexp_extract_all sequence split
  string_split string_to_array`);

/** Whether a call makes rows of an array that holds no structs, so that an element is one column. */
export function isOfScalars({ kind, fields }: Syntax): boolean {
  const array = kind === 'unnest' ? syntaxOf(fields['this']) : null;
  if (array?.kind === 'array' || array?.kind === 'array_func')
    return childrenOf(array.fields, 'expressions').every((one) => one.kind === 'literal');
  return array !== null && scalarArrays.has(functionName(array.kind, array.fields));
}

/** Functions that make several rows of one also in a select list. */
const rowGenerators =
  wordSet(`explode explode_outer posexplode posexplode_outer inline inline_outer unnest stack json_array_elements
  json_array_elements_text json_each json_each_text json_object_keys jsonb_array_elements jsonb_array_elements_text
  jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query regexp_matches regexp_split_to_table string_to_table
  json_tuple generate_subscripts`);

/** Also DuckDB's `tags.unnest()`. */
export function isRowGenerator({ kind, fields }: Syntax): boolean {
  const method = kind === 'method_call' ? nameOf(fields['method'])?.text.toLowerCase() : undefined;
  return rowGenerators.has(kind) || rowGenerators.has(method ?? functionName(kind, fields));
}

/** Functions that choose or collect whole values, so that what they give has the fields of their first operand. */
const fieldKeepers =
  wordSet(`any_value arbitrary arg_max arg_min argmax argmin array array_agg array_agg_distinct array_func arrayagg
  collect_list collect_set element_at first first_value get group_array grouparray lag last last_value lead list
  list_value max_by maxby min_by minby nth_value unnest explode explode_outer`);

export const keepsFields = (name: string): boolean => fieldKeepers.has(name);

const rowCounters: ReadonlySet<string> = new Set(['count', 'count_big', 'approx_count_distinct', 'countif']);

/** Functions for which `*` means rows, so that they read no column. */
export const countsRows = (name: string): boolean => rowCounters.has(name);

/** The columns of a function that makes rows only from its arguments; null for any other, which may read unknown data. */
export const rowFunctionColumns = (name: string, dialect: SqlDialect): readonly string[] | null =>
  byDialect[dialect]?.get(name) ?? rowFunctions.get(name) ?? null;

/** A name or a dotted path; `@name`, which the parser gives as a column, is a variable. */
export function namedValue(analysis: Analysis, _fields: SyntaxFields, scope: NameScope, node: Syntax): Provenance {
  analysis.visit(node.fields);
  const path = pathOf(node) ?? [];
  const [first, ...more] = path;
  if (first === undefined || more.length > 0 || first.quoted) return valueNamed(analysis, path, scope);
  if (first.text.startsWith('@')) return variableNamed(analysis, first, scope) ?? nothing;
  const place = analysis.dialect === 'duckdb' ? /^#(\d{1,4})$/.exec(first.text)?.[1] : undefined;
  return place === undefined ? wordValue(analysis, first, scope) : placedValue(Number(place), scope);
}

/** A word without qualifier and brackets: a column, or a function such as `current_date`. */
export function wordValue(analysis: Analysis, word: SqlName, scope: NameScope): Provenance {
  const isCall = isCallWithoutBrackets(analysis.dialect, word) && presenceOf(analysis, word, scope) !== 'has';
  return isCall ? nothing : valueNamed(analysis, [word], scope);
}

/** The column that looks like a keyword: `interval - 1` is no interval, and `list[1]` no list, if a column has that name. */
export function keywordColumn(analysis: Analysis, node: Syntax, scope: NameScope): Provenance {
  const word = columnLikeKeyword(node);
  if (word === null) return nothing;
  const found = presenceOf(analysis, word, scope);
  const isKeyword = word.text === 'array' && bracketArrays.has(analysis.dialect);
  return found === 'has' || (found === 'may' && !isKeyword) ? valueNamed(analysis, [word], scope) : nothing;
}

function columnLikeKeyword({ kind, fields }: Syntax): SqlName | null {
  const isInterval = kind === 'interval' && fieldsOf(fields['unit']) === null && stringOf(fields['this']) === null;
  if (isInterval) return unquoted('interval');
  if (kind !== 'array_func' || fields['bracket_notation'] === true) return null;
  return unquoted(fields['use_list_keyword'] === true ? 'list' : 'array');
}

/** Dialects with `ARRAY[…]` constructors. */
const bracketArrays = wordSet('ansi athena bigquery duckdb postgres presto redshift trino');

/** EXTRACT. The parser reads Impala's `extract(d, 'day')` as `extract(d from 'day')`: what it takes for a part is then a column. */
export function datePartValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(fields['this'], scope);
  const text = textOf(fields, 'field') ?? textOf(fieldsOf(fields['field']) ?? {}, 'Custom');
  const word = text === null ? null : unquoted(text.toLowerCase());
  const isSwapped = isDatePartName(stringOf(fields['this']) ?? '');
  const isColumn = (name: SqlName) =>
    isSwapped || (!isDatePartName(name.text) && presenceOf(analysis, name, scope) === 'has');
  const column = word !== null && isColumn(word) ? valueNamed(analysis, [word], scope) : nothing;
  return through(merge([value, column]), 'TRANSFORMATION');
}

/** `$1` is a column of a staged file or of the only relation; any other parameter is a constant. */
export function parameterValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const name = textOf(fields, 'name');
  if (name !== null) return variableNamed(analysis, unquoted(name), scope) ?? nothing;
  if (fields['style'] !== 'Dollar' || typeof fields['index'] !== 'number') return nothing;
  return analysis.dialect === 'snowflake' ? placedValue(fields['index'], scope) : nothing;
}

/** The column at a place, which counts from one: Snowflake's `$1` and DuckDB's `#1`. */
function placedValue(place: number, { sources }: NameScope): Provenance {
  const [source, ...more] = sources;
  const match = source === undefined || more.length > 0 ? null : columnAt(source.row, place);
  return match?.certainty === 'has' ? match.value : unknown('a column is named by its place in a file');
}

/** Hierarchical queries: the value of a column in the root row. */
export function rootValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  return through(bareValue(analysis, fields['this'], scope), 'TRANSFORMATION');
}

/** `a : b` and `KEY a VALUE b` of a JSON object. */
export function keyedValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(fields['expression'], scope);
  return through(merge([bareValue(analysis, fields['this'], scope), value]), 'TRANSFORMATION');
}

/** The value of a column that the parser gives as a bare word. */
function bareValue(analysis: Analysis, value: unknown, scope: NameScope): Provenance {
  const path = wordPath(syntaxOf(value));
  return path === null ? analysis.expression(value, scope) : valueNamed(analysis, path, scope);
}

function wordPath(node: Syntax | null): readonly SqlName[] | null {
  const name = nameOf(node?.fields[node.kind === 'dot' ? 'field' : 'this']);
  if (node === null || name === null) return null;
  if (node.kind === 'var') return [name];
  const before = node.kind === 'dot' ? wordPath(syntaxOf(node.fields['this'])) : null;
  return before === null ? null : [...before, name];
}
