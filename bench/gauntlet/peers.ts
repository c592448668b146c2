import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { pythonEnvironment } from '../../scripts/python-environment.mjs';
import { markdownTable } from '../support/markdown-table.ts';
import { type Claim, judgeClaim, keepRows, prepare, type Subject } from './judge-claim.ts';
import { mutantsOf } from './mutate.ts';
import { ownClaims } from './own-claim.ts';
import { tpcSubjects } from './tpc.ts';

// Compares claims of Tributary and other tools about changes of TPC-H and TPC-DS that run, in a table. Needs Python 3 and
// its package index once.
const { values } = parseArgs({
  options: {
    /** Changes of each query that are tried. */
    each: { type: 'string', default: '12' },
    model: { type: 'string', default: '' },
  },
});

const tools = ['recce==1.69.1', 'sqlmesh==0.236.4', 'altimate-core==0.9.0', 'parrant==0.21.1'];

const names = v.array(v.string());
const Claims = v.array(
  v.variant('kind', [
    v.object({ kind: v.picklist(['same', 'not_compared']) }),
    v.object({ kind: v.literal('changed'), rows: v.boolean(), columns: names, added: names, removed: names }),
  ]),
);

type Change = {
  readonly sets: Awaited<ReturnType<typeof prepare>>;
  readonly suite: string;
  readonly before: string;
  readonly after: string;
  /** Names and types of the columns of each version, and of the tables of the suite. */
  readonly was: readonly Field[];
  readonly is: readonly Field[];
  readonly tables: Readonly<Record<string, readonly Field[]>>;
};
type Field = readonly [name: string, type: string];

const changes: Change[] = [];
for await (const subject of tpcSubjects(values.model)) changes.push(...(await changesOf(subject)));
const ours = await ownClaims('as DuckDB reads them');
const claims = new Map<string, readonly Claim[]>([
  ['Tributary', changes.map(({ before, after }) => ours(before, after))],
]);
for (const tool of tools) claims.set(tool.replace('==', ' '), claimsOf(tool));
const rows = new Map(
  [...claims.keys()].map((tool) => [
    tool,
    { same: 0, falseSame: 0, columns: 0, falseColumns: 0, rows: 0, silent: 0, not_compared: 0 },
  ]),
);
for (const [place, { sets, after }] of changes.entries()) {
  const known = new Map<string, Awaited<ReturnType<typeof judgeClaim>>>();
  for (const [tool, all] of claims) {
    const [claim, row] = [all[place], rows.get(tool)];
    if (!claim || !row) continue;
    const key = JSON.stringify(claim);
    const judgment = known.get(key) ?? (await judgeClaim(sets, after, claim));
    known.set(key, judgment);
    if (claim.kind === 'changed') row[claim.rows ? 'rows' : 'columns']++;
    else row[claim.kind]++;
    if (judgment.problem) row[claim.kind === 'same' ? 'falseSame' : 'falseColumns']++;
    if (claim.kind === 'changed' && !judgment.shows) row.silent++;
  }
}
const head = [
  'Tool',
  'Same',
  'of these false',
  'Only some columns',
  'of these false',
  'Rows',
  'Not compared',
  'Reported, and nothing differs',
];
console.log(`${changes.length} changes\n`);
console.log(
  markdownTable([
    head,
    ...[...rows].map(([tool, row]) =>
      [tool, row.same, row.falseSame, row.columns, row.falseColumns, row.rows, row.not_compared, row.silent].map(
        String,
      ),
    ),
  ]),
);

async function changesOf({ name, text, on }: Subject): Promise<readonly Change[]> {
  const sets = await prepare({ name, text, on });
  const [first] = sets;
  if (!first) return [];
  const [suite = ''] = name.split('_');
  const tables = await tablesOf(first.on, suite);
  const found: Change[] = [];
  for (const { text: after } of mutantsOf(text, Number(values.each))) {
    const is = await keepRows(first.on, 'after', after);
    if (typeof is === 'string') continue;
    found.push({ sets, suite, before: text, after, was: [...first.columns], is: [...is], tables });
  }
  return found;
}

function claimsOf(tool: string): readonly Claim[] {
  const [name = ''] = tool.split('==');
  const commands = pythonEnvironment(`peer-${name}`, [tool]);
  if (!commands) throw new Error('Python 3 or its package index cannot be reached.');
  const input = JSON.stringify(changes.map(({ sets, ...one }) => one));
  const script = path.join(import.meta.dirname, 'peers.py');
  const { stdout, status } = spawnSync(path.join(commands, 'python'), [script, name], {
    input,
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 2],
  });
  const found = v.parse(
    Claims,
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );
  if (status !== 0 || found.length !== changes.length) throw new Error(`${tool} ended before all changes.`);
  return found;
}

async function tablesOf(on: DuckDBConnection, suite: string): Promise<Change['tables']> {
  const found = await on.runAndReadAll(
    `select table_name, column_name, data_type from duckdb_columns()
    where database_name = 'generated' and schema_name = '${suite}' order by table_name, column_index`,
  );
  const tables = Map.groupBy(found.getRows(), ([table]) => String(table));
  const fields = (rows: readonly (readonly unknown[])[]) =>
    rows.map(([, name, type]): Field => [String(name), String(type)]);
  return Object.fromEntries([...tables].map(([table, rows]) => [table, fields(rows)]));
}
