import { type Command, Option } from 'commander';
import type * as v from 'valibot';
import { readAnswer, requestAnswer } from '../../shared/client/api.ts';
import type { AgentCheckResponse, AgentCheckResult } from '../../shared/contract/agent-checks.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limitLines } from '../../shared/contract/claim-words.ts';
import { severities } from '../../shared/contract/vocabulary.ts';
import { expectationMessage, parseExpectation } from '../../shared/domain/agents/checks/expectation.ts';
import { sortedBy } from '../../shared/domain/base/collections.ts';
import { appendValue, type Context, limitOption, serves } from '../framework.ts';
import { exitCodes, notFound, type Outcome, tableOf } from '../outcome.ts';
import { nearestNames } from '../service/names.ts';
import type { Session } from '../session.ts';
import { printable, record, shortened, table } from '../terminal/terminal.ts';

export function registerChecks(program: Command, context: Context): void {
  const checks = program.command('checks').description('expectations about the lineage, and their results');
  checks.command('list').description('lists the checks').action(serves(context, list));
  registerCheckChanges(checks, context);
  checks
    .command('run')
    .argument('[ids...]', 'checks by id or name (default: all enabled checks)')
    .description('evaluates checks now; exits with 1 if one fails or cannot be evaluated')
    .action(serves(context, run));
  checks
    .command('results')
    .argument('<id>', 'a check by id or name')
    .description('lists the results of a check, newest first')
    .addOption(limitOption)
    .action(serves(context, results));
}

async function list(session: Session): Promise<Outcome> {
  const json = await checkList(session);
  const { agent_checks, max_enabled } = json;
  const rows = byName(agent_checks).map((one) => ({
    CHECK: one.id,
    STATE: one.enabled ? 'on' : 'off',
    SEVERITY: one.severity,
    NAME: shortened(one.name, 30),
    EXPECTS: shortened(one.expectation),
  }));
  const text = () =>
    agent_checks.length === 0
      ? 'There are no checks yet. Create one: tributary checks create NAME --expect "no removed column"'
      : [
          ...table(rows),
          `${agent_checks.filter(({ enabled }) => enabled).length} of at most ${max_enabled} are on.`,
        ].join('\n');
  return { json, items: agent_checks, text };
}

/** The service lists them in no particular order. */
const byName = <T extends { readonly name: string }>(checks: readonly T[]): readonly T[] =>
  sortedBy(checks, ({ name }) => name);

type NamedResult = v.InferOutput<typeof AgentCheckResult> & { readonly name: string };

async function run(session: Session, names: readonly string[]): Promise<Outcome> {
  const { agent_checks } = await checkList(session);
  const chosen =
    names.length > 0
      ? names.map((one) => checkOf(agent_checks, one))
      : byName(agent_checks).filter(({ enabled }) => enabled);
  const items: NamedResult[] = [];
  for (const { id, name } of chosen) {
    session.progress.say(`checking ${printable(name)}`);
    items.push({ name, ...(await requestAnswer(session, routes.runCheck, { params: { check_id: id } })) });
  }
  // What is no rule checks nothing: a pipeline must not take that for passed.
  const isWanting = items.some(({ state }) => state !== 'passed');
  return {
    json: { workspace_id: (await session.workspace()).id, items, next_cursor: null },
    items,
    text: () => items.flatMap(describe).join('\n') || 'No check is enabled.',
    exitCode: isWanting ? exitCodes.wanting : exitCodes.done,
  };
}

const describe = ({ name, state, violations, violations_total, claim }: NamedResult) => [
  printable(`${state.padEnd(13)}  ${name}`),
  ...violations.map(({ relation_ref = '', column, message }) => {
    const place = `${relation_ref}${column ? ` · ${column}` : ''}`;
    return printable(`  ${place === '' ? '' : `${place}  `}${message}`);
  }),
  ...(violations_total > violations.length ? [`  ${violations_total - violations.length} more`] : []),
  ...(state === 'passed' && claim ? limitLines(claim).map((line) => printable(`  ${line}`)) : []),
];

async function results(session: Session, [names = '']: readonly string[], { limit }: { limit: number }) {
  const { id: check_id } = await checkNamed(session, names);
  const page = await session.pages(routes.listCheckResults, { params: { check_id } }, limit);
  const none = 'The check has not been evaluated yet. Evaluate it now: tributary checks run';
  return tableOf(routes.listCheckResults, page, none, (one) => ({
    EVALUATED: one.evaluated_at,
    STATE: one.state,
    SEVERITY: one.severity,
    VIOLATIONS: one.violations_total,
    DELIVERY: one.delivery_id,
    FIRST: shortened(one.violations[0]?.message ?? ''),
  }));
}

