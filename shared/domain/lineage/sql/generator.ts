import { callName, isNumbered, operandsOf } from './from-call.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { through } from './provenance.ts';
import { column, openRest } from './row.ts';
import { fieldOf, structOperands, throughWithFields } from './struct.ts';
import {
  fieldsOf,
  functionName,
  listOf,
  type Syntax,
  stringOf,
  syntaxOf,
  textOf,
  unquoted,
  wordSet,
} from './syntax.ts';
import type { Provenance, Row, SqlName } from './types.ts';

/** The columns of a generator in a select list, or of ClickHouse's `untuple`. Null for an item that gives one column. */
export function listedRow(analysis: Analysis, call: Syntax, isNamed: boolean, scope: NameScope): Row | null {
  if (callName(call) === 'untuple')
    return openElement(through(analysis.expression(operandsOf(call), scope), 'TRANSFORMATION'));
  const isUnnest = analysis.dialect === 'duckdb' && callName(call) === 'unnest';
  if (!isUnnest && (isNamed || !generators.has(generatorName(call)))) return null;
  const value = throughWithFields(analysis.expression(operandsOf(call), scope), 'TRANSFORMATION');
  return isUnnest ? unnestedRow(analysis, call, isNamed, value) : generatedRow(analysis, call, value, scope);
}

/** DuckDB's `unnest` gives the fields of a struct, and with `recursive` those of elements; only one column takes an alias. */
function unnestedRow(analysis: Analysis, call: Syntax, isNamed: boolean, value: Provenance): Row | null {
  const [operand = null, ...options] = listOf(operandsOf(call)).map(syntaxOf);
  if (operand !== null && options.length === 0) {
    const isStruct = structOperands(analysis, functionName(operand.kind, operand.fields), operand.fields) !== null;
    if (isStruct) return value.fields;
    if (isNamed || collectionOf(operand) === 'array') return null;
  }
  return openElement(value, (name) => fieldOf(analysis.rules, value, name));
}

const generators = wordSet('explode inline json_tuple posexplode stack');

const generatorName = (call: Syntax): string => callName(call).replace(/_outer$/, '');

/** The columns that a generator of Hive and Spark has without labels; null for any other call. */
export function generatedRow(analysis: Analysis, call: Syntax, value: Provenance, scope: NameScope): Row | null {
  const placed = placedNames(analysis, call);
  if (placed.length > 0) {
    const parts = callColumns(analysis, call, placed.length, scope);
    return placed.map((text, place) => column(unquoted(text), parts[place] ?? value));
  }
  const name = generatorName(call);
  if (name === 'inline') return value.fields ?? openElement(value);
  if (name !== 'explode' && name !== 'posexplode') return null;
  const place = name === 'explode' ? [] : [column(unquoted('pos'), value)];
  const element = name === 'posexplode' && analysis.dialect === 'hive' ? 'val' : 'col';
  const names = namesOfElements(call, element);
  if (names !== null) return [...place, ...names.map((text) => column(unquoted(text), value))];
  const possible = new Set([element, 'key', 'value']);
  return [...place, ...openElement(value, ({ text }) => (possible.has(text.toLowerCase()) ? value : null))];
}

/** Unknown columns: a query that names one finds it. */
function openElement(value: Provenance, named: (name: SqlName) => Provenance | null = () => value): Row {
  return [{ ...openRest('the columns of an element are not known', value), named, of: [column(null, value)] }];
}

/** Null if the operand may be an array or a map. */
function namesOfElements(call: Syntax, element: string): readonly string[] | null {
  const operand = syntaxOf(call.fields['this']) ?? syntaxOf(listOf(call.fields['args'])[0]);
  const kind = collectionOf(operand);
  if (kind === null) return null;
  return kind === 'map' ? ['key', 'value'] : [element];
}

/** Whether a value is an array or a map, as its function or cast says. */
function collectionOf(node: Syntax | null): 'array' | 'map' | null {
  if (node === null) return null;
  const name = functionName(node.kind, node.fields);
  const schema = name === 'from_json' ? stringOf(listOf(node.fields['args'])[1]) : null;
  const type = schema?.trimStart().toLowerCase() ?? textOf(fieldsOf(node.fields['to']) ?? {}, 'data_type');
  if (type !== null) return type.startsWith('array') ? 'array' : type.startsWith('map') ? 'map' : null;
  if (arrayFunctions.has(name)) return 'array';
  return mapFunctions.has(name) ? 'map' : null;
}

const arrayFunctions = wordSet(
  `array array_agg array_append array_compact array_distinct array_except array_func array_intersect array_remove
  array_repeat array_sort array_union arrays_zip collect_list collect_set filter flatten generate_series json_keys
  json_object_keys list list_distinct list_filter list_sort list_transform list_value map_entries map_keys map_values
  range regexp_extract_all sequence shuffle slice sort_array split string_split transform`,
);
const mapFunctions = wordSet(
  'map map_concat map_filter map_from_arrays map_from_entries map_zip_with str_to_map transform_keys transform_values',
);

/** What Spark and Hive name by places. */
function placedNames({ dialect }: Analysis, call: Syntax): readonly string[] {
  const [name, [rows, ...others]] = [callName(call), listOf(operandsOf(call))];
  if (name === 'range') return dialect === 'spark' || dialect === 'databricks' ? ['id'] : [];
  if (name === 'json_tuple') return others.map((_, place) => `c${place}`);
  const count = name === 'stack' ? Number(syntaxOf(rows)?.fields['value']) : 0;
  return count > 0 ? others.slice(0, Math.ceil(others.length / count)).map((_, place) => `col${place}`) : [];
}

/** What each of a number of columns of a call consists of; empty where each consists of all operands. */
export function callColumns(analysis: Analysis, call: Syntax, count: number, scope: NameScope): readonly Provenance[] {
  const operands = listOf(operandsOf(call));
  const valueOfAll = (items: readonly unknown[]) => through(analysis.expression(items, scope), 'TRANSFORMATION');
  if (callName(call) === 'stack' && count > 0) {
    let place = 0;
    const columns = Map.groupBy(operands.slice(1), (_cell) => place++ % count);
    return Array.from({ length: count }, (_, at) => valueOfAll(columns.get(at) ?? []));
  }
  const ordinality = isNumbered(call) ? 1 : 0;
  if (call.kind !== 'unnest' || operands.length < 2 || operands.length + ordinality !== count) return [];
  return operands.map((operand) => valueOfAll([operand]));
}
