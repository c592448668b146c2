import type { Command } from 'commander';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { apiOf } from '../../shared/client/api.ts';
import { allPages } from '../../shared/client/pages.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { loopback } from '../../shared/contract/stack-outputs.ts';
import { WorkspacePage } from '../../shared/contract/workspaces.ts';
import { agentToken } from '../agent-token.ts';
import { UsageError } from '../command-error.ts';
import { acts, type Context, integer } from '../framework.ts';
import { signIn } from '../login.ts';
import type { Outcome } from '../outcome.ts';
import { chosen } from '../service/names.ts';
import { configurationFile, defaultProfile, readProfile, writeProfile } from '../settings/profiles.ts';
import { type GlobalOptions, settingsOf } from '../settings/settings.ts';
import { printable } from '../terminal/printable.ts';
import { type Terminal, write } from '../terminal/terminal.ts';

type Options = { readonly issuer?: string; readonly client?: string; readonly tenant?: string; readonly port: number };

export function registerLogin(program: Command, context: Context): void {
  const command = program
    .command('login')
    .description('signs you in by the browser and keeps the token in a profile')
    .option('--issuer <url>', 'where people sign in')
    .option('--client <id>', 'as which client of the issuer; it redirects to loopback')
    .option('--tenant <name>', 'the stack of a tenant, with AWS credentials: it says the rest')
    .option('--port <n>', 'where the browser comes back', integer({ min: 0, max: 65_535 }), loopback.port);
  command.action(acts(context, (_, globals) => login(command.opts<Options>(), globals, context.terminal)));
}

type Where = { readonly url: string; readonly issuer: string; readonly client: string };

async function login(options: Options, globals: GlobalOptions, terminal: Terminal): Promise<Outcome> {
  const { url, issuer, client } = await whereToSignIn(options, globals, terminal);
  const token = await signIn({ issuer, client, port: options.port }, (line) => {
    void write(terminal.messages, `${line}\n`);
  });
  const { sub = '', exp } = decodeJwt(token);
  const profile = globals.profile ?? defaultProfile;
  const { workspace: asked, connector } = { ...readProfile(terminal, profile), ...globals };
  const session = apiOf(url, token);
  const { items } = v.parse(WorkspacePage, await allPages(session, routes.listWorkspaces, {}));
  // A token is of one workspace: where several may be meant, the session stays, and each command names one.
  const workspace = asked === undefined && items.length !== 1 ? undefined : chosen(items, asked, 'workspace').id;
  const made = workspace === undefined ? null : await agentToken(session, workspace);
  const expires_at = made?.expires_at ?? (exp === undefined ? undefined : new Date(exp * 1_000).toISOString());
  writeProfile(terminal, profile, {
    url,
    token: made?.token ?? token,
    ...(workspace !== undefined && { workspace }),
    ...(connector !== undefined && { connector }),
    ...(expires_at !== undefined && { expires_at }),
  });
  return {
    json: { profile, user_id: sub, expires_at: expires_at ?? null },
    text: () => printable(`Signed in to ${url} as ${sub}; profile ${profile} of ${configurationFile(terminal)}.`),
  };
}

async function whereToSignIn(
  { issuer, client, tenant }: Options,
  globals: GlobalOptions,
  terminal: Terminal,
): Promise<Where> {
  if (tenant !== undefined) {
    const { signInOf } = await import('../connect.ts');
    const found = await signInOf(tenant);
    return { ...found, url: globals.url ?? found.url };
  }
  if (issuer === undefined || client === undefined)
    throw new UsageError('Where do you sign in?', [
      'tributary login --tenant NAME                      of a stack, with AWS credentials',
      'tributary login --url URL --issuer URL --client ID  of any OIDC issuer that redirects this client to loopback',
    ]);
  return { issuer, client, url: settingsOf(globals, terminal).url };
}
