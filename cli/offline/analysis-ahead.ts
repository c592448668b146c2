// A second core analyses statements while the command reads, compares and walks.
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { SqlParser } from '../../shared/domain/lineage/sql/types.ts';
import type { Analysed } from './analysis-thread.ts';

/** Fewer take less time than a thread to start. */
const worthThread = 300;

/** A parser that starts a thread once many statements are announced. The command analyses what the thread has not. */
export function withAnalysisAhead(parser: SqlParser): SqlParser {
  const found = new Map<string, Analysed>();
  let port: MessagePort | undefined;
  const ahead: Pick<SqlParser, 'ahead' | 'analysed'> = {
    ahead: (statements) => {
      if (statements.length < worthThread) return;
      port = startThread();
      // The last are needed last: the thread and the command meet between.
      port.postMessage(statements.toReversed());
    },
    analysed: (text, { dialect, columnsOf, budget }) => {
      for (let next = port && receiveMessageOnPort(port); next && port; next = receiveMessageOnPort(port))
        found.set(next.message.key, next.message);
      const known = found.get(`${dialect} ${text}`);
      const isOfSameColumns = ([read, columns]: Analysed['reads'][number]) =>
        JSON.stringify(columnsOf(read)) === JSON.stringify(columns);
      if (!known?.reads.every(isOfSameColumns) || (budget && budget.left < known.steps)) return null;
      if (budget) budget.left -= known.steps;
      return known.analysis;
    },
  };
  const parse: SqlParser = (text, dialect) => parser(text, dialect);
  return Object.assign(parse, parser, ahead);
}

function startThread(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(new URL('./analysis-thread.ts', import.meta.url), {
    workerData: port2,
    transferList: [port2],
    // Less stack than the command has, so that whatever is too deep for the command fails here too.
    resourceLimits: { stackSizeMb: 0.8, maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
  });
  thread.on('error', () => {});
  thread.unref();
  port1.unref();
  return port1;
}
