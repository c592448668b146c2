import fc from 'fast-check';

/** Random queries over a few tables of numbers, each output column named, that DuckDB can run. */
export type Query = { readonly sql: string; readonly columns: readonly string[] };

export const tables: Readonly<Record<string, readonly string[]>> = {
  x: ['a', 'b'],
  y: ['b', 'c', 'd'],
  z: ['c', 'e'],
};

type Source = { readonly text: string; readonly alias: string; readonly columns: readonly string[] };
type Scope = { readonly sources: readonly Source[]; readonly merged: readonly string[] };

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
    if (room.depth < 1 || !this.#oneIn(4)) return this.#oneIn(5) ? this.#union(room) : this.#select(room);
    const cte = { ...this.query({ ...room, depth: room.depth - 1 }), name: this.#name('w') };
    const rest = this.#select({ depth: room.depth - 1, ctes: [...room.ctes, cte] });
    return { sql: `with ${cte.name} as (${cte.sql}) ${rest.sql}`, columns: rest.columns };
  }

  #union(room: Room): Query {
    const left = this.#select({ ...room, depth: room.depth - 1 });
    const right = this.#select({ ...room, depth: room.depth - 1 }, left.columns.length);
    return { sql: `${left.sql} union all ${right.sql}`, columns: left.columns };
  }

  #select(room: Room, width?: number): Query {
    const { from, scope } = this.#from(room);
    const where = this.#oneIn(5) ? ` where ${this.#condition(scope, room)}` : '';
    if (width === undefined && this.#oneIn(5)) return this.#grouped(from + where, scope);
    if (width === undefined && this.#oneIn(4)) return this.#starred(from + where, scope);
    const items = Array.from({ length: width ?? 1 + this.#below(3) }, () => this.#name('o'));
    const list = items.map((name) => `${this.#value(scope, room, 2)} as ${name}`);
    return { sql: `select ${list.join(', ')} ${from}${where}`, columns: items };
  }

  #grouped(from: string, scope: Scope): Query {
    const key = this.#column(scope);
    const [group, made] = [this.#name('g'), this.#name('o')];
    const call = this.#pick(['sum', 'max', 'min', 'count']);
    const having = this.#oneIn(4) ? ` having min(${this.#column(scope)}) > 1` : '';
    const sql = `select ${key} as ${group}, ${call}(${this.#column(scope)}) as ${made} ${from} group by ${key}${having}`;
    return { sql, columns: [group, made] };
  }

  /** `t.*` with what may follow it; only one relation, so that no name stands twice. */
  #starred(from: string, { sources }: Scope): Query {
    const { alias, columns } = this.#pick(sources);
    const [column] = columns;
    if (column === undefined || columns.length < 2 || this.#oneIn(3))
      return { sql: `select ${alias}.* ${from}`, columns };
    if (this.#oneIn(2))
      return {
        sql: `select ${alias}.* exclude (${column}) ${from}`,
        columns: columns.slice(1),
      };
    const other = this.#pick(columns);
    return { sql: `select ${alias}.* replace (${alias}.${other} + 1 as ${column}) ${from}`, columns };
  }

  #from(room: Room): { readonly from: string; readonly scope: Scope } {
    const first = this.#source(room);
    let from = `from ${first.text}`;
    let scope: Scope = { sources: [first], merged: [] };
    for (let joins = this.#below(3); joins > 0; joins--) {
      const next = this.#source(room);
      const shared = next.columns.filter((name) => isAlone(scope, name));
      const sources = [...scope.sources, next];
      if (shared.length > 0 && this.#oneIn(2)) {
        const name = this.#pick(shared);
        from += ` ${this.#pick(['join', 'left join', 'full join'])} ${next.text} using (${name})`;
        scope = { sources, merged: [...scope.merged, name] };
      } else {
        const on = `${this.#qualified(scope)} = ${next.alias}.${this.#pick(next.columns)}`;
        from += this.#oneIn(3) ? ` cross join ${next.text}` : ` left join ${next.text} on ${on}`;
        scope = { ...scope, sources };
      }
    }
    return { from, scope };
  }

  #source(room: Room): Source {
    const alias = this.#name('t');
    if (room.depth > 0 && this.#oneIn(3)) {
      const { sql, columns } = this.query({ ...room, depth: room.depth - 1 });
      if (!this.#oneIn(3)) return { text: `(${sql}) as ${alias}`, alias, columns };
      const names = columns.map(() => this.#name('n'));
      return { text: `(${sql}) as ${alias}(${names.join(', ')})`, alias, columns: names };
    }
    if (room.ctes.length > 0 && this.#oneIn(2)) {
      const { name, columns } = this.#pick(room.ctes);
      return { text: `${name} as ${alias}`, alias, columns };
    }
    const [name, columns] = this.#pick(Object.entries(tables));
    return { text: `${name} as ${alias}`, alias, columns };
  }

  #value(scope: Scope, room: Room, depth: number): string {
    const inner = () => (depth > 0 ? this.#value(scope, room, depth - 1) : this.#column(scope));
    switch (this.#below(depth > 0 ? 9 : 3)) {
      case 3:
        return `(${inner()} + ${inner()})`;
      case 4:
        return `coalesce(${inner()}, ${inner()})`;
      case 5:
        return `case when ${this.#condition(scope, room)} then ${inner()} else ${inner()} end`;
      case 6:
        return `sum(${this.#column(scope)}) over (partition by ${this.#column(scope)})`;
      case 7:
        return room.depth > 0 ? this.#scalar(scope) : inner();
      case 8:
        return `(select max(q.m) from (select ${this.#column(scope)} + 1 as m) as q)`;
      default:
        return this.#column(scope);
    }
  }

  /** A correlated subquery. */
  #scalar(scope: Scope): string {
    const [name, columns] = this.#pick(Object.entries(tables));
    const alias = this.#name('s');
    const column = `${alias}.${this.#pick(columns)}`;
    return `(select max(${column}) from ${name} as ${alias} where ${alias}.${this.#pick(columns)} = ${this.#column(scope)})`;
  }

  #condition(scope: Scope, room: Room): string {
    const column = this.#column(scope);
    if (room.depth < 1 || this.#oneIn(2)) return `${column} > 2`;
    const [name, columns] = this.#pick(Object.entries(tables));
    const alias = this.#name('s');
    const member = `${alias}.${this.#pick(columns)}`;
    if (this.#oneIn(2)) return `${column} in (select ${member} from ${name} as ${alias})`;
    return `exists (select 1 from ${name} as ${alias} where ${member} = ${column})`;
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

/** Whether one relation alone has a column of that name. */
const isAlone = (scope: Scope, name: string): boolean => holders(scope, name) === 1;

/** Whether an unqualified name means one column: of one relation, or made one of two by USING. */
const isPlain = (scope: Scope, name: string): boolean =>
  isAlone(scope, name) || (scope.merged.includes(name) && holders(scope, name) === 2);
