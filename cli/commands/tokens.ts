import { type Command, Option } from 'commander';
import type { CreatedToken } from '../../shared/contract/access.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { clientKinds, tokenScopes } from '../../shared/contract/vocabulary.ts';
import { type Context, integer, serves, someOf } from '../framework.ts';
import { type Outcome, requestOutcome, tableOf } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/terminal.ts';

type Options = { readonly scope: readonly string[]; readonly expiresInDays: number; readonly clientKind: string };

export function registerTokens(program: Command, context: Context): void {
  const tokens = program.command('tokens').description('personal access tokens, for machines');
  tokens
    .command('create')
    .description('creates a token and shows it once; requires a session, not another token')
    .argument('<name>', 'name that describes its purpose')
    .addOption(
      new Option('--scope <scope>', `one of ${tokenScopes.join(', ')}; repeatable`)
        .argParser(someOf(tokenScopes))
        .makeOptionMandatory(),
    )
    .option('--expires-in-days <n>', 'lifetime in days', integer(limits.token.expiryDays), 90)
    .addOption(new Option('--client-kind <kind>', 'type of client').choices(clientKinds).default('other'))
    .action(serves(context, create));
  tokens.command('list').description('lists tokens without their secrets').action(serves(context, list));
  tokens
    .command('revoke')
    .argument('<id>', 'id of the token')
    .description('revokes a token immediately')
    .action(serves(context, revoke));
}

async function create(session: Session, [name = '']: readonly string[], options: Options): Promise<Outcome> {
  const body = {
    name,
    scopes: options.scope,
    expires_in_days: options.expiresInDays,
    client_kind: options.clientKind,
  };
  return requestOutcome(session, routes.createToken, { body }, built);
}

const built = ({ token, id, expires_at }: CreatedToken): string =>
  [printable(token), '', `Its id is ${printable(id)}. It expires ${expires_at} and is not shown again.`].join('\n');

async function list(session: Session): Promise<Outcome> {
  const none = 'There are no tokens. Create one: tributary tokens create NAME --scope read';
  return tableOf(routes.listTokens, await session.pages(routes.listTokens), none, (item) => ({
    TOKEN: item.id,
    NAME: item.name,
    SCOPES: item.scopes.join(','),
    FOR: item.client_kind,
    ENDS: item.expires_at,
    '': item.revoked_at ? 'revoked' : '',
  }));
}

async function revoke(session: Session, [token_id = '']: readonly string[]): Promise<Outcome> {
  await session.ask(routes.revokeToken, { params: { token_id } });
  return { json: { id: token_id, revoked: true }, text: () => `${printable(token_id)} is revoked.` };
}
