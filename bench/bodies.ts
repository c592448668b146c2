import { loadSqlParser } from '../shared/adapters/sql-parser.ts';
import { type Body, bodiesIn, columns, lineageOf } from '../test/domain/sql/bodies.ts';
import { startPostgres } from '../test/exporters/postgres-server.ts';
import { randomFloats } from './support/random-floats.ts';

/**
 * Executes the labelled bodies of PostgreSQL: `bodies.ts [ROUNDS] [SEED]`. Each round draws other rows, and
 * changes one column after another. Prints a line of each fault; exits 1 if there is one.
 *
 * silent: a column that changes what a body writes, and is in no edge
 * wrong: a column that a body writes, although no line says so
 */
type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;
type Run = { readonly before: Tables; readonly after: Tables };
type Column = { readonly relation: string; readonly name: string };

const nameOf = ({ relation, name }: Column) => `${relation}.${name}`;

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

const callAll = `select format('%s %s(%s)', case prokind when 'p' then 'call' else 'select' end, proname,
  (select string_agg(case when type = 'int'::regtype then '1' else quote_literal('x') end, ', ') from unnest(proargtypes) type))
  from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype \\gexec`;

const [rounds = 12, seed = 1] = process.argv.slice(2).map(Number);
const rowsOfTable = 4;
const server = startPostgres();
if (server === null) process.stdout.write('PostgreSQL is not installed, so no body was executed.\n');
else
  try {
    await executeBodies(server.script);
  } finally {
    server.stop();
  }

async function executeBodies(script: (text: string) => string): Promise<void> {
  const parser = await loadSqlParser();
  const totals = { bodies: 0, refused: 0, idle: 0, runs: 0, influences: 0, unseen: 0, silent: 0, wrong: 0 };
  for (const body of bodiesIn('postgres')) {
    totals.bodies++;
    const found = lineageOf(parser, body);
    const { influences, written, runs } = observe(script, body, [...body.expected, ...found]);
    totals.runs += runs;
    if (runs === 0) totals.refused++;
    else if (written.size === 0) totals.idle++;
    totals.influences += influences.size;
    totals.unseen += edgesOf(found).filter((edge) => !influences.has(edge)).length;
    for (const [by, lines] of Object.entries({ label: body.expected, analysis: found })) {
      const silent = [...influences].filter((edge) => !isCovered(edge, lines));
      const wrong = [...written].filter((name) => !isNamed(name, lines));
      totals.silent += silent.length;
      totals.wrong += wrong.length;
      if (silent.length + wrong.length > 0) console.log(JSON.stringify({ body: body.title, by, silent, wrong }));
    }
  }
  console.log(JSON.stringify({ bench: 'bodies', rounds, seed, ...totals }));
  process.exitCode = totals.silent + totals.wrong > 0 ? 1 : 0;
}

/** The edges of a body, as `source > target`. */
function observe(script: (text: string) => string, body: Body, lines: readonly string[]) {
  const tables = tablesIn(lines);
  const all = Object.entries(tables).flatMap(([relation, names]) => names.map((name) => ({ relation, name })));
  const influences = new Set<string>();
  const written = new Set<string>();
  let runs = 0;
  for (let round = 0; round < rounds; round++) {
    const below = randomIn(seed + round);
    // Without a unique key there is no conflict, with one most other inserts fail.
    const isUnique = round % 2 === 1 && /conflict|unique/.test(body.sql);
    const draw = (column: Column, bound: number) => values(column, { below, bound, isUnique });
    const data = new Map(all.map((column) => [nameOf(column), draw(column, 4)]));
    // Values like the others, values that equal none, and some of each.
    const changes = all.flatMap((column) => [4, 90, 7].map((bound) => ({ column, values: draw(column, bound) })));
    const states = [
      tablesOf(tables, data),
      ...changes.map((one) => tablesOf(tables, new Map(data).set(nameOf(one.column), one.values))),
    ];
    const [base, ...others] = runAll(script, states, { body, isUnique });
    if (base === undefined || base === null) continue;
    runs++;
    for (const column of all)
      for (const value of writes(base, column).values())
        written.add(value === 'deleted' ? `${column.relation}.*` : nameOf(column));
    for (const [place, run] of others.entries()) {
      const source = changes[place]?.column;
      if (run === null || source === undefined) continue;
      runs++;
      for (const column of all)
        if (differs(base, run, { column, source })) influences.add(`${nameOf(source)} > ${nameOf(column)}`);
    }
  }
  return { influences, written, runs };
}

/** Null of each run that fails. */
function runAll(
  script: (text: string) => string,
  states: readonly Tables[],
  { body, isUnique }: { readonly body: Body; readonly isUnique: boolean },
): (Run | null)[] {
  const [first = {}] = states;
  const schemas = new Set(['public', ...Object.keys(first).flatMap((name) => name.split('.').slice(0, -1))]);
  const definitions = [
    "set client_min_messages = error; set statement_timeout = '2s'",
    ...[...schemas].flatMap((name) => [`drop schema if exists ${name} cascade`, `create schema ${name}`]),
    ...Object.entries(first).flatMap(([name, [row = {}]]) => [
      `create table ${name} (${Object.entries(row).map(([key, value]) => `"${key}" ${typeof value === 'string' ? 'text' : 'int'}`)})`,
      ...(isUnique && 'a' in row ? [`create unique index on ${name} (a)`] : []),
    ]),
  ];
  const runs = states.map((state) => {
    const tables = Object.entries(state);
    const filled = tables.flatMap(([name, rows]) => [
      `delete from ${name}`,
      `insert into ${name} values ${rows.map((row) => `(${Object.values(row).map(literal)})`)}`,
    ]);
    const contents = tables.map(([name]) => `'${name}', (select coalesce(jsonb_agg(r), '[]') from ${name} r)`);
    return `\\set LAST_ERROR_MESSAGE ''
${filled.join('\\;')};
${body.sql.replace(/\bcreate (?=procedure|function)/g, 'create or replace ')};
${callAll}
select 'run', jsonb_build_object('error', :'LAST_ERROR_MESSAGE', 'tables', jsonb_build_object(${contents}));`;
  });
  const [base, ...others] = runs;
  const printed = script(`${definitions.join(';\n')};
${base}
select :'LAST_ERROR_MESSAGE' = '' as fine \\gset
\\if :fine
${others.join('\n')}
\\endif
`);
  const lines = printed.split('\n').filter((line) => line.startsWith('run|'));
  return states.map((before, place) => {
    const { error, tables } = JSON.parse(lines[place]?.slice(4) ?? '{"error":"lost"}');
    return error === '' ? { before, after: tables } : null;
  });
}

