import * as v from 'valibot';
import type { RepositoryChecks } from '../../../contract/codehost-checks.ts';
import { isJsonObject } from '../../base/json/read-json.ts';
import { relationRefOf } from '../../lineage/graph/node.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import { readDbtManifest } from '../../lineage/sources/dbt/manifest.ts';
import { dbtRelation } from '../../lineage/sources/dbt/relation.ts';

/** The file of a model, and its text as it is written. */
export type ModelFile = { readonly path: string; readonly code: string };

/** The file that makes a relation or is an exposure; null where the project has none. */
export type FileOf = (relationRef: string) => ModelFile | null;

type Json = Readonly<Record<string, unknown>>;

const Written = v.object({
  original_file_path: v.string(),
  package_name: v.optional(v.string()),
  raw_code: v.fallback(v.optional(v.string(), ''), ''),
});

/**
 * The files of a manifest's models by the relations that they make. A branch that was built into a schema of its own, and is
 * compared by model, has other relations: there a model is found by the last part of its name, where that is of one model.
 */
export function modelFiles(
  connector: Connector,
  manifest: Json,
  { project_path: projectPath, match_by }: Pick<RepositoryChecks, 'project_path' | 'match_by'>,
): FileOf {
  const { models, metadata, exposures } = readDbtManifest(manifest).document;
  const byRef = new Map<string, ModelFile>();
  const byTable = new Map<string, ModelFile | null>();
  for (const { key, value } of models) {
    const file = fileAt(manifest, 'nodes', key, projectPath);
    const ref = relationRefOf(dbtRelation(connector, metadata, value).node);
    if (file === null) continue;
    byRef.set(ref, file);
    const table = tableOf(ref);
    byTable.set(table, byTable.has(table) ? null : file);
  }
  for (const { key } of exposures) {
    const file = fileAt(manifest, 'exposures', key, projectPath);
    if (file) byRef.set(key, file);
  }
  return (ref) => byRef.get(ref) ?? (match_by === 'model' ? byTable.get(tableOf(ref)) : null) ?? null;
}

const tableOf = (ref: string): string => ref.slice(ref.lastIndexOf('.') + 1).toLowerCase();

function fileAt(manifest: Json, map: 'nodes' | 'exposures', key: string, projectPath: string): ModelFile | null {
  const { [map]: written, metadata } = manifest;
  const read = v.safeParse(Written, isJsonObject(written) ? written[key] : undefined);
  const project = isJsonObject(metadata) ? metadata['project_name'] : null;
  if (!read.success) return null;
  const { original_file_path, raw_code, package_name } = read.output;
  // Files of another package are not in the repository.
  if (package_name !== undefined && typeof project === 'string' && package_name !== project) return null;
  // dbt on Windows writes paths of Windows.
  const parts = [...projectPath.split('/'), ...original_file_path.split(/[\\/]/)].filter((part) => part !== '');
  return parts.includes('..') ? null : { path: parts.join('/'), code: raw_code };
}

/** The first line of a file that names a column, else the first of all; from 1. */
export function lineOf({ code }: ModelFile, column: string | null): number {
  if (column === null) return 1;
  const wanted = column.toLowerCase();
  const found = code.split('\n').findIndex((line) =>
    line
      .toLowerCase()
      .split(/[^\p{L}\p{N}_$]/u)
      .includes(wanted),
  );
  return found + 1 || 1;
}
