import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { type DiffGrade, diffGrades, LineageDiff, matchings } from '../../shared/contract/diff.ts';
import { limits } from '../../shared/contract/limits.ts';
import { dbtScope, sqlmeshScope } from '../../shared/domain/lineage/ingest/scope-names.ts';
import { describeDiff, diffMarkdown } from '../diff/describe-diff.ts';
import { type PullRequestOptions, placeOf, pullRequestOption, repositoryOption } from '../diff/pull-request.ts';
import { type Selection, selectedModels, selections } from '../diff/select-models.ts';
import { type JsonFile, openJsonFile } from '../files.ts';
import { type Context, moment, type OpenSession, rangeOption, serves } from '../framework.ts';
import { type BaseOptions, baseFiles, seedFiles } from '../offline/base-artifacts.ts';
import { withService } from '../offline/joint-diff.ts';
import { sessionOfFiles, sqlmeshFile } from '../offline/lineage-files.ts';
import { serviceSession } from '../offline/service-beside.ts';
import { type ExitCode, exitCodes, type Outcome, UsageError } from '../outcome.ts';
import { type DbtArtifacts, dbtArtifacts } from '../push/dbt-artifacts.ts';
import { joinJson, putUpload, zip } from '../push/push-document.ts';
import { type Session, sessionOf } from '../session.ts';
import { outputColors, printableJson } from '../terminal/terminal.ts';

type Options = PullRequestOptions &
  BaseOptions & {
    readonly project?: string;
    readonly upload?: true;
    readonly from?: string;
    readonly to?: string;
    readonly environment?: string;
    readonly matchBy?: string;
    readonly select?: true;
    readonly offline?: true;
    readonly as: Selection;
    readonly depth?: number;
    readonly nodes?: number;
    readonly format: 'table' | 'json' | 'markdown';
    readonly failOn: DiffGrade | 'none';
  };

export function registerDiff(program: Command, context: Context): void {
  const diff = printing(program.command('diff'))
    .description('shows what a branch would break, or what changed between two times')
    .option('--from <time>', 'the earlier time', moment)
    .option('--to <time>', 'the later time (default: now)', moment)
    .action(serves<Options>(context, (session, _, options) => times(session, options)));
  uploading(branch(diff.command('dbt [dir]').description('the manifest of a branch against what is live'))).action(
    serves<Options>(
      context,
      async (session, [dir = '.'], options) => {
        const artifacts = dbtArtifacts(session.terminal, dir);
        const { manifest, catalog, projectName } = artifacts;
        const id = options.project ?? projectName ?? undefined;
        if (options.upload) await sendManifest(sessionOf(session.options, session.terminal), artifacts, id, options);
        const branch = { part: 'manifest', document: manifest, catalog, id, scope: dbtScope(id) };
        const outcome = await compareBranch(session, options, branch);
        return options.select ? selected(session, outcome, manifest.json, options) : outcome;
      },
      sessionOfDbtBase,
    ),
  );
  branch(diff.command('sqlmesh <file>').description('a rendered SQLMesh project against what is live'))
    .option('--environment <name>', 'the live environment (default: that of the project)')
    .action(
      serves<Options>(
        context,
        (session, [file = ''], options) => {
          const document = openJsonFile(session.terminal, file);
          const parsed = v.safeParse(SqlmeshNames, document.json);
          if (!parsed.success) throw new UsageError(`${file} is not an export of a SQLMesh project.`);
          const { project, environment } = parsed.output;
          const id = options.project ?? project?.name;
          const scope = sqlmeshScope(id, options.environment ?? environment);
          return compareBranch(session, options, { part: 'project', document, catalog: null, id, scope });
        },
        sessionOfSqlmeshBase,
      ),
    );
}

const sessionOfDbtBase: OpenSession<Options> = (globals, terminal, options, [dir = '.']) =>
  sessionOfFiles(globals, terminal, {
    files: baseFiles(terminal, dir, options),
    offline: options.offline,
    ...(options.select && { seedText: seedFiles(terminal, dir, options) }),
  });

const sessionOfSqlmeshBase: OpenSession<Options> = (globals, terminal, { base, offline }) =>
  sessionOfFiles(globals, terminal, { files: base === undefined ? [] : [sqlmeshFile(terminal, base)], offline });

const branch = (command: Command): Command =>
  printing(command)
    .option('--base <path>', 'compare with this manifest, target folder or project; a service only adds to it')
    .option('--offline', 'with a base: do not ask the service that is configured')
    .option('--project <id>', 'the linked project that is live')
    .addOption(
      new Option('--match-by <what>', 'auto: by model if both are one project').choices(matchings).default('auto'),
    );

const uploading = (command: Command): Command =>
  command
    .option('--base-ref <ref>', 'compare with the artifacts of this commit or branch')
    .option('--artifacts <folder>', 'where CI stores artifacts, in a folder for each commit (TRIBUTARY_ARTIFACTS)')
    .option('--compile <command>', 'make the artifacts of --base-ref with this command, in a temporary work tree')
    .option('--select', 'print which models to build instead: those whose contents differ, and no others')
    .addOption(
      new Option('--as <form>', 'dbt: arguments of dbt build --select; state: their files')
        .choices(selections)
        .default('dbt'),
    )
    .addOption(
      new Option('--upload', 'also send the manifest, for the pull request check on the code host').conflicts(
        'offline',
      ),
    )
    .addOption(repositoryOption)
    .option('--commit <sha>', 'head commit of the pull request (default in CI: its own)')
    .addOption(pullRequestOption);

