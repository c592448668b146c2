// Analyses the statements that `analysis-ahead.ts` sends.
import { type MessagePort, workerData } from 'node:worker_threads';
import { loadSqlParser } from '../../shared/adapters/sql-parser.ts';
import { readMatcher } from '../../shared/domain/lineage/sources/models/match-read.ts';
import { analyseSql } from '../../shared/domain/lineage/sql/analyse-sql.ts';
import type {
  KnownColumns,
  PendingStatement,
  RelationName,
  SqlAnalysis,
} from '../../shared/domain/lineage/sql/types.ts';

export type Analysed = {
  /** Of the statement: its dialect and text. */
  readonly key: string;
  readonly analysis: SqlAnalysis;
  /** The columns that the analysis is based on, by the names that it looked up. */
  readonly reads: readonly (readonly [RelationName, KnownColumns | null])[];
  readonly steps: number;
};

const port: MessagePort = workerData;
const parser = await loadSqlParser();
port.on('message', (statements: readonly PendingStatement[]) => {
  for (const { text, dialect, members } of statements) {
    const memberOf = readMatcher(members);
    const reads: [RelationName, KnownColumns | null][] = [];
    const columnsOf = (read: RelationName) => {
      const columns = memberOf(read)?.columns ?? null;
      reads.push([read, columns]);
      return columns;
    };
    const budget = { left: Number.MAX_SAFE_INTEGER };
    const analysis = analyseSql(parser, text, { dialect, columnsOf, budget });
    const steps = Number.MAX_SAFE_INTEGER - budget.left;
    // The command has a larger stack, so that it may succeed if this fails.
    if (analysis.unresolvedReason === null)
      port.postMessage({ key: `${dialect} ${text}`, analysis, reads, steps } satisfies Analysed);
  }
});
