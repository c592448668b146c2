import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { edgeHeading, edgesOf } from '../export/edges.ts';
import { exportLines } from '../export/export-lines.ts';
import { type Context, serves } from '../framework.ts';
import { exitCodes, UsageError } from '../outcome.ts';
import type { Session } from '../session.ts';
import { csvLine, printableJsonText, write } from '../terminal/terminal.ts';

type Options = { readonly output?: string; readonly format: 'ndjson' | 'csv' | 'parquet'; readonly events?: string };

export function registerExport(program: Command, context: Context): void {
  program
    .command('export')
    .description('exports the whole graph as OpenLineage events, its edges as CSV, or its tables as Parquet')
    .option('--output <file>', 'a file, instead of standard output; a new folder for Parquet')
    .addOption(
      new Option(
        '--format <format>',
        'ndjson: an OpenLineage event a line; csv: an edge a line; parquet: a file a table',
      )
        .choices(['ndjson', 'csv', 'parquet'])
        .default('ndjson'),
    )
    .addOption(new Option('--events <kind>', 'run: for consumers that accept only RunEvents').choices(['job', 'run']))
    .action(serves(context, exported));
}

async function exported(session: Session, _: readonly string[], { output, format, events }: Options) {
  if (format === 'parquet' && output === undefined) throw new UsageError('--format parquet needs --output FOLDER.');
  const lines = await exportLines(session, { connector: (await session.namedConnector())?.id, events });
  const text = format === 'csv' ? csvLines(lines) : lines;
  const { json, quiet } = session.options;
  if (output === undefined) {
    for await (const line of json ? documentOf(lines) : text)
      await write(session.terminal.output, `${printableJsonText(line)}\n`);
    return exitCodes.done;
  }
  const written = await (format === 'parquet' ? toFolder(session, lines, output) : toFile(session, text, output));
  session.progress.stop();
  if (!quiet) await write(session.terminal.messages, `${written} are in ${output}\n`);
  return json ? { json: { output }, text: () => output } : exitCodes.done;
}

/** All events as one JSON document, which --json promises. */
async function* documentOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let before = '[';
  for await (const line of lines) {
    yield `${before}${line}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** An edge that several producers state has one line: the events of a relation follow each other. */
async function* csvLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield csvLine(edgeHeading);
  let [of, written] = ['', new Set<string>()];
  for await (const line of lines) {
    const edges = edgesOf(JSON.parse(line));
    const output = JSON.stringify(edges[0]?.slice(3, 5));
    if (output !== of) [of, written] = [output, new Set()];
    for (const edge of edges.map(csvLine)) {
      if (!written.has(edge)) yield edge;
      written.add(edge);
    }
  }
}

async function toFolder(session: Session, lines: AsyncIterable<string>, folder: string): Promise<string> {
  const { writeParquet } = await import('../export/parquet.ts');
  const written = await writeParquet(counted(session, lines), path.resolve(session.terminal.folder, folder)).catch(
    (error) => {
      throw isOfSystem(error) ? new UsageError(`${folder} cannot be written, or is there already.`) : error;
    },
  );
  return Object.entries(written)
    .map(([table, count]) => `${count} ${table}`)
    .join(', ');
}

async function* counted({ progress }: Session, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let count = 0;
  for await (const line of lines) {
    if (++count % 1_000 === 0) progress.say(`${count} lines`);
    yield line;
  }
}

const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Under another name until it is whole, so that a file is never half an export. */
async function toFile(session: Session, lines: AsyncIterable<string>, file: string): Promise<string> {
  const place = path.resolve(session.terminal.folder, file);
  const unfinished = `${place}.unfinished`;
  const stream = createWriteStream(unfinished);
  let count = 0;
  try {
    await once(stream, 'open');
    for await (const line of counted(session, lines)) {
      await write(stream, `${line}\n`);
      count++;
    }
    stream.end();
    await finished(stream);
    await rename(unfinished, place);
    return `${count} lines`;
  } catch (error) {
    stream.destroy();
    await rm(unfinished, { force: true });
    throw isOfSystem(error) ? new UsageError(`${file} cannot be written: is there such a folder, and room?`) : error;
  }
}
