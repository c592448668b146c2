import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseScript } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import { instructionsIn } from '../../../shared/domain/lineage/sql/scripts/find-body.ts';
import { type Body, bodiesIn, labelledDialects, lineageOf, otherDialects } from './bodies.ts';

const parser = await loadSqlParser();

type Words = {
  readonly dialect: SqlDialect;
  /** Whole texts around a body: declarations and statements. */
  readonly around: readonly ((declared: string, body: string) => string)[];
  readonly declare: (name: string) => string;
  /** A query's only column as the value of a variable. */
  readonly assign: (name: string, column: string, from: string) => string;
  readonly use: (name: string) => string;
  readonly when: (body: string) => string;
  readonly repeat: (body: string) => string;
  readonly guard: (body: string) => string;
  readonly temporary: (name: string, query: string) => string;
  readonly called: (name: string) => string;
  readonly rows: ((query: string, body: (row: string) => string) => string) | null;
  readonly literal: (text: string) => string;
  readonly text: string;
};

const dialects: readonly Words[] = [
  {
    dialect: 'tsql',
    around: [
      (declared, body) => `create or alter procedure dbo.p @n int as begin set nocount on; ${declared} ${body} end`,
      (declared, body) => `create proc dbo.p as ${declared} ${body}`,
      (declared, body) =>
        `begin try begin tran; ${declared} ${body} commit tran; end try begin catch rollback; throw; end catch`,
    ],
    declare: (name) => `declare @${name} int;`,
    assign: (name, column, from) => `select @${name} = ${column} from ${from};`,
    use: (name) => `@${name}`,
    when: (body) => `if @n > 1 begin ${body} end else print 'no';`,
    repeat: (body) => `while 1 = 1 begin ${body} break; end`,
    guard: (body) => `begin try ${body} end try begin catch throw; end catch`,
    temporary: (name, query) => `select * into #${name} from (${query}) q;`,
    called: (name) => `#${name}`,
    rows: (query, body) =>
      `declare c cursor for ${query}; open c; fetch next from c into @k, @j; while @@fetch_status = 0 begin ${body('@')} fetch next from c into @k, @j; end; close c; deallocate c;`,
    literal: (text) => `exec sp_executesql N'${text}';`,
    text: "exec('insert into t (a) select ' + @n);",
  },
  {
    dialect: 'postgres',
    around: [
      (declared, body) =>
        `create or replace procedure p(n int) language plpgsql as $body$ declare ${declared} begin ${body} end $body$`,
      (declared, body) => `do $$ declare ${declared} begin ${body} end $$`,
      (declared, body) =>
        `create procedure p() as $$ <<top>> declare ${declared} begin begin ${body} end; end; $$ language plpgsql`,
    ],
    declare: (name) => `${name} int := 0;`,
    assign: (name, column, from) => `select ${column} into strict ${name} from ${from};`,
    use: (name) => name,
    when: (body) => `if n > 1 then ${body} elsif n = 0 then raise notice 'no'; end if;`,
    repeat: (body) => `while n > 1 loop ${body} exit when n = 3; end loop;`,
    guard: (body) => `begin ${body} exception when others then raise; end;`,
    temporary: (name, query) => `create temporary table ${name} on commit drop as ${query};`,
    called: (name) => name,
    rows: (query, body) => `for r in ${query} loop ${body('r.')} end loop;`,
    literal: (text) => `execute '${text}';`,
    text: "execute format('insert into %I select 1', n);",
  },
  {
    dialect: 'oracle',
    around: [
      (declared, body) => `create or replace procedure p (n in number) is ${declared} begin ${body} end p;`,
      (declared, body) => `declare ${declared} begin ${body} exception when no_data_found then null; end;`,
      (declared, body) =>
        `create procedure p as ${declared} begin ${body} commit; exception when others then rollback; raise; end;`,
    ],
    declare: (name) => `${name} number := 0;`,
    assign: (name, column, from) => `select ${column} into ${name} from ${from};`,
    use: (name) => name,
    when: (body) => `if n > 1 then ${body} else null; end if;`,
    repeat: (body) => `while n > 1 loop ${body} end loop;`,
    guard: (body) => `begin ${body} exception when others then raise; end;`,
    temporary: (name, query) => `create global temporary table ${name} on commit preserve rows as ${query};`,
    called: (name) => name,
    rows: (query, body) => `for r in (${query}) loop ${body('r.')} end loop;`,
    literal: (text) => `execute immediate '${text}';`,
    text: "execute immediate 'delete from ' || n;",
  },
  {
    dialect: 'snowflake',
    around: [
      (declared, body) =>
        `create or replace procedure p(n int) returns string language sql as $$ declare ${declared} begin ${body} return 'ok'; end $$`,
      (declared, body) => `execute immediate $$ declare ${declared} begin ${body} end; $$`,
      (declared, body) =>
        `create procedure p() returns int language sql as declare ${declared} begin ${body} return 1; end;`,
    ],
    declare: (name) => `${name} int default 0;`,
    assign: (name, column, from) => `select ${column} into :${name} from ${from};`,
    use: (name) => `:${name}`,
    when: (body) => `if (n > 1) then ${body} elseif (n = 0) then return 'no'; end if;`,
    repeat: (body) => `while (n > 1) do ${body} end while;`,
    guard: (body) => `begin ${body} exception when other then raise; end;`,
    temporary: (name, query) => `create or replace temporary table ${name} as ${query};`,
    called: (name) => name,
    rows: (query, body) => `let c cursor for ${query}; for r in c do ${body('r.')} end for;`,
    literal: (text) => `execute immediate '${text}';`,
    text: 'execute immediate :n;',
  },
  {
    dialect: 'bigquery',
    around: [
      (declared, body) => `create or replace procedure d.p(n int64) begin ${declared} ${body} end`,
      (declared, body) => `${declared} begin ${body} exception when error then raise; end;`,
      (declared, body) => `create procedure d.p() options (strict_mode = false) begin ${declared} ${body} end;`,
    ],
    declare: (name) => `declare ${name} int64 default 0;`,
    assign: (name, column, from) => `set ${name} = (select ${column} from ${from});`,
    use: (name) => name,
    when: (body) => `if n > 1 then ${body} elseif n = 0 then select 1; end if;`,
    repeat: (body) => `while n > 1 do ${body} end while;`,
    guard: (body) => `begin ${body} exception when error then raise using message = 'x'; end;`,
    temporary: (name, query) => `create temp table ${name} as ${query};`,
    called: (name) => name,
    rows: (query, body) => `for r in (${query}) do ${body('r.')} end for;`,
    literal: (text) => `execute immediate '${text}';`,
    text: "execute immediate concat('insert into t select ', n);",
  },
];

