import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { graphRows } from './graph-rows.ts';
import { type GraphSink, type GraphTable, graphTables, type Row, type TableColumns } from './graph-tables.ts';

const rowsAGroup = 20_000;

/** Rows a table. */
export type Written = Readonly<Record<GraphTable, number>>;

/**
 * Writes the graph that lines of an export say as Parquet files into a folder, a file a table. It holds a group of rows
 * of each, and some bytes a relation. Under another name until it is whole, so that a folder is never half an export.
 *
 * @throws where the folder is there already, or cannot be made
 */
export async function writeParquet(lines: AsyncIterable<string>, folder: string): Promise<Written> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  try {
    const written = await writeTables(lines, unfinished);
    await rename(unfinished, folder);
    return written;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeTables(lines: AsyncIterable<string>, folder: string): Promise<Written> {
  const table = <T extends GraphTable>(name: T) => tableFile(path.join(folder, `${name}.parquet`), graphTables[name]);
  const tables = {
    nodes: table('nodes'),
    columns: table('columns'),
    edges: table('edges'),
    column_edges: table('column_edges'),
    evidence: table('evidence'),
  };
  const sink: GraphSink = {
    nodes: tables.nodes.add,
    columns: tables.columns.add,
    edges: tables.edges.add,
    column_edges: tables.column_edges.add,
    evidence: tables.evidence.add,
  };
  const rows = graphRows(sink);
  for await (const line of lines) rows.add(JSON.parse(line));
  rows.end();
  return {
    nodes: tables.nodes.end(),
    columns: tables.columns.end(),
    edges: tables.edges.end(),
    column_edges: tables.column_edges.end(),
    evidence: tables.evidence.end(),
  };
}

/** A file that takes rows and writes them by groups; `end` answers how many there were. */
function tableFile<T extends TableColumns>(file: string, columns: T) {
  const named = Object.entries(columns);
  let group: Row<T>[] = [];
  let count = 0;
  const columnData = () => named.map(([name, type]) => ({ name, type, data: group.map((row) => row[name] ?? null) }));
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaFromColumnData({ columnData: columnData() }),
    createdBy: 'tributary',
  });
  const flush = (): void => {
    void writer.write({ columnData: columnData(), rowGroupSize: rowsAGroup });
    group = [];
  };
  return {
    add: (row: Row<T>): void => {
      count++;
      if (group.push(row) === rowsAGroup) flush();
    },
    end: (): number => {
      flush();
      void writer.finish();
      return count;
    },
  };
}
