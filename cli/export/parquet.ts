import { createHash } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { uuidOf } from '../../shared/domain/base/collections.ts';
import { columnsKey } from '../../shared/domain/lineage/sources/openlineage/facets.ts';
import { unresolvedKey } from '../../shared/domain/lineage/sources/openlineage/open-columns.ts';
import { type ExportedDataset, ExportedEvent, type ExportedOutput, type ExportedSource } from './exported-event.ts';

const rowsAGroup = 20_000;

/** Rows by table. */
export type Written = Readonly<Record<string, number>>;

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
  const rows = graphRows(tables);
  for await (const line of lines) rows.add(JSON.parse(line));
  rows.end();
  return Object.fromEntries(Object.entries(tables).map(([name, { end }]) => [name, end()]));
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

type Named = { readonly namespace: string; readonly name: string };
type Edge = { readonly statements: number; readonly unresolved: boolean };

/** The edges into one relation, whose events an export has together. */
type Target = { readonly id: string | null; readonly edges: Map<string, Edge> };

/** Makes the rows of a graph from the events of its export, in their order; `end` is to be called after the last. */
function graphRows(sink: GraphSink) {
  const nodes = describedNodes(sink);
  let target: Target = { id: null, edges: new Map() };
  const endTarget = (): void => {
    for (const [src, edge] of target.edges) sink.edges.add({ src, dst: target.id, ...edge });
  };
  return {
    add: (line: unknown): void => {
      const { job, inputs, outputs } = v.parse(ExportedEvent, line);
      const sources = inputs.map((input) => [nodes.describe(input), input] as const);
      for (const output of outputs) {
        const id = nodes.describe(output);
        if (id !== target.id) {
          endTarget();
          target = { id, edges: new Map() };
        }
        const doubts = doubtsOf(output);
        for (const [src, input] of sources) state(sink, target, { src, job, doubt: doubts(input) });
        for (const row of waysInto(id, { output, job }))
          sink.column_edges.add({ src: nodes.idOf(row.source), ...row.way });
      }
    },
    end: endTarget,
  };
}

/** Ids of relations. Each relation is described at its first occurrence. */
function describedNodes(sink: GraphSink) {
  const seen = new DigestSet();
  const recent = new LRUCache<string, Buffer>({ max: 1_000 });
  const digestOf = ({ namespace, name }: Named): Buffer => {
    const key = JSON.stringify([namespace, name]);
    const digest = recent.get(key) ?? createHash('sha256').update(key).digest().subarray(0, 16);
    recent.set(key, digest);
    return digest;
  };
  return {
    idOf: (dataset: Named): string => uuidOf(digestOf(dataset)),
    describe: (dataset: ExportedDataset): string => {
      const digest = digestOf(dataset);
      const id = uuidOf(digest);
      if (seen.add(digest)) describe(sink, id, dataset);
      return id;
    },
  };
}

function describe(sink: GraphSink, id: string, { namespace, name, facets }: ExportedDataset): void {
  const [whole, part] = [facets.schema, facets[columnsKey]];
  sink.nodes.add({ id, namespace, name, columns_complete: whole ? true : part ? false : null });
  const columns = (whole ?? part)?.fields ?? [];
  for (const [position, column] of columns.entries())
    sink.columns.add({ node_id: id, name: column.name, type: column.type ?? null, position });
}

/** What keeps the columns of an input from being known, as text; null if nothing does. */
function doubtsOf({ facets }: ExportedOutput): (input: Named) => string | null {
  const entries = facets[unresolvedKey]?.inputs ?? [];
  return ({ namespace, name }) => {
    const own = entries.filter((entry) => entry.name === name && entry.namespace === namespace);
    return own.length > 0 ? [...new Set(own.map(({ reason }) => reason))].join('; ') : null;
  };
}

type Statement = { readonly src: string; readonly job: Named; readonly doubt: string | null };

function state(sink: GraphSink, { id, edges }: Target, { src, job, doubt }: Statement): void {
  const edge = edges.get(src) ?? { statements: 0, unresolved: false };
  edges.set(src, { statements: edge.statements + 1, unresolved: edge.unresolved || doubt !== null });
  sink.evidence.add({ src, dst: id, ...jobColumns(job), unresolved: doubt });
}

const jobColumns = ({ namespace, name }: Named) => ({ job_namespace: namespace, job_name: name });

type Mapped = { readonly output: ExportedOutput; readonly job: Named };
type Way = { readonly source: Named; readonly way: Omit<GraphRow<'column_edges'>, 'src'> };