type Pattern = { readonly declared?: readonly string[]; readonly body: string; readonly lineage: readonly string[] };

/** The statements of a body in a dialect, and their lineage as a person reads it. */
const patterns = (words: Words): readonly Pattern[] => {
  const { assign, use, temporary, called, rows, literal, dialect } = words;
  const insert = 'insert into t (a, b) select s.x, s.y from s;';
  const ofInsert = ['t.a < s.x', 't.b < s.y'];
  const max = assign('m', 'max(v)', 'w');
  const merge = `merge into t using s on t.a = s.k when matched then update set ${dialect === 'bigquery' ? '' : 't.'}b = s.y when not matched then insert (a) values (s.x);`;
  const update =
    dialect === 'oracle' || dialect === 'snowflake'
      ? 'update t set b = (select max(s.y) from s where s.k = t.a);'
      : 'update t set b = s.y from s where s.k = t.a;';
  const from =
    rows?.('select s.x as k, s.y as j from s', (row) => `insert into t (a, b) values (${row}k, ${row}j);`) ?? '';
  return [
    { body: insert, lineage: ofInsert },
    { body: `${insert} insert into u (a) select v from w;`, lineage: [...ofInsert, 'u.a < w.v'] },
    { body: merge, lineage: ['t.a < s.x', 't.b < s.y', 't ~ s.k, t.a'] },
    { body: update, lineage: ['t.b < s.y', 't ~ s.k, t.a'] },
    { body: 'delete from t where a in (select k from s);', lineage: ['t ~ s.k, t.a'] },
    {
      body: `${temporary('z', 'select x as p, y as q from s')} insert into t (a, b) select q, p from ${called('z')};`,
      lineage: ['t.a < s.y', 't.b < s.x'],
    },
    {
      declared: ['m'],
      body: `${max} insert into t (a, b) select s.x, ${use('m')} from s;`,
      lineage: ['t.a < s.x', 't.b < w.v'],
    },
    { declared: ['m'], body: `${max} insert into t (a) values (${use('m')});`, lineage: ['t.a < w.v'] },
    { declared: ['m'], body: `${max} update t set a = ${use('m')} where b = 1;`, lineage: ['t.a < w.v', 't ~ t.b'] },
    { declared: dialect === 'tsql' ? ['k', 'j'] : [], body: from, lineage: ofInsert },
    { body: literal('insert into t (a) select x from s where y = 1'), lineage: ['t.a < s.x', 't ~ s.y'] },
    { body: `${insert} ${words.text}`, lineage: ['incomplete', ...ofInsert] },
    { body: `insert into t (a, b) select case when s.x > 1 then s.x else 0 end, s.y from s;`, lineage: ofInsert },
    { body: `insert into t (a) select x x x from s; ${insert}`, lineage: ['incomplete', ...ofInsert] },
  ];
};

/** Control flow around statements, which does not change their lineage. */
const flows = ({ when, repeat, guard }: Words): readonly ((body: string) => string)[] => [
  (body) => body,
  when,
  repeat,
  (body) => guard(when(body)),
];

