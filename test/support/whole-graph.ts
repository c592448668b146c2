import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const document = path.resolve(import.meta.dirname, '..', '..', 'docs', 'whole-graph.md');

type Question = { readonly title: string; readonly sql: string };

/** The questions of docs/whole-graph.md that DuckDB answers: the heading of each, and its statement. */
export const wholeGraphQuestions = (): Question[] =>
  [...readFileSync(document, 'utf8').matchAll(/^### (.+)$(?:(?!^#)[\s\S])*?^```sql\n([\s\S]*?)^```$/gm)].map(
    ([, title = '', sql = '']) => ({ title, sql }),
  );

export type Answers = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Asks DuckDB about the files of a folder, which statements name as if they were in the folder. */
export async function askParquet(folder: string): Promise<Answers> {
  const connection = await (await DuckDBInstance.create()).connect();
  return async (sql) => {
    const placed = sql.replace(/'(\w+\.parquet)'/g, (_, file) => `'${path.join(folder, file)}'`);
    return (await connection.runAndReadAll(placed)).getRowObjectsJson();
  };
}
