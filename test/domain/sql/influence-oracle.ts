import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { rowsOfTable, tables, typeOf } from './queries.ts';

/** Answers a number from 0 to below a bound, by a seed. */
type Random = (bound: number) => number;

const columns = Object.entries(tables).flatMap(([table, names]) => names.map((name) => ({ table, name })));

/** A column of the base tables, and the outputs of a query that changed with its values. */
type Influence = { readonly column: string; readonly outputs: ReadonlySet<number> };

export type Observed = {
  readonly names: readonly string[];
  readonly influences: readonly Influence[];
};

/** Asks a database which output columns change when the values of one input column do. */
export class InfluenceOracle {
  readonly #connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async open(): Promise<InfluenceOracle> {
    return new InfluenceOracle(
      await (await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '512MB' })).connect(),
    );
  }

  /** Null for a query that the database refuses with the data that it drew or the memory that it may take, or answers in more than one way. */
  async observe(sql: string, seed: number): Promise<Observed | null> {
    const random = randomBy(seed);
    const data = new Map(columns.map(({ table, name }) => [`${table}.${name}`, values(random, name, 5)]));
    for (const table of Object.keys(tables)) await this.#fill(table, data);
    const before = await this.#run(sql);
    const repeated = await this.#run(sql);
    if (before === null || before.bags.join('\n') !== repeated?.bags.join('\n')) return null;
    const influences: Influence[] = [];
    for (const { table, name } of columns)
      influences.push({
        column: `${table}.${name}`,
        outputs: await this.#perturb(sql, { table, name }, { data, random, before }),
      });
    return { names: before.names, influences };
  }

  async #perturb(sql: string, { table, name }: { table: string; name: string }, { data, random, before }: State) {
    const outputs = new Set<number>();
    // Values like the others, values that equal none, and some of each.
    for (const bound of [5, 90, 7]) {
      await this.#fill(table, new Map(data).set(`${table}.${name}`, values(random, name, bound)));
      const after = await this.#run(sql);
      after?.bags.forEach((bag, place) => {
        if (bag !== before.bags[place]) outputs.add(place);
      });
    }
    await this.#fill(table, data);
    return outputs;
  }

  async #fill(table: string, data: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const names = tables[table] ?? [];
    const rows = Array.from(
      { length: rowsOfTable },
      (_, row) => `(${names.map((name) => data.get(`${table}.${name}`)?.[row]).join(', ')})`,
    );
    await this.#connection.run(
      `create or replace table ${table} as select * from (values ${rows.join(', ')}) as v(${names.join(', ')})`,
    );
  }

  /** The values of each column of a result, in no order. */
  async #run(sql: string): Promise<Result | null> {
    try {
      const reader = await this.#connection.runAndReadAll(sql);
      const bags = reader.getColumns().map((column) => column.map(String).sort().join());
      return { names: reader.columnNames(), bags };
    } catch {
      return null;
    }
  }
}

type Result = { readonly names: readonly string[]; readonly bags: readonly string[] };
type State = {
  readonly data: ReadonlyMap<string, readonly string[]>;
  readonly random: Random;
  readonly before: Result;
};

/** A value of each row as SQL. */
function values(random: Random, column: string, bound: number): readonly string[] {
  const number = () => `${1 + random(bound)}::bigint`;
  return Array.from({ length: rowsOfTable }, () => {
    const type = typeOf(column);
    if (type === 'list') return `[${Array.from({ length: 1 + random(3) }, number).join(', ')}]`;
    if (type === 'struct') return `{'p': ${number()}, 'q': ${number()}}`;
    return random(8) === 0 ? 'null::bigint' : number();
  });
}

/** Mulberry32. */
function randomBy(seed: number): Random {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}
