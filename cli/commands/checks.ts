import type { Command } from 'commander';
import * as v from 'valibot';
import { allPages } from '../../shared/client/pages.ts';
import { AgentCheckResult, AgentCheckResultPage } from '../../shared/contract/agent-checks.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { exitCodes } from '../command-error.ts';
import { type Context, integer, serves } from '../framework.ts';
import { listed, type Outcome } from '../outcome.ts';
import { checkList, checkOf } from '../service/find-checks.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';
import { shortened } from '../terminal/record.ts';
import { table } from '../terminal/table.ts';
import { registerCheckChanges } from './change-checks.ts';

export function registerChecks(program: Command, context: Context): void {
  const checks = program.command('checks').description('what is expected of the lineage, and whether it holds');
  checks.command('list').description('lists the checks').action(serves(context, list));
  registerCheckChanges(checks, context);
  checks
    .command('run')
    .argument('[ids...]', 'checks by id or name; all enabled ones where none is named')
    .description('evaluates checks at once; exits with 1 where one fails or cannot be evaluated')
    .action(serves(context, run));
  checks
    .command('results')
    .argument('<id>', 'a check by id or name')
    .description('lists what a check has found, newest first')
    .option('--limit <n>', 'how many to list', integer({ min: 1, max: 10_000 }), limits.page.default)
    .action(serves<{ limit: number }>(context, results));
}

async function list(session: Session): Promise<Outcome> {
  const json = await checkList(session);
  const { agent_checks, max_enabled } = json;
  const rows = agent_checks.map((one) => [
    one.id,
    one.enabled ? 'on' : 'off',
    one.severity,
    shortened(one.name, 30),
    shortened(one.expectation),
  ]);
  const text = () =>
    agent_checks.length === 0
      ? 'There is no check yet: tributary checks create NAME --expect "no removed column" makes one.'
      : [
          ...table(['CHECK', '', 'SEVERITY', 'NAME', 'EXPECTS'], rows),
          `${agent_checks.filter(({ enabled }) => enabled).length} of at most ${max_enabled} are on.`,
        ].join('\n');
  return { json, items: agent_checks, text };
}

type NamedResult = v.InferOutput<typeof AgentCheckResult> & { readonly name: string };

async function run(session: Session, asked: readonly string[]): Promise<Outcome> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const { agent_checks } = await checkList(session);
  const chosen =
    asked.length > 0 ? asked.map((one) => checkOf(agent_checks, one)) : agent_checks.filter(({ enabled }) => enabled);
  const items: NamedResult[] = [];
  for (const { id, name } of chosen) {
    session.progress.say(`checking ${printable(name)}`);
    const question = { params: { check_id: id }, body: { workspace_id: workspace.id } };
    items.push({ name, ...v.parse(AgentCheckResult, await api.ask(routes.runCheck, question)) });
  }
  // What is no rule checks nothing: a pipeline must not take that for passed.
  const isWanting = items.some(({ state }) => state !== 'passed');
  return {
    json: { workspace_id: workspace.id, items, next_cursor: null },
    items,
    text: () => items.flatMap(describe).join('\n') || 'No check is enabled.',
    exitCode: isWanting ? exitCodes.wanting : exitCodes.done,
  };
}

const describe = ({ name, state, violations, violations_total }: NamedResult) => [
  printable(`${state.padEnd(13)}  ${name}`),
  ...violations.map(({ relation_ref = '', column, message }) => {
    const place = `${relation_ref}${column ? ` · ${column}` : ''}`;
    return printable(`  ${place === '' ? '' : `${place}  `}${message}`);
  }),
  ...(violations_total > violations.length ? [`  ${violations_total - violations.length} more`] : []),
];

async function results(
  session: Session,
  [asked = '']: readonly string[],
  { limit }: { limit: number },
): Promise<Outcome> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const { id: check_id } = checkOf((await checkList(session)).agent_checks, asked);
  const query = { workspace_id: workspace.id, limit: Math.min(limit, limits.page.max) };
  const page = await allPages(api, routes.listCheckResults, { params: { check_id }, query }, limit);
  return listed(page, () => {
    const { items } = v.parse(AgentCheckResultPage, page);
    if (items.length === 0) return 'It was not evaluated yet: tributary checks run evaluates it at once.';
    const rows = items.map((one) => [
      one.evaluated_at,
      one.state,
      one.severity,
      one.violations_total,
      one.delivery_id,
      shortened(one.violations[0]?.message ?? ''),
    ]);
    return table(['EVALUATED', 'STATE', 'SEVERITY', 'VIOLATIONS', 'DELIVERY', 'FIRST'], rows).join('\n');
  });
}
