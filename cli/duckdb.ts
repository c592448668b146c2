import type { DuckDBConnection } from '@duckdb/node-api';
import { UsageError } from './outcome.ts';

/** A connection to a database file, or to an empty one in memory. The package is optional, because its binary has 60 MB. */
export async function openDuckdb(option: string, file = ':memory:'): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(() => {
    throw new UsageError(`${option} needs the optional package @duckdb/node-api.`, [
      'Install it beside the command line: npm install @duckdb/node-api',
    ]);
  });
  return (await DuckDBInstance.create(file)).connect();
}

/** A text as a literal of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
