import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { judgeClaim, prepare, type Subject } from './judge-claim.ts';
import { type Mutant, mutantsOf } from './mutate.ts';
import { ownClaims } from './own-claim.ts';
import { statements, tables } from './statements.ts';
import { tpcSubjects } from './tpc.ts';

// Statements with one word changed, of the gauntlet's project, of `statements.ts` (`--statements`), or of TPC-H and TPC-DS
// (`--tpc`): if the comparison of statements says that nothing changes, or only some columns do, executing both decides.
// The project needs the base that `run.ts` has built. Ends with 1 if the comparison claims too much.
const { values } = parseArgs({
  options: {
    most: { type: 'string' },
    model: { type: 'string', default: '' },
    statements: { type: 'boolean', default: false },
    tpc: { type: 'boolean', default: false },
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
const claimOf = await ownClaims('as written');
const connection = await (await DuckDBInstance.create()).connect();
await connection.run('set threads to 1');

const counts = {
  statements: 0,
  mutants: 0,
  failing: 0,
  unfinished: 0,
  same: 0,
  changed: 0,
  changedAndEqual: 0,
  falseSame: 0,
  falseColumns: 0,
  notCompared: 0,
};
const subjects = values.tpc
  ? tpcSubjects(values.model)
  : await (values.statements ? ownStatements() : modelsOfProject());
for await (const subject of subjects) {
  if (!subject.name.includes(values.model)) continue;
  const sets = await prepare(subject);
  if (sets.length === 0) continue;
  counts.statements++;
  for (const mutant of mutantsOf(subject.text, Number(values.most ?? (values.tpc ? 32 : 400))))
    await check(subject, sets, mutant);
}
console.log(JSON.stringify({ bench: 'gauntlet-mutants', ...counts }));
if (counts.falseSame + counts.falseColumns > 0) process.exitCode = 1;

async function check(
  subject: Subject,
  sets: Awaited<ReturnType<typeof prepare>>,
  { text, what }: Mutant,
): Promise<void> {
  counts.mutants++;
  const claim = claimOf(subject.text, text);
  const { ends, shows, problem } = await judgeClaim(sets, text, claim);
  if (problem) {
    counts[claim.kind === 'same' ? 'falseSame' : 'falseColumns']++;
    console.log(JSON.stringify({ problem, model: subject.name, what, said: claim }));
  }
  if (ends === 'fails') counts.failing++;
  else if (ends === 'unfinished') counts.unfinished++;
  else if (claim.kind === 'not_compared') counts.notCompared++;
  else counts[claim.kind]++;
  if (ends === 'runs' && claim.kind === 'changed' && !shows) counts.changedAndEqual++;
}

async function ownStatements(): Promise<readonly Subject[]> {
  for (const table of tables) await connection.run(table);
  return statements.map((text, place) => ({ name: `statement ${place}`, text, on: [connection] }));
}

/** The models, with the base's relations in memory, made by the statements themselves. */
async function modelsOfProject(): Promise<readonly Subject[]> {
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
  return Object.values(nodes).flatMap(({ name, compiled_code: text }) =>
    text ? { name, text, on: [connection] } : [],
  );
}