type Options = {
  readonly name?: string;
  readonly expect?: string;
  readonly severity?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly enable?: true;
  readonly disable?: true;
};
type Scope = { readonly include: readonly string[]; readonly exclude: readonly string[] };

function registerCheckChanges(checks: Command, context: Context): void {
  const withFields = (command: Command) =>
    command
      .addOption(new Option('--severity <severity>', 'severity of a failure').choices(severities))
      .option('--include <pattern>', 'relations that it looks at, such as core.*; repeatable', appendValue)
      .option('--exclude <pattern>', 'relations to exclude; repeatable', appendValue)
      .addOption(new Option('--enable', 'evaluates the check after each delivery').conflicts('disable'))
      .option('--disable', 'evaluates the check only on demand');
  withFields(checks.command('create').argument('<name>', 'name of the check'))
    .description('creates a check with the current graph as its baseline')
    .requiredOption('--expect <text>', 'such as "no removed column and at most 20 downstream"')
    .action(serves(context, create));
  withFields(checks.command('update').argument('<id>', 'a check by id or name'))
    .description('updates a check')
    .option('--name <name>', 'new name')
    .option('--expect <text>', 'new expectation')
    .action(serves(context, update));
  checks
    .command('accept')
    .argument('<id>', 'a check by id or name')
    .description('makes the current graph the baseline of the check')
    .action(serves(context, accept));
  checks
    .command('delete')
    .argument('<id>', 'a check by id or name')
    .description('deletes a check')
    .action(serves(context, remove));
}

const fieldsOf = ({ name, expect, severity, enable, disable }: Options) => ({
  name,
  expectation: expect,
  severity,
  enabled: enable ?? (disable && false),
});

const scopeOf = ({ include, exclude }: Options, { include: included, exclude: excluded }: Scope) =>
  include || exclude ? { include: include ?? included, exclude: exclude ?? excluded } : undefined;

async function create(session: Session, [name = '']: readonly string[], options: Options): Promise<Outcome> {
  const scope = scopeOf(options, { include: [], exclude: [] });
  return shown(await session.ask(routes.createCheck, { body: { ...fieldsOf(options), name, scope } }));
}

async function update(session: Session, [names = '']: readonly string[], options: Options): Promise<Outcome> {
  const { id: check_id, scope } = await checkNamed(session, names);
  // A side of the scope that is not given stays.
  const body = { ...fieldsOf(options), scope: scopeOf(options, scope) };
  return shown(await session.ask(routes.patchCheck, { params: { check_id }, body }));
}

const checkNamed = async (session: Session, names: string) => checkOf((await checkList(session)).agent_checks, names);

async function accept(session: Session, [names = '']: readonly string[]): Promise<Outcome> {
  const { id: check_id } = await checkNamed(session, names);
  return shown(await session.ask(routes.acceptCheck, { params: { check_id } }));
}

async function remove(session: Session, [names = '']: readonly string[]): Promise<Outcome> {
  const { id, name } = await checkNamed(session, names);
  await session.ask(routes.deleteCheck, { params: { check_id: id } });
  return { json: { id, deleted: true }, text: () => printable(`Deleted the check ${name}.`) };
}

/** The check. Warns immediately if its expectation is not a valid rule, because nobody may read its results. */
function shown(json: unknown): Outcome {
  const check = readAnswer(routes.patchCheck, json);
  const parsed = parseExpectation(check.expectation);
  const warnings = parsed.ok
    ? []
    : [`This expectation is not a valid rule and is never evaluated. ${expectationMessage(parsed.error)}`];
  return { json, text: () => record(check), warnings };
}

const checkList = (session: Session) => requestAnswer(session, routes.listChecks);

/** The check of an id or a name. Throws CommandError: not found, or more than one of the name. */
function checkOf(all: readonly AgentCheckResponse[], reference: string): AgentCheckResponse {
  const [first, ...others] = all.filter(({ id, name }) => reference === id || reference === name);
  const quoted = printable(JSON.stringify(reference));
  const names = all.map(({ name }) => name);
  if (first === undefined)
    throw notFound(`There is no check ${quoted}.`, [
      nearestNames(reference, names, 'There are no checks yet. Create one: tributary checks create NAME --expect TEXT'),
    ]);
  if (others.length > 0)
    throw notFound(`${others.length + 1} checks are called ${quoted}.`, [
      `Use an id: ${printable([first, ...others].map(({ id }) => id).join(', '))}`,
    ]);
  return first;
}