const printing = (command: Command): Command =>
  command
    .addOption(rangeOption('--depth <n>', 'how many steps to follow a change', limits.impact.depth))
    .addOption(rangeOption('--nodes <n>', 'how many relations to visit from a change', limits.impact.nodes))
    .addOption(
      new Option('--format <format>', 'markdown: for a comment on a pull request')
        .choices(['table', 'json', 'markdown'])
        .default('table'),
    )
    .addOption(
      new Option('--fail-on <grade>', 'exit with 1 at this grade or worse, and with 3 if nothing was compared')
        .choices(['breaking', 'risky', 'none'])
        .default('breaking'),
    );

async function times(session: Session, options: Options): Promise<Outcome> {
  if (options.from === undefined)
    throw new UsageError('Choose what to compare: diff dbt [DIR], diff sqlmesh FILE, or diff --from TIME [--to TIME].');
  const query = {
    connector_id: (await session.connector()).id,
    from: options.from,
    to: options.to,
    max_depth: options.depth,
    max_nodes: options.nodes,
    limit: limits.diff.edges.max,
  };
  return gradedOutcome(session, await session.ask(routes.diffTimes, { query }), options);
}

/** The models to build, in place of the report. */
function selected({ files }: Session, { json, ...outcome }: Outcome, manifest: unknown, options: Options): Outcome {
  const base = files.flatMap(({ document }) => (document.kind === 'dbt_manifest' ? document.manifest : []));
  const lines = selectedModels(v.parse(LineageDiff, json), [manifest, ...base], options.as);
  return { ...outcome, json: { selected: lines }, text: () => lines.join(options.as === 'dbt' ? ' ' : '\n') };
}

type Branch = {
  /** The field of the document in a request. */
  readonly part: string;
  readonly document: JsonFile;
  readonly catalog: JsonFile | null;
  readonly id: string | undefined;
  readonly scope: string;
};

async function compareBranch(session: Session, options: Options, branch: Branch): Promise<Outcome> {
  const json = await requestComparison(session, options, branch);
  const service = session.files.length > 0 && !options.offline ? serviceSession(session) : null;
  if (service === null) return gradedOutcome(session, json, options);
  const ask = async () => v.parse(LineageDiff, await requestComparison(service, options, branch));
  return gradedOutcome(session, await withService(v.parse(LineageDiff, json), ask), options);
}

async function requestComparison(session: Session, options: Options, branch: Branch): Promise<unknown> {
  const { part, document, catalog, id, scope } = branch;
  const fields = {
    workspace_id: (await session.workspace()).id,
    connector_id: (await session.connector(scope)).id,
    project_id: id,
    environment: options.environment,
    match_by: options.matchBy,
    max_depth: options.depth,
    max_nodes: options.nodes,
  };
  const [base] = session.files;
  session.progress.say(`comparing with ${base?.name ?? 'the live graph'}`);
  if (base !== undefined)
    return session.ask(routes.diffProject, {
      body: { ...fields, [part]: document.json, ...(catalog && { catalog: catalog.json }) },
    });
  const bytes = await zip(joinJson(fields, { [part]: document.bytes }));
  return session.ask(routes.diffProject, { bytes, headers: { 'content-encoding': 'gzip' } });
}

const SqlmeshNames = v.looseObject({
  project: v.optional(v.looseObject({ name: v.optional(v.string()) })),
  environment: v.optional(v.unknown()),
});

function gradedOutcome({ terminal }: Session, json: unknown, { format, failOn }: Options): Outcome {
  const answer = v.parse(LineageDiff, json);
  const texts = {
    json: () => printableJson(json, 2),
    markdown: () => diffMarkdown(answer),
    table: () => describeDiff(answer, outputColors(terminal)),
  };
  return { json, text: texts[format], exitCode: exitCodeOf(answer.grade, failOn) };
}

/** Nothing compared is no success: who fails on no grade has it said, and goes on. */
function exitCodeOf(grade: LineageDiff['grade'], failOn: Options['failOn']): ExitCode {
  if (failOn === 'none') return exitCodes.done;
  if (grade === 'not_evaluated') return exitCodes.notFound;
  return diffGrades.indexOf(grade) >= diffGrades.indexOf(failOn) ? exitCodes.wanting : exitCodes.done;
}

/** Sends the manifest of a pull request's commit, so that the service checks the pull request at its code host. */
async function sendManifest(
  session: Session,
  { manifest: { bytes }, folder }: DbtArtifacts,
  project_id: string | undefined,
  options: PullRequestOptions,
): Promise<unknown> {
  const fields = {
    workspace_id: (await session.workspace()).id,
    connector_id: (await session.connector(dbtScope(project_id))).id,
    project_id,
    ...placeOf(session.terminal, folder, options),
  };
  session.progress.say('sending the manifest');
  const whole = new Uint8Array(await zip(joinJson(fields, { manifest: bytes })));
  if (whole.length <= limits.inlineBytes)
    return session.ask(routes.postManifest, { bytes: whole, headers: { 'content-encoding': 'gzip' } });
  const packed = new Uint8Array(await zip(bytes));
  const upload_id = await putUpload(session, { kind: 'dbt_manifest', bytes: packed, encoding: 'gzip' });
  return session.ask(routes.postManifest, { body: { ...fields, upload_id } });
}
