import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { allPages } from '../../shared/client/pages.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { ProviderInstance, ProviderPage } from '../../shared/contract/providers.ts';
import { providerStatuses } from '../../shared/contract/vocabulary.ts';
import { toForget } from '../admin/places.ts';
import { type Context, serves } from '../framework.ts';
import { listed, type Outcome, withLeftOut } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable, table } from '../terminal/table.ts';

const changes = [
  { verb: 'pause', status: 'paused', says: 'rejects deliveries of a feed until it is resumed' },
  { verb: 'resume', status: 'active', says: 'accepts deliveries of a feed again' },
  { verb: 'disable', status: 'disabled', says: 'disables a feed; its evidence stays' },
] as const;

type Options = { readonly status?: string };

export function registerProviders(program: Command, context: Context): void {
  const providers = program
    .command('providers')
    .description('shows the feeds that send evidence, and their status')
    .argument('[id]', 'one feed')
    .addOption(new Option('--status <status>', 'only this status').choices(providerStatuses))
    .action(serves<Options>(context, (session, [id], options) => (id ? one(session, id) : list(session, options))));
  for (const { verb, status, says } of changes)
    providers
      .command(`${verb} <id>`)
      .description(says)
      .action(serves(context, (session, [id = '']) => change(session, id, status)));
}

async function list(session: Session, { status }: Options): Promise<Outcome> {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.namedConnector()];
  const query = { workspace_id: workspace.id, connector_id: connector?.id, status, limit: 200 };
  const page = await allPages(api, routes.listProviders, { query });
  return listed(page, () => {
    const { items } = v.parse(ProviderPage, page);
    if (items.length === 0) return 'Nothing has sent evidence yet. Send some with tributary push.';
    const rows = items.map((item) => [
      item.id,
      item.provider_type,
      item.display_name,
      item.status,
      item.last_success_at,
      item.backlog_count,
      item.open_gap_count,
    ]);
    return table(['PROVIDER', 'TYPE', 'NAME', 'STATUS', 'LAST SUCCESS', 'BACKLOG', 'GAPS'], rows).join('\n');
  });
}

async function one(session: Session, id: string): Promise<Outcome> {
  const query = { workspace_id: (await session.workspace()).id };
  return shown(await (await session.api()).ask(routes.getProvider, { params: { provider_instance_id: id }, query }));
}

async function change(session: Session, id: string, status: string): Promise<Outcome> {
  const body = { workspace_id: (await session.workspace()).id, status };
  const question = { params: { provider_instance_id: id }, body };
  const outcome = shown(await (await session.api()).ask(routes.patchProvider, question));
  return status === 'disabled' ? withLeftOut(outcome, [toForget(body.workspace_id, id)]) : outcome;
}

const shown = (json: unknown): Outcome => ({
  json,
  text: () =>
    Object.entries(v.parse(ProviderInstance, json))
      .map(([name, value]) => printable(`${name}: ${value ?? '-'}`))
      .join('\n'),
});
