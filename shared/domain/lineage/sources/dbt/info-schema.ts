import * as v from 'valibot';
import { isJsonObject } from '../../../base/json/read-json.ts';
import type { ItemSchemas } from '../declared/declared.ts';
import type { ReportedColumn } from '../models/model-project.ts';
import { catalogItems, type DbtCatalog, readDbtCatalog } from './catalog.ts';

/** What dbt knows of columns, by the unique ids of the manifest. */
export type DbtColumns = {
  readonly catalog: DbtCatalog;
  /** What the static analysis of dbt 2 found: of a failed one, only of some models. */
  readonly lineage: ReadonlyMap<string, readonly ReportedColumn[]>;
};

const Row = v.object({
  parent_node_unique_id: v.string(),
  parent_column_name: v.string(),
  child_column_name: v.nullish(v.string()),
  evolution: v.string(),
});

/** What an item of a member of an information schema is read by. */
export const infoSchemaItems: ItemSchemas = {
  column_lineage: v.array(Row),
  node_columns: catalogItems['nodes'] ?? Row,
};

type Document = Readonly<Record<string, unknown>> | undefined;

/** Reads a catalog, and `dbt.column_lineage` and `dbt.node_columns` by node. The catalog has what the database had. */
export function readDbtColumns(catalog: Document, infoSchema: Document): DbtColumns {
  const rows = infoSchema?.['column_lineage'];
  const lineage = Object.entries(isJsonObject(rows) ? rows : {}).map(
    ([id, list]) => [id, (Array.isArray(list) ? list : []).flatMap(reportedColumn)] as const,
  );
  const analysed = readDbtCatalog({ nodes: infoSchema?.['node_columns'] });
  return { catalog: new Map([...analysed, ...readDbtCatalog(catalog)]), lineage: new Map(lineage) };
}

function reportedColumn(row: unknown): ReportedColumn[] {
  const read = v.safeParse(Row, row);
  if (!read.success) return [];
  const { parent_node_unique_id: member, parent_column_name: column, child_column_name, evolution } = read.output;
  const found = { member, column, output: child_column_name || null, masking: false };
  // `scan`: a filter, a join or a grouping. dbt does not say which.
  if (evolution === 'scan') return [{ ...found, type: 'INDIRECT', subtype: null }];
  return [{ ...found, type: 'DIRECT', subtype: evolution === 'copy' ? 'IDENTITY' : 'TRANSFORMATION' }];
}
