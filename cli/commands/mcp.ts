import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { type Context, serves } from '../framework.ts';
import { clientFiles, type Server, serverText, withServer } from '../mcp/client-files.ts';
import { exitCodes, type Outcome, UsageError } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable, printableLines, write } from '../terminal/terminal.ts';
import { version } from '../version.ts';

export function registerMcp(program: Command, context: Context): void {
  const mcp = program
    .command('mcp')
    .description('serves the Model Context Protocol on standard input and output, for agents')
    .action(
      serves(context, async (session) => {
        const { serveStdio } = await import('../mcp/serve-stdio.ts');
        const { workspace, connector, origin } = session.settings;
        const connectorFrom = origin.connector ?? undefined;
        const place = { workspace: await named(session, workspace), connector, connectorFrom };
        await serveStdio(session.terminal, { api: await session.api(), ...place }, version);
        return exitCodes.done;
      }),
    );
  mcp
    .command('install')
    .addArgument(
      new Argument('<client>', 'whose configuration gets the server').choices(
        Object.keys(clientFiles(context.terminal)),
      ),
    )
    .description('adds this server to the configuration of a client: shows the change, then writes it')
    .option('--dry-run', 'show the change and write nothing')
    .action(
      serves<{ readonly dryRun?: true }>(context, async (session, [client = ''], { dryRun }) =>
        install(session, client, dryRun),
      ),
    );
}

/** In a credentials file the token is of one workspace, which need not be named again. */
const named = async (session: Session, workspace: string | undefined) =>
  session.settings.credentials === null ? workspace : (await session.workspace()).id;

async function install({ terminal, options, settings }: Session, client: string, isDryRun = false): Promise<Outcome> {
  const found = Object.entries(clientFiles(terminal)).find(([name]) => name === client);
  if (found === undefined) throw new UsageError(`There is no client ${client}.`);
  const [, target] = found;
  const before = existsSync(target.file) ? readFileSync(target.file, 'utf8') : '';
  const server = serverOf({ terminal, options, settings });
  const after = withServer(target, before, server);
  const isChanged = after !== before;
  const shown = [`${printable(target.file)}:`, '', printableLines(serverText(target, server)), ''].join('\n');
  if (!options.json) await write(terminal.output, `${shown}\n`);
  if (isChanged && !isDryRun) {
    mkdirSync(path.dirname(target.file), { recursive: true });
    replaceFile(target.file, after);
  }
  const backup = before === '' ? '' : ` What it was is in ${printable(target.file)}.bak.`;
  const written = `The server is in the configuration.${backup} Restart ${target.title} to use it.`;
  const done = isDryRun ? 'Nothing is written.' : isChanged ? written : 'It has this server already.';
  return {
    json: { client, file: target.file, changed: isChanged, written: isChanged && !isDryRun, server },
    text: () => done,
  };
}

/** As a whole, so that a client never reads a part of it. The file before stays beside it; both keep its rights. */
function replaceFile(file: string, text: string): void {
  // A link to a folder of settings stays one.
  const target = existsSync(file) ? realpathSync(file) : file;
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : 0o600;
  if (existsSync(target)) copyFileSync(target, `${target}.bak`);
  const draft = `${target}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, target);
}

/** This program with the settings of this call. Tokens stay where they are: a configuration holds none. */
function serverOf({ terminal, options, settings }: Pick<Session, 'terminal' | 'options' | 'settings'>): Server {
  const { credentials, workspace, connector, origin } = settings;
  const passing = [origin.url, origin.token].find((from) =>
    /^(--url|--token|TRIBUTARY_(URL|TOKEN)|nowhere)$/.test(from),
  );
  if (passing !== undefined)
    throw new UsageError('The client would not have the address and the token of this call.', [
      'Store them with tributary login, or name the file of a local service with --credentials.',
    ]);
  const file = options.credentials ?? terminal.env['TRIBUTARY_CREDENTIALS'] ?? path.join('.local', 'credentials.json');
  const choices = {
    credentials: credentials === null ? undefined : path.resolve(terminal.folder, file),
    profile: credentials === null ? options.profile : undefined,
    workspace: options.workspace ?? workspace,
    connector,
  };
  const given = Object.entries(choices).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  // Clients that are started from a desktop have another PATH.
  return { command: process.execPath, args: [path.resolve(process.argv[1] ?? ''), 'mcp', ...given] };
}
