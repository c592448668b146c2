import fc from 'fast-check';
import type { ColumnsOf } from '../../../shared/domain/lineage/sql/types.ts';

/** Random queries over a few tables, each output column named, that DuckDB can run. */
type Query = {
  readonly sql: string;
  readonly columns: readonly string[];
  /** It gives no more rows than these. */
  readonly rows: number;
};

/** How many rows the oracle gives each table. */
export const rowsOfTable = 5;
/** A join of more rows takes a database minutes, and gigabytes. */
const mostRows = 5_000;

/** Columns of numbers, except for a list of numbers and a struct of two. */
export const tables: Readonly<Record<string, readonly string[]>> = {
  x: ['a', 'b'],
  y: ['b', 'c', 'd'],
  z: ['c', 'e'],
  u: ['k', 'xs', 's'],
};

export const typeOf = (column: string): 'number' | 'list' | 'struct' =>
  column === 'xs' ? 'list' : column === 's' ? 'struct' : 'number';

const numbersOf = (columns: readonly string[]): readonly string[] =>
  columns.filter((column) => typeOf(column) === 'number');

export const columnsOfTables: ColumnsOf = ([name]) => {
  const names = tables[name?.text ?? ''];
  return names === undefined ? null : { names, complete: true };
};

type Source = Pick<Query, 'columns' | 'rows'> & { readonly text: string; readonly alias: string };
type Scope = { readonly sources: readonly Source[]; readonly merged: readonly string[]; readonly rows: number };

/** How much is nested; the names of CTEs that may be read. */
type Room = { readonly depth: number; readonly ctes: readonly (Query & { readonly name: string })[] };

export const queries: fc.Arbitrary<Query> = fc.gen().map((draw) => new Writer(draw).query({ depth: 2, ctes: [] }));

/** Writes one query, with choices that shrink towards the plainest one. */
class Writer {
  readonly #draw: fc.GeneratorValue;
  #names = 0;

  constructor(draw: fc.GeneratorValue) {
    this.#draw = draw;
  }

  query(room: Room): Query {
    if (room.depth < 1 || !this.#oneIn(4)) return this.#oneIn(5) ? this.#setOperation(room) : this.#select(room);
    const cte = this.#oneIn(3) ? this.#recursive() : this.#cte(room);
    const rest = this.#select({ depth: room.depth - 1, ctes: [...room.ctes, cte] });
    return { ...rest, sql: `with ${cte.definition} ${rest.sql}` };
  }

  #cte(room: Room): Query & { readonly name: string; readonly definition: string } {
    const query = this.query({ ...room, depth: room.depth - 1 });
    const name = this.#name('w');
    return { ...query, name, definition: `${name} as (${query.sql})` };
  }

  #recursive(): Query & { readonly name: string; readonly definition: string } {
    const [name, value, round] = [this.#name('w'), this.#name('n'), this.#name('n')];
    const start = this.#table();
    const step = this.#table();
    const union = this.#pick(['union', 'union all']);
    const sql =
      `select ${start.alias}.${this.#pick(start.columns)}, 1 from ${start.text} ${union} ` +
      `select ${name}.${value} + ${step.alias}.${this.#pick(step.columns)}, ${round} + 1 from ${name} ` +
      `join ${step.text} on ${name}.${round} < ${step.alias}.${this.#pick(step.columns)} where ${round} < 3`;
    const rows = rowsOfTable + rowsOfTable ** 2 + rowsOfTable ** 3;
    return {
      sql,
      columns: [value, round],
      rows,
      name,
      definition: `recursive ${name}(${value}, ${round}) as (${sql})`,
    };
  }

