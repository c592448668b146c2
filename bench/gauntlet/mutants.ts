import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { compareStatements } from '../../shared/domain/lineage/sql/compare/compare-statements.ts';
import { mutantsOf } from './mutate.ts';
import { statements, tables } from './statements.ts';

// Statements with one word changed, of the gauntlet's project or (`--statements`) of `statements.ts`: if the comparison of
// statements says that nothing changes, or only some columns do, executing both decides. The project needs the base that
// `run.ts` has built. Ends with 1 if the comparison claims too much.
const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '400' },
    model: { type: 'string', default: '' },
    statements: { type: 'boolean', default: false },
  },
});

type Node = {
  readonly resource_type: string;
  readonly name: string;
  readonly relation_name: string | null;
  readonly original_file_path: string;
  readonly compiled_code?: string;
  readonly depends_on: { readonly nodes?: readonly string[] };
};
type Statement = Pick<Node, 'name' | 'compiled_code'>;
const parser = await loadSqlParser();
const connection = await (await DuckDBInstance.create()).connect();
await connection.run('set threads to 1');

const counts = {
  mutants: 0,
  failing: 0,
  same: 0,
  changed: 0,
  changedAndEqual: 0,
  falseSame: 0,
  falseColumns: 0,
  notCompared: 0,
};
for (const { name, compiled_code } of await (values.statements ? ownStatements() : modelsOfProject())) {
  if (!compiled_code || !name.includes(values.model)) continue;
  await connection.run(`create or replace temp table before as ${compiled_code}`);
  for (const mutant of mutantsOf(compiled_code).slice(0, Number(values.most))) await check(name, compiled_code, mutant);
}
console.log(JSON.stringify({ bench: 'gauntlet-mutants', ...counts }));
if (counts.falseSame + counts.falseColumns > 0) process.exitCode = 1;

async function check(model: string, before: string, { text, what }: { text: string; what: string }): Promise<void> {
  const version = (one: string) => ({
    text: one,
    dialects: ['duckdb' as const],
    inlined: '',
    reads: (name: unknown) => JSON.stringify(name),
  });
  counts.mutants++;
  const statement = compareStatements(parser, version(before), version(text));
  const report = (problem: string) => console.log(JSON.stringify({ problem, model, what, said: statement }));
  const real = await difference(connection, before, text);
  if (real === null) {
    counts.failing++;
    if (statement.kind !== 'same') return;
    counts.falseSame++;
    return report('same, and fails');
  }
  if (statement.kind === 'not_compared') counts.notCompared++;
  else if (statement.kind === 'same') {
    counts.same++;
    if (real.isMoved || real.names.length > 0 || (await rowsDiffer(connection, text, real.common))) {
      counts.falseSame++;
      report('same, and differs');
    }
  } else {
    counts.changed++;
    const claimed = new Set([...statement.columns, ...statement.added, ...statement.removed]);
    const rest = real.common.filter((one) => !claimed.has(one));
    const differs = await rowsDiffer(connection, text, real.common);
    if (!differs && real.names.length === 0 && !real.isMoved) counts.changedAndEqual++;
    if (statement.rows) return;
    const unclaimed = real.names.filter((one) => !claimed.has(one));
    if (unclaimed.length > 0 || (await rowsDiffer(connection, text, rest))) {
      counts.falseColumns++;
      report('only these columns, and others differ');
    }
  }
}

async function difference(on: DuckDBConnection, before: string, after: string) {
  const [was, is] = [await columnsOf(on, before), await columnsOf(on, after)];
  if (!was || !is) return null;
  const common = [...was.keys()].filter((name) => was.get(name) === is.get(name));
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  const shared = (one: ReadonlyMap<string, string>) => [...one.keys()].filter((name) => common.includes(name)).join();
  return { common, names, isMoved: shared(was) !== shared(is) };
}

async function columnsOf(on: DuckDBConnection, sql: string): Promise<Map<string, string> | null> {
  try {
    // Planned only: what fails when it runs fails here, too.
    await bounded(on, () => on.run(`select * from (${sql}\n) limit 1`));
    const rows = (await on.runAndReadAll(`describe ${sql}`)).getRows();
    // No relation has two columns of one name.
    if (new Set(rows.map(([name]) => String(name).toLowerCase())).size < rows.length) return null;
    return new Map(rows.map(([name, type]) => [String(name).toLowerCase(), String(type)]));
  } catch {
    return null;
  }
}

async function rowsDiffer(on: DuckDBConnection, after: string, columns: readonly string[]): Promise<boolean> {
  const list = columns.length > 0 ? columns.map((name) => `"${name}"`).join(', ') : '1';
  const [was, is] = ['from before', after].map((sql) => `(select ${list} from (${sql}\n))`);
  const query = `select (select count(*) from (${was} except all ${is})) + (select count(*) from (${is} except all ${was}))`;
  try {
    const [row] = (await bounded(on, () => on.runAndReadAll(query))).getRows();
    return Number(row?.[0]) > 0;
  } catch {
    return true;
  }
}

async function ownStatements(): Promise<readonly Statement[]> {
  for (const table of tables) await connection.run(table);
  return statements.map((sql, place) => ({ name: `statement ${place}`, compiled_code: sql }));
}

/** The models, with the base's relations in memory, made by the statements themselves. */
async function modelsOfProject(): Promise<readonly Statement[]> {
  const cache = path.resolve(import.meta.dirname, '..', '..', '.cache', 'gauntlet-outcomes');
  const manifestFile = (existsSync(cache) ? readdirSync(cache) : [])
    .map((key) => path.join(cache, key, 'base', 'manifest.json'))
    .find((file) => existsSync(file));
  if (!manifestFile) throw new Error('Run node bench/gauntlet/run.ts first: it builds the base.');
  const { nodes }: { nodes: Record<string, Node> } = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const project = path.join(import.meta.dirname, 'project');
  await connection.run("attach ':memory:' as shop");
  await connection.run('use shop');
  for (const schema of ['staging', 'intermediate', 'marts', 'reference', 'history'])
    await connection.run(`create schema ${schema}`);
  await connection.run(readFileSync(path.join(project, 'raw.sql'), 'utf8'));
  const done = new Set<string>();
  const make = async (id: string): Promise<void> => {
    const node = nodes[id];
    if (!node || done.has(id)) return;
    done.add(id);
    for (const read of node.depends_on.nodes ?? []) await make(read);
    if (!node.relation_name) return;
    const query =
      node.resource_type === 'seed'
        ? `select * from read_csv('${path.join(project, node.original_file_path)}')`
        : node.resource_type === 'snapshot'
          ? `select *, updated_at as dbt_valid_from, null::timestamp as dbt_valid_to from (${node.compiled_code})`
          : node.compiled_code;
    await connection.run(`create table ${node.relation_name} as ${query}`);
  };
  for (const id of Object.keys(nodes)) await make(id);
  return Object.values(nodes);
}

/** A word changed in a recursion may leave it without an end. */
async function bounded<T>(on: DuckDBConnection, run: () => Promise<T>): Promise<T> {
  const ending = setTimeout(() => on.interrupt(), 3_000);
  try {
    return await run();
  } finally {
    clearTimeout(ending);
  }
}
