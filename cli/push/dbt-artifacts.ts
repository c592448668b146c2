import path from 'node:path';
import * as v from 'valibot';
import { isJsonObject } from '../../shared/domain/base/json/read-json.ts';
import { otherDbtFile } from '../../shared/domain/lineage/sources/other-file.ts';
import { isFile, type JsonFile, openJsonFile } from '../files.ts';
import { UsageError } from '../outcome.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type DbtArtifacts = {
  readonly file: string;
  readonly folder: string;
  readonly manifest: JsonFile;
  readonly catalog: JsonFile | null;
  /** As dbt_project.yml names it; null if the manifest does not say. */
  readonly projectName: string | null;
  /** Nodes that become relations: models, seeds and snapshots. */
  readonly relations: number;
  readonly models: number;
  readonly snapshots: number;
  /** Of both. */
  readonly uncompiled: number;
};

const Manifest = v.object({
  metadata: v.looseObject({ project_name: v.nullish(v.string()) }),
  nodes: v.record(v.string(), v.unknown()),
});

export function dbtArtifacts(terminal: Terminal, place: string, catalogFile?: string): DbtArtifacts {
  const { file, catalog } = artifactFiles(terminal, place, catalogFile);
  const manifest = openJsonFile(terminal, file);
  const { json } = manifest;
  const parsed = v.safeParse(Manifest, json);
  if (!parsed.success) {
    const other = isJsonObject(json) ? otherDbtFile(json) : null;
    throw new UsageError(
      `${file} is not a dbt manifest: it ${other === null ? 'has no metadata or no nodes' : `looks like ${other.name}`}.`,
      other === null ? [] : [other.hint],
    );
  }
  return {
    file,
    folder: path.resolve(terminal.folder, path.dirname(file)),
    manifest,
    catalog: catalog === null ? null : catalogOf(terminal, catalog),
    projectName: parsed.output.metadata.project_name ?? null,
    ...compilation(Object.values(parsed.output.nodes).filter(isJsonObject)),
  };
}

function catalogOf(terminal: Terminal, file: string): JsonFile {
  const catalog = openJsonFile(terminal, file);
  if (!v.is(v.object({ nodes: v.custom(isJsonObject) }), catalog.json))
    throw new UsageError(`${file} is not a dbt catalog: it has no nodes.`);
  return catalog;
}

/** The manifest at a place and its catalog: the named one, or the one beside the manifest if there is one. */
export function artifactFiles(terminal: Terminal, place: string, catalogFile?: string) {
  const file = manifestFile(terminal, place);
  const beside = path.join(path.dirname(file), 'catalog.json');
  const found = isFile(path.resolve(terminal.folder, beside)) ? beside : null;
  return { file, catalog: catalogFile ?? found };
}

/** The manifest of a dbt project, of its `target` folder, or that file itself. */
function manifestFile({ folder }: Terminal, place: string): string {
  const tried = [path.join(place, 'target', 'manifest.json'), path.join(place, 'manifest.json'), place];
  const found = tried.find((file) => isFile(path.resolve(folder, file)));
  if (found !== undefined) return found;
  throw new UsageError(`There is no ${path.join(place, 'target', 'manifest.json')}.`, [
    'dbt writes it: run `dbt compile`, or `dbt docs generate` for the columns of sources as well.',
    'To use another folder, pass its path instead.',
  ]);
}

const relationTypes = ['model', 'seed', 'snapshot'];

/** Of models of SQL that become relations, and of snapshots, `dbt parse` and `dbt ls` leave the compiled code out. */
function compilation(nodes: readonly Readonly<Record<string, unknown>>[]) {
  // A model without a file is of another project (dbt mesh).
  const models = nodes.filter(
    ({ resource_type, language, original_file_path, path: file }) =>
      resource_type === 'model' && (language ?? 'sql') === 'sql' && !(original_file_path === '' && file === ''),
  );
  const relations = nodes.filter(({ resource_type }) => relationTypes.includes(String(resource_type)));
  const snapshots = nodes.filter(({ resource_type }) => resource_type === 'snapshot');
  const isUncompiled = ({ compiled_code }: (typeof nodes)[number]) =>
    typeof compiled_code !== 'string' || compiled_code.trim() === '';
  return {
    relations: relations.length,
    models: models.length,
    snapshots: snapshots.length,
    uncompiled: [...models, ...snapshots].filter(isUncompiled).length,
  };
}
