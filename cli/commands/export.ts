import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { routes } from '../../shared/contract/api/routes.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-error.ts';
import { edgeHeading, edgesOf } from '../export/edges.ts';
import { type Context, serves } from '../framework.ts';
import type { Session } from '../session.ts';
import { csvLine } from '../terminal/csv.ts';
import { printableJsonText } from '../terminal/printable.ts';
import { write } from '../terminal/terminal.ts';

type Options = { readonly output?: string; readonly format: 'ndjson' | 'csv'; readonly events?: string };

export function registerExport(program: Command, context: Context): void {
  program
    .command('export')
    .description('the whole graph as OpenLineage events, or its edges as CSV')
    .option('--output <file>', 'a file, instead of standard output')
    .addOption(
      new Option('--format <format>', 'ndjson: an OpenLineage event a line; csv: an edge a line')
        .choices(['ndjson', 'csv'])
        .default('ndjson'),
    )
    .addOption(new Option('--events <kind>', 'run: for consumers that take RunEvents alone').choices(['job', 'run']))
    .action(serves<Options>(context, exported));
}

async function exported(
  session: Session,
  _: readonly string[],
  { output, format, events }: Options,
): Promise<ExitCode> {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.namedConnector()];
  const query = { workspace_id: workspace.id, connector_id: connector?.id, output: 'ndjson', profile: events };
  const response = await api.stream(routes.exportLineage, { query });
  const lines = createInterface({ input: Readable.from(response.body ?? []), crlfDelay: Number.POSITIVE_INFINITY });
  const text = format === 'csv' ? csvLines(lines) : lines;
  const count = output === undefined ? await toOutput(session, text) : await toFile(session, text, output);
  session.progress.stop();
  if (output !== undefined && !session.options.quiet)
    await write(session.terminal.messages, `${count} lines are in ${output}\n`);
  return exitCodes.done;
}

async function* csvLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield csvLine(edgeHeading);
  for await (const line of lines) for (const edge of edgesOf(JSON.parse(line))) yield csvLine(edge);
}

async function toOutput({ terminal }: Session, lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const line of lines) {
    await write(terminal.output, `${printableJsonText(line)}\n`);
    count++;
  }
  return count;
}

/** Under another name until it is whole, so that a file is never half an export. */
async function toFile(session: Session, lines: AsyncIterable<string>, file: string): Promise<number> {
  const place = path.resolve(session.terminal.folder, file);
  const unfinished = `${place}.unfinished`;
  const stream = createWriteStream(unfinished);
  let count = 0;
  try {
    for await (const line of lines) {
      await write(stream, `${line}\n`);
      if (++count % 1_000 === 0) session.progress.say(`${count} lines`);
    }
    stream.end();
    await finished(stream);
    await rename(unfinished, place);
    return count;
  } catch (error) {
    stream.destroy();
    await rm(unfinished, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new UsageError(`${file} cannot be written.`);
    throw error;
  }
}
