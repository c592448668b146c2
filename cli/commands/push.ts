import type { Command } from 'commander';
import * as v from 'valibot';
import { datahubScope, dbtScope, sqlmeshScope } from '../../shared/domain/lineage/ingest/scope-names.ts';
import { jsonOf, readBytes } from '../files.ts';
import { type Context, serves } from '../framework.ts';
import { type Outcome, UsageError, withLeftOut } from '../outcome.ts';
import { datahubExport } from '../push/datahub-export.ts';
import { type DbtArtifacts, dbtArtifacts } from '../push/dbt-artifacts.ts';
import { dbtInfoSchema } from '../push/info-schema.ts';
import { type DocumentOptions, pushDocument } from '../push/push-document.ts';
import { pushOpenLineage } from '../push/push-openlineage.ts';
import type { Session } from '../session.ts';

const SqlmeshExport = v.looseObject({
  project: v.looseObject({ name: v.string() }),
  environment: v.optional(v.unknown()),
  models: v.optional(v.unknown()),
});

type DbtOptions = DocumentOptions & {
  readonly project?: string;
  readonly catalog?: string;
  readonly allowUncompiled?: boolean;
};
type SqlmeshOptions = DocumentOptions & { readonly project?: string };
type DatahubOptions = DocumentOptions & { readonly source?: string };

export function registerPush(program: Command, context: Context): void {
  const push = program
    .command('push')
    .description('sends lineage, waits, and prints what was accepted and what was not');
  document(push.command('dbt [dir]').description('the manifest and the catalog of a dbt project'))
    .option('--project <id>', 'id of the linked project (default: its name)')
    .option('--catalog <file>', 'the catalog (default: beside the manifest)')
    .option('--allow-uncompiled', 'send a manifest although most of it is not compiled; column lineage will be missing')
    .action(serves<DbtOptions>(context, (session, [dir = '.'], options) => pushDbt(session, dir, options)));
  document(push.command('sqlmesh <file>').description('a rendered SQLMesh project'))
    .option('--project <id>', 'id of the linked project (default: the one in the file)')
    .action(serves<SqlmeshOptions>(context, (session, [file = ''], options) => pushSqlmesh(session, file, options)));
  document(
    push
      .command('datahub <file>')
      .description('lineage of DataHub: a file of its file sink, or of tributary-datahub-export'),
  )
    .option('--source <name>', 'name of the export; a complete export replaces earlier ones of the same source')
    .action(serves<DatahubOptions>(context, (session, [file = ''], options) => pushDatahub(session, file, options)));
  push
    .command('openlineage <files...>')
    .description('OpenLineage events: JSON, an array, or one event per line; - reads standard input')
    .option('--provider-key <key>', 'key of the feed')
    .option('--key <key>', 'idempotency key of the delivery')
    .option('--no-wait', 'do not wait until the events are projected')
    .action(serves(context, pushOpenLineage));
}

const document = (command: Command): Command =>
  command
    .option('--partial', 'adds evidence and retracts nothing')
    .option('--key <key>', 'idempotency key; the same key with the same content is one delivery (default: a new one)')
    .option('--force', 'send it even if it describes a different platform than the connector')
    .option('--no-wait', 'do not wait until it is projected');

async function pushDbt(session: Session, dir: string, options: DbtOptions): Promise<Outcome> {
  const artifacts = dbtArtifacts(session.terminal, dir, options.catalog);
  const { folder, manifest, catalog, projectName } = artifacts;
  const project_id = options.project ?? (options.partial ? undefined : (projectName ?? undefined));
  const infoSchema = await dbtInfoSchema(folder);
  const warnings = [
    ...infoSchema.warnings,
    ...emptinessWarnings(artifacts.relations === 0, 'The manifest has no model, seed or snapshot', options),
    ...compilationWarnings(artifacts, options),
  ];
  const parts = {
    manifest: manifest.bytes,
    ...(catalog && { catalog: catalog.bytes }),
    ...(infoSchema.json && { info_schema: infoSchema.json }),
  };
  const scope = dbtScope(options.project ?? projectName ?? undefined);
  const document = { kind: 'dbt_manifest', scope, fields: { project_id }, parts } as const;
  return withLeftOut(await pushDocument(session, document, options), warnings);
}

function emptinessWarnings(isEmpty: boolean, text: string, { partial }: DocumentOptions): string[] {
  if (!isEmpty) return [];
  if (partial) return [`${text}.`];
  return [
    `${text}: sent as complete, it takes back what was sent before. Was it written by a run that selected nothing?`,
  ];
}

/** A complete push replaces what was compiled before, so most of it has to be compiled. */
function compilationWarnings(
  { models, snapshots, uncompiled }: DbtArtifacts,
  { allowUncompiled, partial }: DbtOptions,
): string[] {
  if (uncompiled === 0) return [];
  const all = models + snapshots;
  const are = `${uncompiled} of ${all} models${snapshots > 0 ? ' and snapshots' : ''} are not compiled`;
  if (allowUncompiled || uncompiled <= (partial ? all - 1 : all / 2))
    return [`${are}: their columns are not known. \`dbt compile\` writes the code.`];
  throw new UsageError(`${are}, so their column lineage would be lost.`, [
    'Run `dbt compile` and push again: `dbt parse`, `dbt ls` and a run of some models leave code out.',
    'To send it anyway: --allow-uncompiled',
  ]);
}

async function pushSqlmesh(session: Session, file: string, options: SqlmeshOptions): Promise<Outcome> {
  const project = readBytes(session.terminal, file);
  const parsed = v.safeParse(SqlmeshExport, jsonOf(project, file));
  if (!parsed.success)
    throw new UsageError(`${file} is not an export of a SQLMesh project: it has no project with a name.`);
  const { environment, models } = parsed.output;
  const { name } = parsed.output.project;
  const project_id = options.project ?? (options.partial ? undefined : name);
  const scope = sqlmeshScope(options.project ?? name, environment);
  const document = { kind: 'sqlmesh_project', scope, fields: { project_id }, parts: { project } } as const;
  const empty = emptinessWarnings([models].flat().length === 0, 'The project has no model', options);
  return withLeftOut(await pushDocument(session, document, options), empty);
}

async function pushDatahub(session: Session, file: string, options: DatahubOptions): Promise<Outcome> {
  if (options.source === undefined && !options.partial)
    throw new UsageError('A complete export requires --source NAME: it replaces earlier exports of the same source.', [
      'Without a source, send it with --partial.',
    ]);
  const { bytes, json, missing, others } = datahubExport(session.terminal, file);
  const [scope, fields] = [datahubScope(options.source), { import_source: options.source }];
  const document = { kind: 'datahub_catalog', scope, fields, parts: { export: bytes } } as const;
  const isEmpty = Object.values(Object(json)).flat().length === 0;
  const empty = emptinessWarnings(isEmpty, 'The export has no entry', options);
  return withLeftOut(await pushDocument(session, document, options), [...empty, ...missing, ...others]);
}