function waysInto(dst: string, { output: { facets }, job }: Mapped): Way[] {
  const { fields = {}, dataset = [] } = facets.columnLineage ?? {};
  const mapped: (readonly [string | null, readonly ExportedSource[]])[] = [
    ...Object.entries(fields).map(([column, { inputFields }]) => [column, inputFields] as const),
    [null, dataset],
  ];
  return mapped.flatMap(([dst_column, sources]) =>
    sources.flatMap((source) =>
      waysOf(source).map((way) => ({
        source,
        way: { src_column: source.field ?? null, dst, dst_column, ...way, ...jobColumns(job) },
      })),
    ),
  );
}

function waysOf({ transformations }: ExportedSource) {
  const all = transformations.length > 0 ? transformations : [{}];
  return all.map(({ type = null, subtype = null, masking = null, description = null }) => ({
    type,
    subtype,
    masking,
    expression: description,
  }));
}

const words = 4;

/** A set of 16-byte digests that uses at most 64 bytes per digest. */
export class DigestSet {
  #slots = new Uint32Array(words * 1_024);
  #size = 0;

  /** Whether the digest is new here. */
  add(digest: Buffer): boolean {
    const read = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at));
    // Four zeros mark an empty slot.
    const entry = read.some((word) => word !== 0) ? read : [1, 0, 0, 0];
    const isNew = place(this.#slots, entry);
    if (isNew && ++this.#size * words * 2 > this.#slots.length) this.#slots = doubled(this.#slots);
    return isNew;
  }
}

function doubled(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += words) {
    const entry = slots.subarray(at, at + words);
    if (entry.some((word) => word !== 0)) place(larger, entry);
  }
  return larger;
}

/** By linear probing; false if the entry is there. */
function place(slots: Uint32Array, entry: ArrayLike<number>): boolean {
  const capacity = slots.length / words;
  for (let slot = (entry[0] ?? 0) % capacity; ; slot = (slot + 1) % capacity) {
    const at = slot * words;
    if (isAt(slots, at, entry)) return false;
    if (isAt(slots, at, empty)) {
      slots.set(entry, at);
      return true;
    }
  }
}

const empty = [0, 0, 0, 0];

function isAt(slots: Uint32Array, at: number, entry: ArrayLike<number>): boolean {
  for (let word = 0; word < words; word++) if (slots[at + word] !== entry[word]) return false;
  return true;
}

/** The type of a column of a table, as Parquet's writer names it. */
type ColumnType = 'STRING' | 'BOOLEAN' | 'INT32';
type Values = { readonly STRING: string; readonly BOOLEAN: boolean; readonly INT32: number };

type TableColumns = Readonly<Record<string, ColumnType>>;
type Row<T extends TableColumns> = { readonly [Name in keyof T]: Values[T[Name]] | null };

/** The tables of a graph, each a file, with their columns. An `id` is the same in every export of a name. */
const graphTables = {
  /** A relation each; `columns_complete` is null if no list of its columns is known. */
  nodes: { id: 'STRING', namespace: 'STRING', name: 'STRING', columns_complete: 'BOOLEAN' },
  columns: { node_id: 'STRING', name: 'STRING', type: 'STRING', position: 'INT32' },
  /** What feeds what, a pair each; `statements` counts who says so, `unresolved` is true where columns are not all known. */
  edges: { src: 'STRING', dst: 'STRING', statements: 'INT32', unresolved: 'BOOLEAN' },
  /** What feeds which column, a way each; a column is null if the whole relation is meant. */
  column_edges: {
    src: 'STRING',
    src_column: 'STRING',
    dst: 'STRING',
    dst_column: 'STRING',
    type: 'STRING',
    subtype: 'STRING',
    masking: 'BOOLEAN',
    expression: 'STRING',
    job_namespace: 'STRING',
    job_name: 'STRING',
  },
  /** Who says that an edge is; `unresolved` gives the reasons why columns are not known, null if none is open. */
  evidence: { src: 'STRING', dst: 'STRING', job_namespace: 'STRING', job_name: 'STRING', unresolved: 'STRING' },
} as const satisfies Readonly<Record<string, TableColumns>>;

type GraphTable = keyof typeof graphTables;
type GraphRow<T extends GraphTable> = Row<(typeof graphTables)[T]>;

/** Takes the rows of a graph as they become known. */
type GraphSink = { readonly [T in GraphTable]: { readonly add: (row: GraphRow<T>) => void } };
