import { type Command, Option } from 'commander';
import { loopback } from '../../shared/contract/stack-outputs.ts';
import { type TokenScope, tokenScopes } from '../../shared/contract/vocabulary.ts';
import { acts, type Context, integer } from '../framework.ts';
import { openPage } from '../login/open-page.ts';
import { signIn } from '../login/sign-in.ts';
import { tokenByDisplayedCode, tokenBySession } from '../login/token.ts';
import { type NamedIssuer, placeOf, type TokenRequest } from '../login/where.ts';
import type { Outcome } from '../outcome.ts';
import { configurationFile, defaultProfile, readProfile, writeProfile } from '../settings/profiles.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import { printable, type Terminal, write } from '../terminal/terminal.ts';

type Options = NamedIssuer & {
  readonly port: number;
  readonly browser: boolean;
  readonly scope?: readonly TokenScope[];
};

export function registerLogin(program: Command, context: Context): void {
  const command = program
    .command('login')
    .description('signs you in with the browser, and saves a token for this machine in a profile')
    .option('--issuer <url>', 'address of the identity provider (default: from the service)')
    .option('--client <id>', 'client id at the identity provider (default: from the service)')
    .option('--tenant <name>', 'read the settings from the stack of a tenant, with AWS credentials')
    .option('--port <n>', 'local port for the sign-in callback', integer({ min: 0, max: 65_535 }), loopback.port)
    .option('--no-browser', 'enter a code from the explorer in a browser on another device (admins only)')
    .addOption(new Option('--scope <scope...>', 'what the token may do (default: everything)').choices(tokenScopes));
  command.action(acts(context, (_, globals) => login(command.opts<Options>(), globals, context.terminal)));
}

async function login(options: Options, globals: GlobalOptions, terminal: Terminal): Promise<Outcome> {
  const name = globals.profile ?? defaultProfile;
  const before = readProfile(terminal, name);
  const target: TokenRequest = {
    scopes: options.scope ?? tokenScopes,
    requestedWorkspace: globals.workspace ?? (terminal.env['TRIBUTARY_WORKSPACE'] || undefined),
    remembered: before?.workspace,
  };
  const signedIn = await signedInBy(options, globals, target, terminal);
  const { url, user, token, workspace, expires_at, warnings } = signedIn;
  const connector = globals.connector ?? (before?.url === url ? before.connector : undefined);
  writeProfile(terminal, name, { url, token, workspace, connector, expires_at });
  const file = configurationFile(terminal);
  return {
    json: { profile: name, user_id: user, expires_at: expires_at ?? null },
    text: () => printable(`Signed in to ${url} as ${user}; profile ${name} of ${file}.`),
    warnings,
  };
}

async function signedInBy(options: Options, globals: GlobalOptions, requested: TokenRequest, terminal: Terminal) {
  const tell = (address: string) => void write(terminal.messages, `Open ${address}\n`);
  const { url, discoveryUrl, client } = await placeOf(options, globals, terminal);
  if (!options.browser) return { url, ...(await tokenByDisplayedCode(url, requested, terminal, tell)) };
  const session = await signIn({ discoveryUrl, client, port: options.port }, (address) => {
    tell(address);
    openPage(address, terminal);
  });
  return { url, ...(await tokenBySession(url, session, requested)) };
}
