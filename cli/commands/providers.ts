import { type Command, Option } from 'commander';
import type { Question } from '../../shared/client/api.ts';
import { readItems } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { providerNames } from '../../shared/contract/provider-names.ts';
import type { ProviderInstance } from '../../shared/contract/providers.ts';
import { providerStatuses } from '../../shared/contract/vocabulary.ts';
import { toForget } from '../admin/command.ts';
import { type Context, serves } from '../framework.ts';
import { listed, type Outcome, requestOutcome, withLeftOut } from '../outcome.ts';
import type { Session } from '../session.ts';
import { printable, table } from '../terminal/terminal.ts';

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
    .action(
      serves<Options>(context, (session, [provider_instance_id], options) =>
        provider_instance_id
          ? requestOutcome(session, routes.getProvider, { params: { provider_instance_id } }, describe)
          : list(session, options),
      ),
    );
  for (const { verb, status, says } of changes)
    providers
      .command(`${verb} <id>`)
      .description(says)
      .action(serves(context, (session, [id = '']) => change(session, id, status)));
}

async function list(session: Session, { status }: Options): Promise<Outcome> {
  const connector_id = (await session.namedConnector())?.id;
  const { page, feeds } = await feedsOf(session, { connector_id, status });
  return listed(page, () => {
    if (feeds.length === 0) return 'Nothing has sent evidence yet. Send some with tributary push.';
    const rows = feeds.map((item) => ({
      PROVIDER: item.id,
      TYPE: item.provider_type,
      NAME: item.name,
      STATUS: item.status,
      'LAST SUCCESS': item.last_success_at,
      BACKLOG: item.backlog_count,
      GAPS: item.open_gap_count,
    }));
    return table(rows).join('\n');
  });
}

/** The feeds, with names that tell them apart. The connectors are requested only if two feeds share a name. */
export async function feedsOf(session: Session, query: Question['query'] = {}) {
  const page = await session.pages(routes.listProviders, { query });
  const items = readItems(routes.listProviders, page);
  const isClear = new Set(items.map(({ display_name }) => display_name)).size === items.length;
  const connectors = isClear ? [] : await session.connectors();
  const names = providerNames(items, (id) => connectors.find((one) => one.id === id)?.name);
  return { page, feeds: items.map((item) => ({ ...item, name: names.get(item.id) ?? item.display_name })) };
}

async function change(session: Session, id: string, status: string): Promise<Outcome> {
  const question = { params: { provider_instance_id: id }, body: { status } };
  const outcome = await requestOutcome(session, routes.patchProvider, question, describe);
  return status === 'disabled' ? withLeftOut(outcome, [toForget((await session.workspace()).id, id)]) : outcome;
}

const describe = (provider: ProviderInstance): string =>
  Object.entries(provider)
    .map(([name, value]) => printable(`${name}: ${value ?? '-'}`))
    .join('\n');