  #setOperation(room: Room): Query {
    const left = this.#select({ ...room, depth: room.depth - 1 });
    const right = this.#select({ ...room, depth: room.depth - 1 }, left.columns.length);
    const operation = this.#pick(['union all', 'union', 'intersect', 'except', 'intersect all', 'except all']);
    return { sql: `(${left.sql}) ${operation} (${right.sql})`, columns: left.columns, rows: left.rows + right.rows };
  }

  #select(room: Room, width?: number): Query {
    const { from, scope } = this.#from(room);
    const where = this.#oneIn(5) ? ` where ${this.#condition(scope, room)}` : '';
    if (width === undefined && this.#oneIn(5)) return this.#grouped(from + where, scope);
    if (width === undefined && this.#oneIn(4)) return this.#starred(from + where, scope);
    const items = Array.from({ length: width ?? 1 + this.#below(3) }, () => this.#name('o'));
    const list = items.map((name) => `${this.#value(scope, room, 2)} as ${name}`);
    const distinct = this.#oneIn(6) ? 'distinct ' : '';
    const sql = `select ${distinct}${list.join(', ')} ${from}${where}${this.#tail(scope)}`;
    return { sql, columns: items, rows: scope.rows };
  }

  #tail(scope: Scope): string {
    const qualify = `qualify row_number() over (partition by ${this.#column(scope)} order by ${this.#column(scope)}) = 1`;
    return this.#pick(['', '', '', '', ' order by all limit 2', ` order by all limit 3 offset 1`, ` ${qualify}`]);
  }

  #grouped(from: string, scope: Scope): Query {
    const key = this.#column(scope);
    const [group, created] = [this.#name('g'), this.#name('o')];
    const call = this.#pick(['sum', 'max', 'min', 'count']);
    const filter = this.#oneIn(4) ? ` filter (where ${this.#column(scope)} > 2)` : '';
    const having = this.#oneIn(4) ? ` having min(${this.#column(scope)}) > 1` : '';
    const by = this.#pick([key, group, '1', 'all']);
    const value = this.#pick([
      `${call}(${this.#column(scope)})${filter}`,
      `list({'p': ${this.#column(scope)}, 'q': ${this.#column(scope)}} order by ${this.#column(scope)})[1].p`,
      `max_by(${this.#column(scope)}, ${this.#column(scope)})`,
    ]);
    const sql = `select ${key} as ${group}, ${value} as ${created} ${from} group by ${by}${having}`;
    return { sql, columns: [group, created], rows: scope.rows };
  }

  /** `t.*` with optional modifiers; only one relation, so that no name is duplicated. */
  #starred(from: string, { sources, rows }: Scope): Query {
    const { alias, columns } = this.#pick(sources);
    const [column] = columns;
    if (column === undefined || columns.length < 2 || this.#oneIn(3))
      return { sql: `select ${alias}.* ${from}`, columns, rows };
    if (this.#oneIn(2))
      return {
        sql: `select ${alias}.* exclude (${column}) ${from}`,
        columns: columns.slice(1),
        rows,
      };
    const other = this.#pick(columns);
    return { sql: `select ${alias}.* replace (${alias}.${other} + 1 as ${column}) ${from}`, columns, rows };
  }

  #from(room: Room): { readonly from: string; readonly scope: Scope } {
    const first = this.#source(room);
    let from = `from ${first.text}`;
    let scope: Scope = { sources: [first], merged: [], rows: first.rows };
    for (let joins = this.#below(3); joins > 0; joins--) {
      if (this.#oneIn(4)) {
        const next = this.#dependent(scope);
        from += `, ${next.text}`;
        scope = { ...scope, sources: [...scope.sources, next], rows: scope.rows * next.rows };
        continue;
      }
      const next = this.#source(room);
      // A full join gives the rows of both, and a cross join each with each.
      const rows = scope.rows * next.rows + next.rows;
      if (rows > mostRows) break;
      const shared = next.columns.filter((name) => isAlone(scope, name));
      const sources = [...scope.sources, next];
      if (shared.length > 0 && this.#oneIn(2)) {
        const name = this.#pick(shared);
        from += ` ${this.#pick(['join', 'left join', 'full join'])} ${next.text} using (${name})`;
        scope = { sources, merged: [...scope.merged, name], rows };
      } else if (this.#oneIn(5)) {
        from += ` ${this.#pick(['semi join', 'anti join'])} ${next.text} on ${this.#equality(scope, next)}`;
      } else {
        from += this.#oneIn(3)
          ? ` cross join ${next.text}`
          : ` left join ${next.text} on ${this.#equality(scope, next)}`;
        scope = { ...scope, sources, rows };
      }
    }
    return { from, scope };
  }

  #equality(scope: Scope, { alias, columns }: Source): string {
    return `${this.#qualified(scope)} = ${alias}.${this.#pick(columns)}`;
  }

  /** An item of FROM that reads those before it: LATERAL, or the elements of a list. */
  #dependent(scope: Scope): Source {
    const [alias, column] = [this.#name('t'), this.#name('n')];
    const outer = this.#qualified(scope);
    if (this.#oneIn(3)) {
      const list = this.#pick([
        `[${outer}, ${this.#qualified(scope)}]`,
        `generate_series(1, least(abs(${outer}), 4)::bigint)`,
      ]);
      return { text: `unnest(${list}) as ${alias}(${column})`, alias, columns: [column], rows: 4 };
    }
    const inner = this.#table();
    const value = `${inner.alias}.${this.#pick(inner.columns)} + ${outer}`;
    const where = `${inner.alias}.${this.#pick(inner.columns)} < ${this.#qualified(scope)}`;
    return {
      text: `lateral (select ${value} as ${column} from ${inner.text} where ${where}) as ${alias}`,
      alias,
      columns: [column],
      rows: rowsOfTable,
    };
  }

  #table(): Source {
    const [name, columns] = this.#pick(Object.entries(tables));
    const alias = this.#name('t');
    return { text: `${name} as ${alias}`, alias, columns: numbersOf(columns), rows: rowsOfTable };
  }

  #source(room: Room): Source {
    const alias = this.#name('t');
    if (room.depth > 0 && this.#oneIn(3)) {
      const { sql, columns, rows } = this.query({ ...room, depth: room.depth - 1 });
      if (!this.#oneIn(3)) return { text: `(${sql}) as ${alias}`, alias, columns, rows };
      const names = columns.map(() => this.#name('n'));
      return { text: `(${sql}) as ${alias}(${names.join(', ')})`, alias, columns: names, rows };
    }
    if (room.ctes.length > 0 && this.#oneIn(2)) {
      const { name, columns, rows } = this.#pick(room.ctes);
      return { text: `${name} as ${alias}`, alias, columns, rows };
    }
    if (this.#oneIn(6)) return this.#turned(alias);
    if (this.#oneIn(6)) return this.#nested(alias);
    return this.#table();
  }

  /** Rows turned into columns, or columns into rows. */
  #turned(alias: string): Source {
    const turned = this.#pick([
      { sql: 'select * from y pivot (sum(d) for c in (1, 2, 3))', width: 4 },
      { sql: 'select * from y pivot (max(b) as m, min(d) as n for c in (2, 4))', width: 4 },
      { sql: 'pivot y on b in (1, 2) using sum(c) group by d', width: 3 },
      { sql: 'select b, v, length(m) from y unpivot (v for m in (c, d))', width: 3 },
      { sql: 'select v from (unpivot z on c, e into name m value v)', width: 1 },
    ]);
    const columns = Array.from({ length: turned.width }, () => this.#name('n'));
    return { text: `(${turned.sql}) as ${alias}(${columns.join(', ')})`, alias, columns, rows: 2 * rowsOfTable };
  }

  /** Values of lists and structs as plain columns. */
  #nested(alias: string): Source {
    const nested = this.#pick([
      ['select k, q.v from u, unnest(u.xs) as q(v)', 2],
      ['select k, unnest(xs) from u', 2],
      ['select u.s.p, xs[1], len(xs) from u', 3],
      ["select q.r.p, q.r.t from (select {'p': a, 't': b} as r from x) as q", 2],
      ["select q.r['p'], k from (select struct_pack(p := s.q, t := k) as r, k from u) as q", 2],
      ['select list_sum(list_transform(xs, i -> i + k)), s.q from u', 2],
      ['select list_sum([i for i in xs if i > k]), k from u', 2],
      ["select (list({'p': c, 't': e} order by e)[1]).p from z", 1],
      ['select any_value(q).a from (select a, b from x where b = 2) as q', 1],
    ] as const);
    const columns = Array.from({ length: nested[1] }, () => this.#name('n'));
    return { text: `(${nested[0]}) as ${alias}(${columns.join(', ')})`, alias, columns, rows: 3 * rowsOfTable };
  }

  #value(scope: Scope, room: Room, depth: number): string {
    const inner = () => (depth > 0 ? this.#value(scope, room, depth - 1) : this.#column(scope));
    switch (this.#below(depth > 0 ? 12 : 3)) {
      case 3:
        return `(${inner()} + ${inner()})`;
      case 4:
        return `coalesce(${inner()}, ${inner()})`;
      case 5:
        return `case when ${this.#condition(scope, room)} then ${inner()} else ${inner()} end`;
      case 6:
        return this.#window(scope);
      case 7:
        return room.depth > 0 ? this.#scalar(scope) : inner();
      case 8:
        return `(select max(q.m) from (select ${this.#column(scope)} + 1 as m) as q)`;
      case 9:
        return `nullif(${inner()}, ${inner()})`;
      case 10:
        return `{'p': ${inner()}, 'q': ${inner()}}.${this.#pick(['p', 'q'])}`;
      case 11:
        return `list_max([${inner()}, ${inner()}])`;
      default:
        return this.#column(scope);
    }
  }

  #window(scope: Scope): string {
    const order = `order by ${this.#column(scope)}, ${this.#column(scope)}`;
    return this.#pick([
      `sum(${this.#column(scope)}) over (partition by ${this.#column(scope)})`,
      `lag(${this.#column(scope)}) over (${order})`,
      `count(*) over (${order} rows between ${this.#frameSize(scope)} preceding and current row)`,
      `first_value(${this.#column(scope)}) over (partition by ${this.#column(scope)} ${order})`,
    ]);
  }

  /** A number of rows: the database gives any result for NULL. */
  #frameSize(scope: Scope): string {
    return `least(abs(coalesce(${this.#column(scope)}, 0)), 4)::bigint`;
  }

  /** A correlated subquery. */
  #scalar(scope: Scope): string {
    const { text, alias, columns } = this.#table();
    const column = `${alias}.${this.#pick(columns)}`;
    return `(select max(${column}) from ${text} where ${alias}.${this.#pick(columns)} = ${this.#column(scope)})`;
  }

  #condition(scope: Scope, room: Room): string {
    const column = this.#column(scope);
    if (room.depth < 1 || this.#oneIn(2)) return `${column} > 2`;
    const { text, alias, columns } = this.#table();
    const member = `${alias}.${this.#pick(columns)}`;
    if (this.#oneIn(2)) return `${column} in (select ${member} from ${text})`;
    return `exists (select 1 from ${text} where ${member} = ${column})`;
  }

  /** A column by its qualified name, or by its own where that means one column. */
  #column(scope: Scope): string {
    const column = this.#qualified(scope);
    const name = column.slice(column.indexOf('.') + 1);
    return isPlain(scope, name) && this.#oneIn(2) ? name : column;
  }

  #qualified({ sources }: Scope): string {
    const { alias, columns } = this.#pick(sources);
    return `${alias}.${this.#pick(columns)}`;
  }

  #name(prefix: string): string {
    return `${prefix}${++this.#names}`;
  }

  #below(count: number): number {
    return this.#draw(fc.nat, { max: count - 1 });
  }

  #oneIn(count: number): boolean {
    return this.#below(count) === count - 1;
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[this.#below(choices.length)];
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice;
  }
}

const holders = ({ sources }: Scope, name: string): number =>
  sources.filter(({ columns }) => columns.includes(name)).length;

/** Whether only one relation has a column of that name. */
const isAlone = (scope: Scope, name: string): boolean => holders(scope, name) === 1;

/** Whether an unqualified name means one column: of one relation, or made one of two by USING. */
const isPlain = (scope: Scope, name: string): boolean =>
  isAlone(scope, name) || (scope.merged.includes(name) && holders(scope, name) === 2);