/** The relations and columns that lines name, and those of the fixtures. */
function tablesIn(lines: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const tables = new Map(Object.entries(columns).map(([name, all]) => [name, new Set(all)]));
  for (const [path] of lines.join('\n').matchAll(/[\w.]+/g)) {
    const [relation, name] = [path.slice(0, path.lastIndexOf('.')), path.slice(path.lastIndexOf('.') + 1)];
    if (!path.includes('.')) continue;
    tables.set(relation, (tables.get(relation) ?? new Set(columns[relation.split('.').at(-1) ?? ''])).add(name));
  }
  return Object.fromEntries([...tables].map(([relation, names]) => [relation, [...names]]));
}

/** Each row has a number, which rows that the body inserts have not. */
function tablesOf(tables: Readonly<Record<string, readonly string[]>>, data: ReadonlyMap<string, readonly unknown[]>) {
  return Object.fromEntries(
    Object.entries(tables).map(([relation, names]) => [
      relation,
      Array.from({ length: rowsOfTable }, (_, row) => ({
        ...Object.fromEntries(names.map((name) => [name, data.get(`${relation}.${name}`)?.[row]])),
        '#': row,
      })),
    ]),
  );
}

type Draw = { readonly below: (bound: number) => number; readonly bound: number; readonly isUnique: boolean };

function values({ name }: Column, { below, bound, isUnique }: Draw): readonly unknown[] {
  if (isUnique && name === 'a') {
    const first = below(bound);
    return Array.from({ length: rowsOfTable }, (_, row) => 1 + ((first + row) % bound));
  }
  return Array.from({ length: rowsOfTable }, () => {
    const value = below(8) === 0 ? null : 1 + below(bound);
    return name === 'msg' ? String(value) : value;
  });
}

function randomIn(start: number): (bound: number) => number {
  const random = randomFloats(start);
  return (bound) => Math.floor(random() * bound);
}

/** The values of a column that a run writes, by the row's number; rows that it deletes count for all columns. */
function writes({ before, after }: Run, { relation, name }: Column): Map<unknown, unknown> {
  const rows = after[relation] ?? [];
  const added = rows.filter((row) => row['#'] === null && row[name] !== null).map((row) => row[name]);
  const written = new Map<unknown, unknown>(added.length > 0 ? [['added', added.sort().join()]] : []);
  for (const row of before[relation] ?? []) {
    const left = rows.find((one) => one['#'] === row['#']);
    if (left === undefined) written.set(row['#'], 'deleted');
    else if (left[name] !== row[name]) written.set(row['#'], left[name]);
  }
  return written;
}

/** Of a column that is itself changed, rows that keep their value say nothing. */
function differs(one: Run, other: Run, { column, source }: Readonly<Record<'column' | 'source', Column>>): boolean {
  const [before, after] = [writes(one, column), writes(other, column)];
  const isOwn = nameOf(column) === nameOf(source);
  return [...new Set([...before.keys(), ...after.keys()])].some((key) => {
    const both = [before.get(key), after.get(key)];
    const isUnknown = isOwn && typeof key === 'number' && !both.includes('deleted') && both.includes(undefined);
    return both[0] !== both[1] && !isUnknown;
  });
}

/** Lines as edges; `relation ~ column` is one to all columns of the relation. */
function edgesOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const [target = '', sources = ''] = line.split(/ [<~] ?/);
    const end = line.includes(' ~') ? `${target}.*` : target;
    return (sources.match(/[\w.]+/g) ?? []).map((source) => `${source} > ${end}`);
  });
}

/** Whether lines have an influence, perhaps through other columns that the body writes, or say that they are incomplete. */
function isCovered(influence: string, lines: readonly string[]): boolean {
  if (lines.includes('incomplete')) return true;
  const [source = '', target = ''] = influence.split(' > ');
  const edges = edgesOf(lines);
  const reached = new Set([target]);
  for (const name of reached) {
    const rows = `${name.slice(0, name.lastIndexOf('.'))}.*`;
    if (
      lines.some(
        (line) => line.endsWith('?') && (line.startsWith(`${name} <`) || line.startsWith(`${rows.slice(0, -2)} ~`)),
      )
    )
      return true;
    for (const edge of edges) {
      const [from = '', to] = edge.split(' > ');
      if (to === name || to === rows) reached.add(from);
    }
  }
  return reached.has(source) && (source !== target || edges.some((edge) => edge.startsWith(`${source} > `)));
}

/** Whether lines tell that a column is written, or that rows of a relation are deleted. */
function isNamed(name: string, lines: readonly string[]): boolean {
  const [relation, column] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)];
  return lines.some((line) => {
    const [target = ''] = line.split(/ [<~]/);
    if (column === '*' && target.startsWith(relation)) return true;
    return [name, `${relation}.*`, 'incomplete'].includes(target);
  });
}
