import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { AgentCheckResponse } from '../../shared/contract/agent-checks.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { severities } from '../../shared/contract/vocabulary.ts';
import { expectationMessage, parseExpectation } from '../../shared/domain/checks/expectation.ts';
import { appendValue, type Context, serves } from '../framework.ts';
import type { Outcome } from '../outcome.ts';
import { checkList, checkOf } from '../service/find-checks.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';
import { record } from '../terminal/record.ts';

type Options = {
  readonly name?: string;
  readonly expect?: string;
  readonly severity?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly enable?: true;
  readonly disable?: true;
};

export function registerCheckChanges(checks: Command, context: Context): void {
  const withFields = (command: Command) =>
    command
      .addOption(new Option('--severity <severity>', 'how much a failure matters').choices(severities))
      .option(
        '--include <pattern>',
        'relations that it looks at, such as core.*; may be given several times',
        appendValue,
      )
      .option('--exclude <pattern>', 'relations that it does not look at; may be given several times', appendValue)
      .addOption(new Option('--enable', 'evaluates it after each delivery').conflicts('disable'))
      .option('--disable', 'evaluates it on demand alone');
  withFields(checks.command('create').argument('<name>', 'what it is called'))
    .description('makes a check, which compares with the graph as it is now')
    .requiredOption('--expect <text>', 'such as "no removed column and at most 20 downstream"')
    .action(serves<Options>(context, create));
  withFields(checks.command('update').argument('<id>', 'a check by id or name'))
    .description('changes a check')
    .option('--name <name>', 'what it is called from now on')
    .option('--expect <text>', 'what it expects from now on')
    .action(serves<Options>(context, update));
  checks
    .command('accept')
    .argument('<id>', 'a check by id or name')
    .description('takes the graph as it is now for what the check compares with')
    .action(serves(context, accept));
  checks
    .command('delete')
    .argument('<id>', 'a check by id or name')
    .description('removes a check and ends its evaluation')
    .action(serves(context, remove));
}

const fieldsOf = ({ name, expect, severity, include, exclude, enable, disable }: Options) => ({
  ...(name !== undefined && { name }),
  ...(expect !== undefined && { expectation: expect }),
  ...(severity !== undefined && { severity }),
  ...(enable && { enabled: true }),
  ...(disable && { enabled: false }),
  ...((include ?? exclude) && { scope: { include: include ?? [], exclude: exclude ?? [] } }),
});

async function create(session: Session, [name = '']: readonly string[], options: Options): Promise<Outcome> {
  const body = { workspace_id: (await session.workspace()).id, ...fieldsOf(options), name };
  return shown(await (await session.api()).ask(routes.createCheck, { body }));
}

async function update(session: Session, [asked = '']: readonly string[], options: Options): Promise<Outcome> {
  const { id: check_id, scope } = await checkNamed(session, asked);
  const fields = fieldsOf(options);
  // A side of the scope that is not given stays.
  const changes = 'scope' in fields ? { ...fields, scope: { ...scope, ...given(options) } } : fields;
  const body = { workspace_id: (await session.workspace()).id, ...changes };
  return shown(await (await session.api()).ask(routes.patchCheck, { params: { check_id }, body }));
}

const checkNamed = async (session: Session, asked: string) => checkOf((await checkList(session)).agent_checks, asked);

const given = ({ include, exclude }: Options) => ({ ...(include && { include }), ...(exclude && { exclude }) });

async function accept(session: Session, [asked = '']: readonly string[]): Promise<Outcome> {
  const { id: check_id } = await checkNamed(session, asked);
  const body = { workspace_id: (await session.workspace()).id };
  return shown(await (await session.api()).ask(routes.acceptCheck, { params: { check_id }, body }));
}

async function remove(session: Session, [asked = '']: readonly string[]): Promise<Outcome> {
  const { id, name } = await checkNamed(session, asked);
  const query = { workspace_id: (await session.workspace()).id };
  await (await session.api()).ask(routes.deleteCheck, { params: { check_id: id }, query });
  return { json: { id, deleted: true }, text: () => printable(`The check ${name} is deleted.`) };
}

/** The check; where its expectation is no rule, that is said at once, not by a result that nobody looks at. */
function shown(json: unknown): Outcome {
  const check = v.parse(AgentCheckResponse, json);
  const parsed = parseExpectation(check.expectation);
  const warnings = parsed.ok
    ? []
    : [`This expectation is no rule, and is never evaluated. ${expectationMessage(parsed.error)}`];
  return { json, text: () => record(check), warnings };
}
