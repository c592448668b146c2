import type { Command } from 'commander';
import { apiOf, requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { once } from '../../shared/domain/base/caching.ts';
import { statOf } from '../files.ts';
import { acts, type Context } from '../framework.ts';
import { CommandError, type ExitCode, exitCodes, type Outcome } from '../outcome.ts';
import { serviceError } from '../service/service-error.ts';
import { type Place, type Session, sessionOf } from '../session.ts';
import { configurationFile } from '../settings/profiles.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import { counted, outputColors, printable, type Terminal } from '../terminal/terminal.ts';

export function registerDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('checks the setup step by step, from configuration to permissions')
    .action(acts(context, (_, globals) => doctor(globals, context.terminal)));
}

type Finding = {
  readonly link: string;
  readonly state: 'ok' | 'broken' | 'skipped';
  readonly message: string;
  readonly hints: readonly string[];
};

/** In dependency order. */
const links: Readonly<Record<string, (session: Session) => Promise<string>>> = {
  configuration: async ({ settings: { url, origin }, terminal }) => configuration(url, origin, terminal),
  service,
  token,
  workspace: async (session) => described(await session.workspace()),
  reading,
  connector: async (session) => described(await session.connector()),
};

const described = ({ id, name }: Place): string => `${name} (${id})`;

async function doctor(globals: GlobalOptions, terminal: Terminal): Promise<Outcome> {
  const findings: Finding[] = [];
  let exitCode: ExitCode = exitCodes.done;
  const session = once(() => sessionOf(globals, terminal));
  for (const [link, check] of Object.entries(links)) {
    if (exitCode !== exitCodes.done) {
      findings.push({ link, state: 'skipped', message: 'the link before it is broken', hints: [] });
      continue;
    }
    try {
      findings.push({ link, state: 'ok', message: await check(session()), hints: [] });
    } catch (error) {
      const failure = error instanceof CommandError ? error : serviceError(error);
      if (failure === null) throw error;
      findings.push({ link, state: 'broken', message: failure.message, hints: failure.hints });
      exitCode = failure.exitCode;
    }
  }
  return {
    json: { ok: exitCode === exitCodes.done, links: findings },
    text: () => describe(findings, terminal),
    exitCode,
  };
}

function configuration(url: string, origin: { url: string; token: string }, terminal: Terminal): string {
  const file = configurationFile(terminal);
  const mode = statOf(file)?.mode ?? 0o600;
  const open = process.platform !== 'win32' && (mode & 0o077) !== 0 ? `; others can read ${file}: chmod 600 it` : '';
  return `${url} by ${origin.url}, token by ${origin.token}${open}`;
}

async function service({ settings }: Session): Promise<string> {
  const { status, version } = await requestAnswer(apiOf(settings.url, undefined), routes.getHealth);
  return `${status}, version ${version}`;
}

async function token(session: Session): Promise<string> {
  const { items } = await requestAnswer(await session.api(), routes.listWorkspaces);
  const roles = items.map(({ name, role }) => `${name} as ${role}`).join(', ');
  return items.length > 0 ? `is valid; ${roles}` : 'is valid, but of no workspace';
}

async function reading(session: Session): Promise<string> {
  const { items } = await requestAnswer(session, routes.listProviders, { query: { limit: 200 } });
  return items.length > 0 ? `is allowed; ${counted(items.length, 'feed')}` : 'is allowed; nothing was sent yet';
}

function describe(findings: readonly Finding[], terminal: Terminal): string {
  const { green, red, dim } = outputColors(terminal);
  const marks = { ok: green('ok     '), broken: red('broken '), skipped: dim('skipped') };
  return findings
    .flatMap(({ link, state, message, hints }) => [
      `${marks[state]}  ${link.padEnd(13)}  ${printable(message)}`,
      ...hints.map((hint) => dim(`         ${hint}`)),
    ])
    .join('\n');
}
