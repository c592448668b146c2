import type { Command } from 'commander';
import { readItems, requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { CollectionCounts, CollectionShapes } from '../../shared/contract/collection-projects.ts';
import { readJsonFile } from '../files.ts';
import { type Context, serves } from '../framework.ts';
import type { Outcome } from '../outcome.ts';
import { chosen } from '../service/names.ts';
import type { Session } from '../session.ts';
import { counted, printable, table } from '../terminal/terminal.ts';

export function registerPlan(program: Command, context: Context): void {
  const plan = program.command('plan').description('which events a collection project should have, by name');
  plan
    .command('get [project]')
    .description(
      'shows the tracking plan of a project, the rules that events broke in the last 14 days, and who sent them',
    )
    .action(serves(context, get));
  plan
    .command('put <project> <file>')
    .description('sets the plan, effective within a minute: JSON { mode, additional_events, events }')
    .action(
      serves(context, (session, [project, file = '']) => set(session, project, readJsonFile(session.terminal, file))),
    );
  plan
    .command('remove <project>')
    .description('removes the plan; events are no longer checked')
    .action(serves(context, (session, [project]) => set(session, project, null)));
}

async function paramsOf(session: Session, project: string | undefined) {
  const items = readItems(routes.listCollectionProjects, await session.pages(routes.listCollectionProjects));
  return { collection_project_id: chosen(items, project, 'project').id };
}

async function set(session: Session, project: string | undefined, tracking_plan: unknown): Promise<Outcome> {
  const params = await paramsOf(session, project);
  await session.ask(routes.updateCollectionProject, { params, body: { tracking_plan } });
  return shown(session, params);
}

const get = async (session: Session, [project]: readonly (string | undefined)[]): Promise<Outcome> =>
  shown(session, await paramsOf(session, project));

async function shown(session: Session, params: Awaited<ReturnType<typeof paramsOf>>): Promise<Outcome> {
  const [{ tracking_plan }, { items, senders, other_senders }] = await Promise.all([
    requestAnswer(session, routes.describeCollectedEvents, { params }),
    requestAnswer(session, routes.countCollectedEvents, { params }),
  ]);
  const violations: Record<string, number> = {};
  for (const day of items)
    for (const [rule, count] of Object.entries(day.violations)) violations[rule] = (violations[rule] ?? 0) + count;
  return {
    json: { ...params, tracking_plan, violations, senders, other_senders },
    text: () =>
      [printable(described(tracking_plan)), ...violated(violations), ...sent(senders, other_senders)].join('\n'),
  };
}

function described(plan: CollectionShapes['tracking_plan']): string {
  if (plan === null) return 'The project has no tracking plan.';
  const events = Object.keys(plan.events);
  const others = plan.additional_events ? 'allowed' : 'a violation';
  return `mode ${plan.mode}; other events are ${others}; ${counted(events.length, 'event')}: ${events.join(', ')}`;
}

function violated(violations: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(violations).sort(([, a], [, b]) => b - a);
  if (rows.length === 0) return [];
  return ['', ...table(rows.map(([rule, count]) => ({ 'BROKEN RULE': rule, EVENTS: count })))];
}

function sent(senders: CollectionCounts['senders'], others: CollectionCounts['other_senders']): readonly string[] {
  if (senders.length === 0) return [];
  const rows = senders.map(({ rule, library, version, origin, events, last_at }) => ({
    SENDER: [library ?? 'unknown', version].filter(Boolean).join(' '),
    ORIGIN: origin,
    EVENTS: events,
    LAST: last_at,
    RULE: rule,
  }));
  const left = others ? [{ SENDER: 'other senders', EVENTS: others.events, LAST: others.last_at }] : [];
  return ['', ...table([...rows, ...left])];
}
