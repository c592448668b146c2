import path from 'node:path';
import type { Command } from 'commander';
import * as v from 'valibot';
import { jsonOf, readBytes } from '../files.ts';
import { type Context, serves } from '../framework.ts';
import { type Outcome, UsageError } from '../outcome.ts';
import { type DbtArtifacts, dbtArtifacts } from '../push/dbt-artifacts.ts';
import { commitOf, pushDocument } from '../push/push-document.ts';
import { type OpenLineageOptions, pushOpenLineage } from '../push/push-openlineage.ts';
import type { Session } from '../session.ts';

const SqlmeshExport = v.looseObject({ project: v.looseObject({ name: v.string() }) });

type DocumentOptions = {
  readonly partial?: boolean;
  readonly key?: string;
  readonly force?: boolean;
  readonly wait: boolean;
};
type DbtOptions = DocumentOptions & {
  readonly project?: string;
  readonly catalog?: string;
  readonly allowUncompiled?: boolean;
};
type SqlmeshOptions = DocumentOptions & { readonly project?: string };
type DatahubOptions = DocumentOptions & { readonly source?: string };

export function registerPush(program: Command, context: Context): void {
  const push = program.command('push').description('sends lineage, waits, and says what was taken and what not');
  document(push.command('dbt [dir]').description('the manifest and the catalog of a dbt project'))
    .option('--project <id>', 'id under which the project is linked; its name where it is left out')
    .option('--catalog <file>', 'the catalog, where it does not lie beside the manifest')
    .option('--allow-uncompiled', 'send a manifest without compiled code: its columns will not be known')
    .action(serves<DbtOptions>(context, (session, [dir = '.'], options) => pushDbt(session, dir, options)));
  document(push.command('sqlmesh <file>').description('a rendered SQLMesh project'))
    .option('--project <id>', 'id under which the project is linked; the one that the file names, where it is left out')
    .action(serves<SqlmeshOptions>(context, (session, [file = ''], options) => pushSqlmesh(session, file, options)));
  document(push.command('datahub <file>').description('lineage that was exported from DataHub'))
    .option('--source <name>', 'names the export: a complete one replaces what the same source said before')
    .action(serves<DatahubOptions>(context, (session, [file = ''], options) => pushDatahub(session, file, options)));
  push
    .command('openlineage <files...>')
    .description('OpenLineage events: JSON, an array, or an event a line; - reads standard input')
    .option('--provider-key <key>', 'names the feed')
    .option('--key <key>', 'names the delivery, so that it is taken once')
    .option('--no-wait', 'do not wait until the events are projected')
    .action(serves<OpenLineageOptions>(context, pushOpenLineage));
}

const document = (command: Command): Command =>
  command
    .option('--partial', 'adds to what is known, and retracts nothing')
    .option('--key <key>', 'names the delivery; made of content and commit where it is left out')
    .option('--force', 'send it although it is of another platform than the connector')
    .option('--no-wait', 'do not wait until it is projected');

async function pushDbt(session: Session, dir: string, options: DbtOptions): Promise<Outcome> {
  const artifacts = dbtArtifacts(session.terminal, dir, options.catalog);
  const { folder, manifest, catalog, projectName } = artifacts;
  const project_id = options.project ?? (options.partial ? undefined : (projectName ?? undefined));
  const warnings = [
    ...emptinessWarnings(artifacts, options.partial === true),
    ...compilationWarnings(artifacts, options.allowUncompiled === true),
  ];
  const fields = { ...(await fieldsOf(session, options)), project_id };
  const outcome = await pushDocument(
    session,
    {
      kind: 'dbt_manifest',
      fields,
      parts: { manifest, ...(catalog && { catalog }) },
      key: options.key,
      commit: commitOf(session.terminal, folder),
      force: options.force,
    },
    options,
  );
  return { ...outcome, warnings: [...warnings, ...(outcome.warnings ?? [])] };
}

function emptinessWarnings({ relations }: DbtArtifacts, isPartial: boolean): string[] {
  if (relations > 0) return [];
  const is = 'The manifest has no model, seed or snapshot';
  return [
    isPartial
      ? `${is}.`
      : `${is}: sent as complete, it takes back what the project said before. Was it written by a run that selected nothing?`,
  ];
}

function compilationWarnings({ models, uncompiled }: DbtArtifacts, isAllowed: boolean): string[] {
  if (uncompiled === 0) return [];
  const are = `${uncompiled} of ${models} models are not compiled`;
  if (uncompiled < models || isAllowed)
    return [`${are}: their columns are not known. \`dbt compile\` writes the code.`];
  throw new UsageError('The manifest has no compiled code, so that no column would be known.', [
    'Run `dbt compile` (or build, run, docs generate) and push again: `dbt parse` and `dbt ls` leave the code out.',
    'To send it as it is: --allow-uncompiled',
  ]);
}

async function pushSqlmesh(session: Session, file: string, options: SqlmeshOptions): Promise<Outcome> {
  const project = readBytes(session.terminal, file);
  const parsed = v.safeParse(SqlmeshExport, jsonOf(project, file));
  if (!parsed.success)
    throw new UsageError(`${file} is not an export of a SQLMesh project: it has no project with a name.`);
  const project_id = options.project ?? (options.partial ? undefined : parsed.output.project.name);
  const fields = { ...(await fieldsOf(session, options)), project_id };
  const commit = commitOf(session.terminal, folderOf(session, file));
  const parts = { project };
  return pushDocument(
    session,
    { kind: 'sqlmesh_project', fields, parts, key: options.key, commit, force: options.force },
    options,
  );
}

async function pushDatahub(session: Session, file: string, options: DatahubOptions): Promise<Outcome> {
  if (options.source === undefined && !options.partial)
    throw new UsageError('A complete export takes --source NAME: it replaces what the same source said before.', [
      'Without a source it can be sent as --partial.',
    ]);
  const exported = readBytes(session.terminal, file);
  jsonOf(exported, file);
  const fields = { ...(await fieldsOf(session, options)), import_source: options.source };
  const commit = commitOf(session.terminal, folderOf(session, file));
  return pushDocument(
    session,
    { kind: 'datahub_catalog', fields, parts: { export: exported }, key: options.key, commit, force: options.force },
    options,
  );
}

const fieldsOf = async (session: Session, { partial }: DocumentOptions) => ({
  connector_id: (await session.connector()).id,
  completeness: partial ? 'partial' : 'complete',
});

const folderOf = ({ terminal }: Session, file: string): string => path.dirname(path.resolve(terminal.folder, file));
