import type { Command } from 'commander';
import { type Answer as AnswerOf, readAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { type Context, serves } from '../framework.ts';
import type { Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { counted, outputColors, printable, table } from '../terminal/terminal.ts';

type Answer = AnswerOf<typeof routes.getAgentContext>;

export function registerContext(program: Command, context: Context): void {
  program
    .command('context')
    .description('shows who you are, your workspaces and connectors, and their most connected tables')
    .action(serves(context, show));
}

async function show(session: Session): Promise<Outcome> {
  const json = await (await session.api()).ask(routes.getAgentContext);
  const answer = readAnswer(routes.getAgentContext, json);
  return { json, items: answer.workspaces, text: () => described(answer, session).join('\n') };
}

function described({ user_id, user_email, workspaces }: Answer, session: Session): string[] {
  const { bold } = outputColors(session.terminal);
  const who = printable(`You are ${user_id}${user_email === null ? '' : ` (${user_email})`}.`);
  if (workspaces.length === 0)
    return [who, 'You are not a member of any workspace. An admin of a workspace can add you.'];
  return [
    who,
    ...workspaces.flatMap(({ id, name, role, connectors }) => [
      '',
      `${bold(printable(name))}  ${printable(id)}, as ${role}`,
      ...(connectors.length === 0 ? ['  no connector yet'] : connectorLines(connectors)),
    ]),
  ];
}

function connectorLines(connectors: Answer['workspaces'][number]['connectors']): string[] {
  const rows = connectors.map((one) => ({
    CONNECTOR: one.name,
    KIND: one.kind,
    STATUS: one.status,
    KNOWN: counted(one.table_count, 'table'),
    'LAST SYNC': one.last_sync_at ?? 'never',
    'MOST CONNECTED': one.sample_tables.slice(0, 3).join(', '),
  }));
  const errors = connectors.flatMap(({ name, last_error }) => (last_error ? [`${name}: ${last_error}`] : []));
  return [...table(rows), ...errors.map(printable)].map((line) => `  ${line}`);
}
