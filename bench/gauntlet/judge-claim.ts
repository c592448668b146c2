import type { DuckDBConnection } from '@duckdb/node-api';
import { isWord, tokensOf } from '../../shared/domain/lineage/sql/tokens.ts';

/** A statement, and the data sets that it runs over. */
export type Subject = { readonly name: string; readonly text: string; readonly on: readonly DuckDBConnection[] };

/** A comparison's result for two versions of a statement. `rows`: any column may differ. */
export type Claim =
  | { readonly kind: 'same' | 'not_compared' }
  | {
      readonly kind: 'changed';
      readonly rows: boolean;
      readonly columns: readonly string[];
      readonly added: readonly string[];
      readonly removed: readonly string[];
    };

/** `shows`: the versions differ in some data set. `problem`: what the claim has wrong. */
type Judgment = {
  readonly ends: 'fails' | 'unfinished' | 'runs';
  readonly shows: boolean;
  readonly problem: string | null;
};

type Columns = ReadonlyMap<string, string>;
type Ready = { readonly on: DuckDBConnection; readonly text: string; readonly columns: Columns };

/** Executes a statement over its data sets once, and leaves out those where it fails. */
export async function prepare({ text, on }: Subject): Promise<readonly Ready[]> {
  const ready: Ready[] = [];
  for (const one of on) {
    const columns = await keepRows(one, 'before', text, ready[0]?.columns);
    if (typeof columns !== 'string') ready.push({ on: one, text, columns });
  }
  return ready;
}

/** Executes another version of a statement, and holds a claim to the rows and columns that both give. */
export async function judgeClaim(sets: readonly Ready[], after: string, claim: Claim): Promise<Judgment> {
  let ends: 'unfinished' | 'runs' = 'unfinished';
  let shows = false;
  let known: Columns | undefined;
  const says = (problem: string) => ({ shows: true, problem });
  for (const { on, text, columns } of sets) {
    const now = await keepRows(on, 'after', after, known);
    if (now === 'unfinished') {
      if (claim.kind === 'changed' && claim.rows) break;
      continue;
    }
    if (now === 'fails')
      return { ends: now, ...(claim.kind === 'same' ? says('same, and fails') : { shows, problem: null }) };
    ends = 'runs';
    known = now;
    const claimed = new Set(claim.kind === 'changed' ? [...claim.columns, ...claim.added, ...claim.removed] : []);
    const { common, names, isMoved } = difference(columns, now);
    const rowsDiffer = (list: readonly string[]) =>
      differ(
        on,
        [text, columns],
        [after, now],
        list,
        [...common].sort((a, b) => Number(claimed.has(a)) - Number(claimed.has(b))),
      );
    const isOther = names.length > 0 || isMoved;
    if (claim.kind === 'changed' && !claim.rows) {
      const rest = common.filter((name) => !claimed.has(name));
      if (names.some((name) => !claimed.has(name)) || (await rowsDiffer(rest)))
        return { ends, ...says('only these columns, and others differ') };
    }
    shows ||= isOther || (await rowsDiffer(common));
    if (shows && claim.kind === 'same') return { ends, ...says('same, and differs') };
    if (shows && claim.kind === 'changed' && claim.rows) break;
  }
  return { ends, shows, problem: ends === 'unfinished' && claim.kind === 'same' ? 'same, and does not end' : null };
}

function difference(was: Columns, is: Columns) {
  const common = [...was.keys()].filter((name) => was.get(name) === is.get(name));
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  const shared = (one: Columns) => [...one.keys()].filter((name) => common.includes(name)).join();
  return { common, names, isMoved: shared(was) !== shared(is) };
}

/** Keeps the rows of a statement in a table, and returns its columns: those of another data set, if they are known. */
export async function keepRows(
  on: DuckDBConnection,
  table: string,
  sql: string,
  known?: Columns,
): Promise<Columns | 'fails' | 'unfinished'> {
  try {
    const rows = known ? null : (await on.runAndReadAll(`describe ${sql}`)).getRows();
    const columns = known ?? new Map(rows?.map(([name, type]) => [String(name).toLowerCase(), String(type)]));
    // No relation has two columns of one name.
    if (rows && columns.size < rows.length) return 'fails';
    await bounded(on, `create or replace temp table ${table} as ${sql}`);
    return columns;
  } catch (error) {
    return isUnfinished(error) ? 'unfinished' : 'fails';
  }
}

const isUnfinished = (error: unknown): boolean => String(error).includes('INTERRUPT');

type Version = readonly [text: string, columns: Columns];

async function differ(
  on: DuckDBConnection,
  was: Version,
  is: Version,
  columns: readonly string[],
  order: readonly string[],
): Promise<boolean> {
  const compared = async (before: string, after: string) => {
    const list = columns.map((name) => exact(name, was[1].get(name))).join(', ') || '1';
    const [old, now] = [before, after].map((one) => `(select ${list} from ${one})`);
    return bounded(
      on,
      `select (select count(*) from (${old} except all ${now})) + (select count(*) from (${now} except all ${old}))`,
    );
  };
  try {
    if ((await compared('before', 'after')) === 0) return false;
    const [before, after] = [was, is].map((one) => withoutTies(one, order));
    return !before || !after || (await compared(`(${before})`, `(${after})`)) > 0;
  } catch (error) {
    // What does not end in time shows nothing.
    return !isUnfinished(error);
  }
}

/** Plans add up in different orders, so the last digits vary. */
function exact(name: string, type: string | undefined): string {
  // A column without a name is called by its text, quotes included.
  const column = `"${name.replaceAll('"', '""')}"`;
  return type === 'DOUBLE' || type === 'FLOAT' ? `format('{:.9g}', ${column})` : column;
}

/** A statement whose LIMIT always leaves the same rows: those that tie are ordered by their columns, too. */
function withoutTies([text, columns]: Version, order: readonly string[]): string | null {
  const outer = tokensOf(text, 'duckdb').filter(({ depth }) => depth === 0);
  const limit = outer.findLast((token) => isWord(token, 'limit'));
  if (!limit) return null;
  const names = [...columns.keys()];
  const places = order.map((name) => names.indexOf(name) + 1).join(', ');
  const isOrdered = outer.some((token) => isWord(token, 'order'));
  return `${text.slice(0, limit.start)}${isOrdered ? ',' : 'order by'} ${places} ${text.slice(limit.start)}\n`;
}

/** A word changed in a recursion or a join may leave a statement without an end. Returns the first value. */
async function bounded(on: DuckDBConnection, sql: string): Promise<number> {
  const ending = setTimeout(() => on.interrupt(), 3_000);
  try {
    return Number((await on.runAndReadAll(sql)).getRows()[0]?.[0] ?? 0);
  } finally {
    clearTimeout(ending);
  }
}
