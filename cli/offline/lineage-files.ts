// The options that name files instead of a service, and the documents in those files.
import path from 'node:path';
import type { Command } from 'commander';
import type { LineageFile } from '../../shared/domain/lineage/files/open-files.ts';
import { isFile, jsonOf, readBytes } from '../files.ts';
import { appendValue } from '../framework.ts';
import { UsageError } from '../outcome.ts';
import { manifestFile } from '../push/dbt-artifacts.ts';
import { type Session, sessionOf } from '../session.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type FileOptions = {
  readonly manifest?: readonly string[];
  readonly catalog?: string;
  readonly sqlmesh?: readonly string[];
  readonly datahub?: readonly string[];
};

export const answersFromFiles = (command: Command): Command =>
  command
    .option(
      '--manifest <path>',
      'a dbt manifest, or its folder: answers from files, without a service; repeatable',
      appendValue,
    )
    .option('--catalog <file>', 'the catalog of the manifest (default: catalog.json beside it)')
    .option('--sqlmesh <file>', 'a rendered SQLMesh project; repeatable', appendValue)
    .option('--datahub <file>', 'an export of DataHub; repeatable', appendValue);

/** A session of the files that the options name, or of a service if they name none. */
export const sessionOrFiles = (globals: GlobalOptions, terminal: Terminal, options: FileOptions): Promise<Session> =>
  sessionOfFiles(globals, terminal, lineageFiles(terminal, options));

/** A session of files, or of a service without any. */
export async function sessionOfFiles(
  globals: GlobalOptions,
  terminal: Terminal,
  files: readonly LineageFile[],
): Promise<Session> {
  if (files.length === 0) return sessionOf(globals, terminal);
  // Loaded only here: it is most of the code of the service.
  const { filesSession } = await import('./files-session.ts');
  return filesSession(globals, terminal, files);
}

function lineageFiles(terminal: Terminal, options: FileOptions): readonly LineageFile[] {
  const { manifest = [], sqlmesh = [], datahub = [], catalog } = options;
  if (catalog !== undefined && manifest.length !== 1)
    throw new UsageError('--catalog belongs to exactly one --manifest.');
  return [
    ...manifest.map((place) => dbtFile(terminal, place, catalog)),
    ...sqlmesh.map((name) => sqlmeshFile(terminal, name)),
    ...datahub.map((name) => ({
      name,
      scope: `datahub-source:${name}`,
      document: {
        kind: 'datahub_catalog' as const,
        export: listOrRecord(name, jsonOf(readBytes(terminal, name), name)),
      },
    })),
  ];
}

/** A rendered project, in the scope that a push of it has. */
export function sqlmeshFile(terminal: Terminal, name: string): LineageFile {
  const project = record(name, jsonOf(readBytes(terminal, name), name));
  const own = record(name, project['project'] ?? {});
  const scope = `sqlmesh-project:${String(own['name'] ?? 'default')}:${String(project['environment'])}`;
  return { name, scope, document: { kind: 'sqlmesh_project', project } };
}

/** A manifest with the catalog beside it, in the scope that a push of it has. */
export function dbtFile(terminal: Terminal, place: string, catalogFile?: string): LineageFile {
  const name = manifestFile(terminal, place);
  const beside = catalogFile ?? path.join(path.dirname(name), 'catalog.json');
  const hasCatalog = catalogFile !== undefined || isFile(path.resolve(terminal.folder, beside));
  const manifest = record(name, jsonOf(readBytes(terminal, name), name));
  const catalog = hasCatalog ? record(beside, jsonOf(readBytes(terminal, beside), beside)) : undefined;
  const { project_name = 'default' } = record(name, manifest['metadata'] ?? {});
  return { name, scope: `dbt-project:${project_name}`, document: { kind: 'dbt_manifest', manifest, catalog } };
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function record(name: string, value: unknown): Fields {
  if (isRecord(value)) return value;
  throw new UsageError(`${name} does not hold a JSON object.`);
}

const listOrRecord = (name: string, value: unknown): Fields | readonly unknown[] =>
  Array.isArray(value) ? value : record(name, value);
