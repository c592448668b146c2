import { type Command, Option } from 'commander';
import { type AgentArtifact, artifactKinds, artifactStatuses } from '../../shared/contract/agent-artifacts.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { readBytes } from '../files.ts';
import { type Context, limitOption, serves } from '../framework.ts';
import { type Outcome, requestOutcome, tableOf } from '../outcome.ts';
import type { Session } from '../session.ts';
import { counted, printable, printableLines, record, shortened } from '../terminal/terminal.ts';

type Filter = {
  readonly path?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly limit: number;
};
type ArtifactOptions = {
  readonly path?: string;
  readonly kind: string;
  readonly proposed?: true;
};

const kind = (description: string) => new Option('--kind <kind>', description).choices(artifactKinds);

export function registerArtifacts(program: Command, context: Context): void {
  const artifacts = program
    .command('artifacts')
    .description('models, SQL and notes made by agents, with their history');
  artifacts
    .command('list')
    .description('lists artifacts, newest first')
    .option('--path <path>', 'only versions of this path')
    .addOption(kind('those of a kind'))
    .addOption(new Option('--status <status>', 'only this status').choices(artifactStatuses))
    .addOption(limitOption)
    .action(serves(context, list));
  artifacts
    .command('show')
    .argument('<id>', 'id of the artifact')
    .description('shows an artifact with its content')
    .action(
      serves(context, (session, [artifact_id = '']) =>
        requestOutcome(session, routes.getArtifact, { params: { artifact_id } }, described),
      ),
    );
  artifacts
    .command('create')
    .argument('<file>', 'file with the content')
    .description('stores a file as the next version of its path')
    .addOption(kind('what it is').makeOptionMandatory())
    .option('--path <path>', 'path of the artifact (default: the path of the file)')
    .option('--proposed', 'stores it as a proposal to be accepted later')
    .action(serves(context, create));
  registerMoves(artifacts, context);
  artifacts
    .command('diff')
    .argument('<id>', 'id of the artifact')
    .description('compares the text of an artifact with its parent')
    .action(
      serves(context, (session, [artifact_id = '']) =>
        requestOutcome(session, routes.diffArtifact, { params: { artifact_id } }, ({ unified }) =>
          printableLines(unified.trimEnd()),
        ),
      ),
    );
}

function registerMoves(artifacts: Command, context: Context): void {
  for (const [command, status, description] of [
    ['accept', 'accepted', 'makes a proposed artifact the version of its path'],
    ['reject', 'rejected', 'turns a proposed artifact down'],
    ['supersede', 'superseded', 'ends an accepted artifact'],
  ] as const)
    artifacts
      .command(command)
      .argument('<id>', 'id of the artifact')
      .description(description)
      .action(
        serves(context, (session, [artifact_id = '']) =>
          requestOutcome(session, routes.patchArtifact, { params: { artifact_id }, body: { status } }, brief),
        ),
      );
}

async function list(session: Session, _: readonly string[], { limit, path, kind, status }: Filter): Promise<Outcome> {
  const page = await session.pages(routes.listArtifacts, { query: { path, kind, status } }, limit);
  return tableOf(routes.listArtifacts, page, 'No matching artifacts.', (one) => ({
    ARTIFACT: one.id,
    STATUS: one.status,
    KIND: one.kind,
    VERSION: one.version,
    PATH: shortened(one.path),
    MADE: one.created_at,
  }));
}

function described(artifact: AgentArtifact): string {
  const { content, metadata, execution_log, preview_columns, preview_rows, ...fields } = artifact;
  const parts = [
    ...(Object.keys(metadata).length > 0 ? [printable(`metadata: ${JSON.stringify(metadata)}`)] : []),
    ...(execution_log.length > 0 ? [`execution_log: ${counted(execution_log.length, 'entry', 'entries')}`] : []),
    ...(preview_rows.length > 0
      ? [printable(`preview: ${counted(preview_rows.length, 'row')} of ${preview_columns.join(', ')}`)]
      : []),
  ];
  return [record(fields), ...parts, '', printableLines(content.trimEnd())].join('\n');
}

async function create(session: Session, [file = '']: readonly string[], options: ArtifactOptions): Promise<Outcome> {
  const content = readBytes(session.terminal, file).toString('utf8');
  const body = {
    tool_run_id: 'tributary',
    kind: options.kind,
    path: options.path ?? file,
    content,
    ...(options.proposed && { status: 'proposed' }),
  };
  return requestOutcome(session, routes.createArtifact, { body }, brief);
}

const brief = ({ id, path, version, status }: AgentArtifact): string =>
  printable(`${id} is version ${version} of ${path}, ${status}.`);