const bodies = dialects.flatMap((words) =>
  patterns(words).flatMap(({ declared = [], body, lineage: expected }) =>
    flows(words).map((flow, place) => {
      const around = words.around[place % words.around.length] ?? ((_: string, one: string) => one);
      const sql = around(declared.map(words.declare).join(' '), flow(body));
      return { dialect: words.dialect, title: `pattern ${place}`, sql, expected: [...expected].sort() };
    }),
  ),
);

/** Every body with its verdict: what is not exact and does not say so is wrong. */
function judged(all: readonly Body[]) {
  return all.map((body) => {
    const found = lineageOf(parser, body);
    const isExact = found.join('\n') === body.expected.join('\n');
    const isOpen = found.some((line) => line === 'incomplete' || line.endsWith('?'));
    const isTrue = found.every((line) => line.endsWith('?') || line === 'incomplete' || body.expected.includes(line));
    return { ...body, found, verdict: isExact ? 'exact' : isOpen && isTrue ? 'open' : 'wrong' };
  });
}

const wrongOf = (all: ReturnType<typeof judged>) =>
  all.filter(({ verdict }) => verdict === 'wrong').map(({ title, found, expected }) => ({ title, found, expected }));

describe('the body of a procedure', () => {
  it.each(labelledDialects)('is read along its statements, conditions and variables: %s', (dialect) => {
    const all = judged(bodiesIn(dialect));
    expect(wrongOf(all)).toEqual([]);
    const exact = all.filter(({ verdict }) => verdict === 'exact').length;
    process.stdout.write(`${dialect}: ${exact} of ${all.length} bodies exact, the others open\n`);
    expect(exact / all.length).toBeGreaterThanOrEqual(0.9);
  });

  it.each(otherDialects)('is read, and so are statements that the parser refuses: %s', (dialect) => {
    expect(judged(bodiesIn(dialect)).filter(({ verdict }) => verdict !== 'exact')).toEqual([]);
  });

  it(`is read in ${bodies.length} bodies of five dialects, whatever flow is around`, () => {
    expect(bodies.length).toBeGreaterThan(250);
    expect(judged(bodies).filter(({ verdict }) => verdict !== 'exact')).toEqual([]);
  });

  it.each([
    ['oracle', 'begin foo; end;', 'what a called procedure does is not known'],
    ['postgres', 'do $$ begin call foo(); end $$', 'what a called procedure does is not known'],
    ['postgres', 'do $$ begin foo; end $$', 'a statement of the body is not understood'],
    ['snowflake', 'begin foo; end', 'a statement of the body is not understood'],
  ] as const)('says in %s of “%s” that %s', (dialect, sql, reason) => {
    const analyses = analyseScript(parser, sql, { dialect, columnsOf: () => null });
    expect(analyses.map(({ unresolvedReason }) => unresolvedReason)).toEqual([reason]);
  });

  it('knows the columns of a table under the name that it gets', () => {
    const sql =
      'create table z as select x as p, y as q from s; alter table z rename to zz; insert into t select * from zz';
    expect(lineageOf(parser, { dialect: 'postgres', sql })).toEqual(
      expect.arrayContaining(['t.a < zz.p', 't.b < zz.q', 'zz.p < s.x', 'zz.q < s.y']),
    );
  });

  it('runs text that no semicolon separates from a statement before it', () => {
    const sql = "insert into t (a) select x from s exec('insert into u (b) select y from s')";
    expect(lineageOf(parser, { dialect: 'tsql', sql })).toEqual(['t.a < s.x', 'u.b < s.y']);
  });

  it('writes each relation whose name IDENTIFIER may give, and none that a loop may still change', () => {
    const written = 'insert into identifier(:tab) (a) select x from s;';
    const lines = (body: string) =>
      lineageOf(parser, { dialect: 'snowflake', sql: `begin let tab varchar := 't'; ${body} end;` });
    expect(lines(`if (:n > 1) then tab := 'u'; end if; ${written}`)).toEqual(['t.a < s.x', 'u.a < s.x']);
    expect(lines(`for i in 1 to 2 do ${written} tab := 'u'; end for;`)).toEqual(['incomplete']);
  });

  it.each([
    'begin ',
    'if ',
    'if a then ',
    'if exists (select a from t) then insert into t select a from t; ',
    'case when ',
    'for r in ',
    'for r in select a from t loop ',
    'while x ',
    'set @a = ',
    "execute 'begin ",
    'declare c cursor for ',
    'fetch c into ',
    'select a into b ',
    'x := case ',
    'create procedure p as begin ',
    "set @q = @q + 'a'; exec(@q); ",
    'exit when a; ',
  ])('is split in time that is proportional to its text: %s', (part) => {
    const time = (times: number) => {
      const start = process.cpuUsage();
      for (const { dialect } of dialects) instructionsIn(`begin ${part.repeat(times)}`, dialect);
      return process.cpuUsage(start).user;
    };
    time(500);
    // What is quadratic costs sixteen times as much.
    expect(time(2_000)).toBeLessThan(Math.max(10 * time(500), 200_000));
  });
});
