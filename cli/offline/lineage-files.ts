// The options that name files instead of a service, and the documents in those files.
import type { Command } from 'commander';
import { isJsonObject } from '../../shared/domain/base/json/read-json.ts';
import type { LineageFile } from '../../shared/domain/lineage/files/open-files.ts';
import { datahubScope, dbtScope, sqlmeshScope } from '../../shared/domain/lineage/ingest/scope-names.ts';
import { readJsonFile } from '../files.ts';
import { appendValue } from '../framework.ts';
import { UsageError } from '../outcome.ts';
import { datahubExport } from '../push/datahub-export.ts';
import { dbtArtifacts } from '../push/dbt-artifacts.ts';
import { eventsOf, type FileEvent } from '../push/push-openlineage.ts';
import { type Session, sessionOf } from '../session.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { NamedFiles } from './files-session.ts';
import { serviceSession } from './service-beside.ts';

export type FileOptions = {
  readonly manifest?: readonly string[];
  readonly catalog?: string;
  readonly sqlmesh?: readonly string[];
  readonly datahub?: readonly string[];
  readonly openlineage?: readonly string[];
  readonly offline?: true;
};

export const answersFromFiles = (command: Command): Command =>
  command
    .option(
      '--manifest <path>',
      'a dbt manifest, or its folder: answers from files, and from the service if there is one; repeatable',
      appendValue,
    )
    .option('--catalog <file>', 'the catalog of the manifest (default: catalog.json beside it)')
    .option('--sqlmesh <file>', 'a rendered SQLMesh project; repeatable', appendValue)
    .option('--openlineage <file>', 'OpenLineage events, one a line or an array; repeatable', appendValue)
    .option('--datahub <file>', 'an export of DataHub; repeatable', appendValue)
    .option('--offline', 'with files: do not ask the service that is configured');

/** A session of the files that the options name and of the service if there is one, or of the service only. */
export const sessionOrFiles = (globals: GlobalOptions, terminal: Terminal, options: FileOptions): Promise<Session> =>
  sessionOfFiles(globals, terminal, {
    files: lineageFiles(terminal, options),
    events: eventsIn(terminal, options),
    service: options.offline ? null : serviceSession({ options: globals, terminal }),
    offline: options.offline,
  });

/** The events of all files, one feed: a run's may be in several. Throws UsageError. */
const eventsIn = (terminal: Terminal, { openlineage = [] }: FileOptions): readonly FileEvent[] =>
  openlineage.flatMap((file) => eventsOf(terminal, file));

/** A session of files, or of a service without any. */
export async function sessionOfFiles(globals: GlobalOptions, terminal: Terminal, named: NamedFiles): Promise<Session> {
  const { files, events = [], offline } = named;
  if (files.length + events.length === 0) {
    if (offline) throw new UsageError('--offline needs files to answer from.');
    return sessionOf(globals, terminal);
  }
  // Loaded only here: it is most of the code of the service.
  const { filesSession } = await import('./files-session.ts');
  return filesSession(globals, terminal, named);
}

function lineageFiles(terminal: Terminal, options: FileOptions): readonly LineageFile[] {
  const { manifest = [], sqlmesh = [], datahub = [], catalog } = options;
  if (catalog !== undefined && manifest.length !== 1)
    throw new UsageError('--catalog belongs to exactly one --manifest.');
  return [
    ...manifest.map((place) => dbtFile(terminal, place, catalog)),
    ...sqlmesh.map((name) => sqlmeshFile(terminal, name)),
    ...datahub.map((name) => datahubFile(terminal, name)),
  ];
}

function datahubFile(terminal: Terminal, name: string): LineageFile {
  const { json, missing } = datahubExport(terminal, name);
  for (const text of missing) terminal.messages.write(`${text}\n`);
  const document = { kind: 'datahub_catalog', export: Array.isArray(json) ? json : record(name, json) } as const;
  return { name, scope: datahubScope(name), document };
}

/** A rendered project, in the scope that a push of it has. */
export function sqlmeshFile(terminal: Terminal, name: string): LineageFile {
  const project = record(name, readJsonFile(terminal, name));
  const own = record(name, project['project'] ?? {});
  const scope = sqlmeshScope(textOf(own['name']), project['environment']);
  return { name, scope, document: { kind: 'sqlmesh_project', project } };
}

/** A manifest with the catalog beside it, in the scope that a push of it has. */
export function dbtFile(terminal: Terminal, place: string, catalogFile?: string): LineageFile {
  const { file: name, manifest, catalog, projectName } = dbtArtifacts(terminal, place, catalogFile);
  const document = { manifest: record(name, manifest.json), catalog: catalog ? record(name, catalog.json) : undefined };
  return { name, scope: dbtScope(projectName ?? undefined), document: { kind: 'dbt_manifest', ...document } };
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value);

function record(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value;
  throw new UsageError(`${name} does not hold a JSON object.`);
}
