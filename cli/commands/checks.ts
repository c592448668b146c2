import type { Command } from 'commander';
import * as v from 'valibot';
import { allPages } from '../../shared/client/pages.ts';
import { AgentCheckListResponse, AgentCheckResult, AgentCheckResultPage } from '../../shared/contract/agent-checks.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { exitCodes, notFound } from '../command-error.ts';
import { type Context, integer, serves } from '../framework.ts';
import { listed, type Outcome } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';
import { table } from '../terminal/table.ts';

export function registerChecks(program: Command, context: Context): void {
  const checks = program.command('checks').description('what is expected of the lineage, and whether it holds');
  checks.command('list').description('lists the checks').action(serves(context, list));
  checks
    .command('run')
    .argument('[ids...]', 'checks by id or name; all enabled ones where none is named')
    .description('evaluates checks at once; exits with 1 where one fails')
    .action(serves(context, run));
  checks
    .command('results')
    .argument('<id>', 'a check by id or name')
    .description('lists what a check has found, newest first')
    .option('--limit <n>', 'how many to list', integer({ min: 1, max: 10_000 }), limits.page.default)
    .action(serves<{ limit: number }>(context, results));
}

async function checksOf(session: Session) {
  const query = { workspace_id: (await session.workspace()).id };
  return (await session.api()).ask(routes.listChecks, { query });
}

async function list(session: Session): Promise<Outcome> {
  const json = await checksOf(session);
  const { agent_checks } = v.parse(AgentCheckListResponse, json);
  const rows = agent_checks.map((one) => [one.id, one.enabled ? 'on' : 'off', one.severity, one.name, one.expectation]);
  const text = () => table(['CHECK', '', 'SEVERITY', 'NAME', 'EXPECTS'], rows).join('\n');
  return { json, items: agent_checks, text };
}

type Check = v.InferOutput<typeof AgentCheckListResponse>['agent_checks'][number];

/** The checks of ids or names, in that order. Throws where one is not there. */
function named(all: readonly Check[], asked: readonly string[]): readonly Check[] {
  return asked.map((one) => {
    const found = all.find(({ id, name }) => one === id || one === name);
    if (found) return found;
    throw notFound(`There is no check ${printable(JSON.stringify(one))}.`, [
      `There are: ${printable(all.map(({ name }) => name).join(', ') || 'none')}`,
    ]);
  });
}

async function run(session: Session, asked: readonly string[]): Promise<Outcome> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const { agent_checks } = v.parse(AgentCheckListResponse, await checksOf(session));
  const chosen = asked.length > 0 ? named(agent_checks, asked) : agent_checks.filter(({ enabled }) => enabled);
  const items: (v.InferOutput<typeof AgentCheckResult> & { name: string })[] = [];
  for (const { id, name } of chosen) {
    session.progress.say(`checking ${printable(name)}`);
    const question = { params: { check_id: id }, body: { workspace_id: workspace.id } };
    items.push({ name, ...v.parse(AgentCheckResult, await api.ask(routes.runCheck, question)) });
  }
  const isWanting = items.some(({ state }) => state === 'failed' || state === 'error');
  return {
    json: { workspace_id: workspace.id, items, next_cursor: null },
    items,
    text: () => items.flatMap(describe).join('\n') || 'No check is enabled.',
    exitCode: isWanting ? exitCodes.wanting : exitCodes.done,
  };
}

const describe = ({
  name,
  state,
  violations,
  violations_total,
}: v.InferOutput<typeof AgentCheckResult> & { name: string }) => [
  printable(`${state.padEnd(13)}  ${name}`),
  ...violations.map(({ relation_ref = '', column, message }) =>
    printable(`  ${relation_ref}${column ? ` · ${column}` : ''}  ${message}`),
  ),
  ...(violations_total > violations.length ? [`  ${violations_total - violations.length} more`] : []),
];

async function results(
  session: Session,
  [asked = '']: readonly string[],
  { limit }: { limit: number },
): Promise<Outcome> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const { agent_checks } = v.parse(AgentCheckListResponse, await checksOf(session));
  const [check] = named(agent_checks, [asked]);
  const query = { workspace_id: workspace.id, limit: Math.min(limit, limits.page.max) };
  const page = await allPages(api, routes.listCheckResults, { params: { check_id: check?.id ?? '' }, query }, limit);
  return listed(page, () => {
    const { items } = v.parse(AgentCheckResultPage, page);
    const rows = items.map((one) => [one.evaluated_at, one.state, one.severity, one.violations_total, one.delivery_id]);
    return table(['EVALUATED', 'STATE', 'SEVERITY', 'VIOLATIONS', 'DELIVERY'], rows).join('\n');
  });
}
