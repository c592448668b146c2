/** The type of a column of a table, as Parquet's writer names it. */
type ColumnType = 'STRING' | 'BOOLEAN' | 'INT32';
type Values = { readonly STRING: string; readonly BOOLEAN: boolean; readonly INT32: number };

export type TableColumns = Readonly<Record<string, ColumnType>>;
export type Row<T extends TableColumns> = { readonly [Name in keyof T]: Values[T[Name]] | null };

/** The tables of a graph, each a file, with their columns. An `id` is the same in every export of a name. */
export const graphTables = {
  /** A relation each; `columns_complete` is null where no list of its columns is known. */
  nodes: { id: 'STRING', namespace: 'STRING', name: 'STRING', columns_complete: 'BOOLEAN' },
  /** The known columns of relations. */
  columns: { node_id: 'STRING', name: 'STRING', type: 'STRING', position: 'INT32' },
  /** What feeds what, a pair each; `statements` counts who says so, `unresolved` is true where columns are not all known. */
  edges: { src: 'STRING', dst: 'STRING', statements: 'INT32', unresolved: 'BOOLEAN' },
  /** What feeds which column, a way each; a column is null where the whole relation is meant. */
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
  /** Who says that an edge is; `unresolved` gives the reasons why columns are not known, null where none is open. */
  evidence: { src: 'STRING', dst: 'STRING', job_namespace: 'STRING', job_name: 'STRING', unresolved: 'STRING' },
} as const satisfies Readonly<Record<string, TableColumns>>;

export type GraphTable = keyof typeof graphTables;
export type GraphRow<T extends GraphTable> = Row<(typeof graphTables)[T]>;

/** Takes the rows of a graph as they become known. */
export type GraphSink = { readonly [T in GraphTable]: (row: GraphRow<T>) => void };
