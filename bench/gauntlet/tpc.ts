import path from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { pythonEnvironment, succeeds } from '../../scripts/python-environment.mjs';
import { isWord, type Token, tokensOf } from '../../shared/domain/lineage/sql/tokens.ts';
import type { Subject } from './judge-claim.ts';

const packages = ['duckdb==1.5.5', 'duckdb-extension-tpch==1.5.5', 'duckdb-extension-tpcds==1.5.5'];

/** Small tables whose values are drawn from few: rows of tables of facts, and of others, and values of each key. */
const drawings = [
  { facts: 60, rows: 10, keys: 4 },
  { facts: 500, rows: 30, keys: 10 },
];

/** A column that the generator makes, and some of its values. */
type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly values: readonly string[];
};

/**
 * The queries of TPC-H and TPC-DS. Each runs over the tables of the suite's generator, and over small tables with NULLs,
 * repeated keys, and the values that the query compares with, so that changes show.
 */
export async function* tpcSubjects(part: string): AsyncGenerator<Subject> {
  const commands = pythonEnvironment('tpc', packages);
  if (!commands) throw new Error('Python 3 or its package index cannot be reached.');
  const file = path.join(commands, '..', 'tpc.duckdb');
  if (!succeeds(path.join(commands, 'python'), [path.join(import.meta.dirname, 'tpc.py'), file]))
    throw new Error('The tables of TPC cannot be generated.');
  const instance = await DuckDBInstance.create();
  const on = await instance.connect();
  await on.run(`attach '${file}' as generated (read_only)`);
  for (const suite of ['tpch', 'tpcds']) {
    const columns = await generatedColumns(on, suite);
    const queries = await read(
      on,
      `select number, text from generated.queries where suite = '${suite}' order by number`,
    );
    for (const [number = '', query = ''] of queries) {
      const name = `${suite}_${number}`;
      if (!name.includes(part)) continue;
      const text = query.replace(/;\s*$/, '');
      const schemas = [];
      for (const place of drawings.keys()) schemas.push(await drawTables(on, name, text, columns, place));
      // The small tables first: most changes show there, at once.
      const sets = [...schemas, `generated.${suite}`].map((schema) => connected(instance, schema));
      yield { name, text, on: await Promise.all(sets) };
    }
  }
}

async function generatedColumns(on: DuckDBConnection, suite: string): Promise<readonly Column[]> {
  const all = await read(
    on,
    `select table_name, column_name, data_type from duckdb_columns()
    where database_name = 'generated' and schema_name = '${suite}' order by table_name, column_index`,
  );
  const columns: Column[] = [];
  for (const [table, fields] of Map.groupBy(all, ([name = '']) => name)) {
    const sample = await read(
      on,
      `select columns(*)::varchar from generated.${suite}.${table} using sample reservoir(20) repeatable (1)`,
    );
    for (const [place, [, name = '', type = '']] of fields.entries()) {
      const values = sample.map((row) => row[place] ?? '').filter((value) => value !== 'null');
      columns.push({ table, name, type, values: [...new Set(values)] });
    }
  }
  return columns;
}

async function connected(instance: DuckDBInstance, schema: string): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run('set threads to 1');
  await connection.run(`set search_path = '${schema}'`);
  return connection;
}

/** Makes the tables that a query names in a new schema, and returns its name. */
async function drawTables(
  on: DuckDBConnection,
  name: string,
  text: string,
  columns: readonly Column[],
  place: number,
): Promise<string> {
  const { facts = 0, rows = 0, keys = 0 } = drawings[place] ?? {};
  const schema = `${name}_${place}`;
  await on.run(`create schema ${schema}`);
  const literals = comparedLiterals(text);
  const words = new Set(text.split(/\W+/));
  for (const [table, fields] of Map.groupBy(columns, (one) => one.table)) {
    if (!words.has(table)) continue;
    const drawn = fields.map((field) => {
      const pool = poolOf(field, literals, keys).map((one) => `'${one.replaceAll("'", "''")}'`);
      const hash = `hash(i || ' ${field.name} ${schema}')`;
      // One value in twenty is NULL.
      return `case when ${hash} // 1000 % 20 > 0 then try_cast([${pool}][1 + (${hash} % ${pool.length})::integer] as ${field.type}) end as ${field.name}`;
    });
    const count = /_sales|_returns|inventory|lineitem|orders|partsupp/.test(table) ? facts : rows;
    await on.run(`create table ${schema}.${table} as select ${drawn.join(', ')} from range(${count}) t(i)`);
  }
  return schema;
}

/** The values of a column: what the query compares it with, and generated ones, more of these if it compares it with nothing. */
function poolOf(
  { name, type, values }: Column,
  literals: ReadonlyMap<string, readonly string[]>,
  keys: number,
): readonly string[] {
  if (/key$|_sk$|_number$/.test(name)) return Array.from({ length: keys }, (_, place) => String(place));
  const isNumber = /INT|DECIMAL|DOUBLE/.test(type);
  const compared = (literals.get(name) ?? []).filter((one) => !isNumber || !Number.isNaN(Number(one)));
  return [
    ...new Set([...compared, ...values.slice(0, compared.length > 0 ? 1 : 4), ...(values.length === 0 ? [''] : [])]),
  ];
}

/** What a query compares each column with, without the signs of a pattern. */
function comparedLiterals(query: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let column: Token | null = null;
  for (const token of tokensOf(query, 'duckdb')) {
    if (isColumn(token)) column = token;
    else if (isWord(token, 'or', 'then', 'when', 'select', 'group', 'limit')) column = null;
    else if (column && (token.kind === 'string' || token.kind === 'number'))
      found.set(column.text, [...(found.get(column.text) ?? []), token.text.replace(/^'|'$|%/g, '')]);
  }
  return found;
}

/** The suites name their columns after their tables: `ss_item_sk`. */
const isColumn = ({ kind, text }: Token): boolean => kind === 'word' && /^[a-z]{1,4}_\w+$/.test(text);

const read = async (on: DuckDBConnection, sql: string): Promise<readonly (readonly string[])[]> =>
  (await on.runAndReadAll(sql)).getRows().map((row) => row.map(String));
