import { type Command, Option } from 'commander';
import { readAnswer } from '../../shared/client/api.ts';
import { accessRequestStates } from '../../shared/contract/access-requests.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { roles, tokenScopes } from '../../shared/contract/vocabulary.ts';
import { type Context, serves } from '../framework.ts';
import { exitCodes, type Outcome, requestOutcome, tableOf } from '../outcome.ts';
import type { Session } from '../session.ts';
import { outputColors, printable, record, shortened } from '../terminal/terminal.ts';

const asRole = () => new Option('--role <role>', 'the role').choices(roles);

export function registerAccess(program: Command, context: Context): void {
  const access = program.command('access').description('diagnoses and requests access');
  access
    .command('diagnose')
    .description('shows why a user may not perform an action on the connector; exits with 1 if so')
    .addOption(new Option('--action <action>', 'action to diagnose').choices(tokenScopes).default('read'))
    .option('--user <id>', "another user's access (admins only)")
    .action(serves(context, diagnose));
  access
    .command('request')
    .description('requests a role')
    .addOption(asRole().makeOptionMandatory())
    .requiredOption('--reason <text>', 'what it is needed for')
    .action(serves(context, request));
  access
    .command('requests')
    .description("lists your requests, or everybody's for admins")
    .addOption(new Option('--state <state>', 'only this state').choices(accessRequestStates))
    .action(serves(context, requests));
  access
    .command('approve <id>')
    .description('approves a request with the requested role or a lower one')
    .addOption(asRole())
    .action(
      serves<{ role?: string }>(context, (session, [access_request_id = ''], { role }) =>
        requestOutcome(session, routes.approveAccessRequest, { params: { access_request_id }, body: { role } }, record),
      ),
    );
  access
    .command('deny <id>')
    .description('denies a request')
    .option('--reason <text>', 'why')
    .action(
      serves<{ reason?: string }>(context, (session, [access_request_id = ''], { reason }) =>
        requestOutcome(session, routes.denyAccessRequest, { params: { access_request_id }, body: { reason } }, record),
      ),
    );
}

async function diagnose(session: Session, _: readonly string[], options: { action: string; user?: string }) {
  const { action, user: user_id } = options;
  const body = { connector_id: (await session.connector()).id, action, user_id };
  const json = await session.ask(routes.diagnoseAccess, { body });
  const { chain, root_cause, evidence } = readAnswer(routes.diagnoseAccess, json);
  const width = Math.max(...chain.map(({ title }) => title.length));
  const { green, red, dim } = outputColors(session.terminal);
  const colored = { ok: green, broken: red, unknown: dim, skipped: dim };
  const text = () =>
    [
      ...chain.map(
        ({ status, title, detail }) =>
          `${colored[status](status.padEnd(8))} ${printable(`${title.padEnd(width)}  ${detail}`)}`,
      ),
      ...(root_cause ? [red(printable(`${root_cause.code}: ${root_cause.message}`))] : []),
      ...(root_cause?.step === 'role' && options.user === undefined
        ? [dim(printable(`  tributary access request --role ${evidence['role']} --reason TEXT`))]
        : []),
    ].join('\n');
  return { json, text, exitCode: root_cause ? exitCodes.wanting : exitCodes.done };
}

async function request(session: Session, _: readonly string[], { role, reason }: { role: string; reason: string }) {
  const body = { connector_id: (await session.connector()).id, role, reason };
  return requestOutcome(session, routes.createAccessRequest, { body }, record);
}

async function requests(session: Session, _: readonly string[], { state }: { state?: string }): Promise<Outcome> {
  const page = await session.pages(routes.listAccessRequests, { query: { state } });
  const none = 'There are no matching requests. Request access: tributary access request --role ROLE --reason TEXT';
  return tableOf(routes.listAccessRequests, page, none, (one) => ({
    REQUEST: one.id,
    STATE: one.state,
    USER: one.user_id,
    ROLE: one.role,
    ASKED: one.created_at,
    REASON: shortened(one.reason),
  }));
}
