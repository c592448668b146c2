import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { allPages } from '../../shared/client/pages.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { Gap } from '../../shared/contract/gaps.ts';
import { ProviderPage } from '../../shared/contract/providers.ts';
import { gapStatuses, gapTypes } from '../../shared/contract/vocabulary.ts';
import { type Context, serves } from '../framework.ts';
import { listed, type Outcome } from '../outcome.ts';
import { describeUnresolved } from '../push/describe-delivery.ts';
import type { Session } from '../session.ts';
import { printable } from '../terminal/printable.ts';
import { table } from '../terminal/table.ts';

type Options = { readonly status: string; readonly type?: string };

export function registerGaps(program: Command, context: Context): void {
  program
    .command('gaps')
    .description('where feeds fall short: what is silent, waiting, quarantined or unresolved')
    .argument('[provider]', 'the gaps of one feed')
    .addOption(new Option('--status <status>', 'those of a status').choices([...gapStatuses, 'all']).default('open'))
    .addOption(new Option('--type <type>', 'those of a type').choices(gapTypes))
    .action(serves(context, gaps));
}

const GapOfProvider = v.object({ ...Gap.entries, provider_instance_id: v.string(), provider: v.string() });
const GapItem = v.looseObject({ opened_at: v.string() });

/** The gaps of every feed in one page, each with its feed. */
export async function gapsOf(session: Session, { status, type }: Options, only?: string) {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.namedConnector()];
  const workspace_id = workspace.id;
  const feeds =
    only === undefined
      ? await allPages(api, routes.listProviders, { query: { workspace_id, connector_id: connector?.id, limit: 200 } })
      : null;
  const providers = feeds
    ? v.parse(ProviderPage, feeds).items.map(({ id, display_name }) => ({ id, display_name }))
    : [{ id: only ?? '', display_name: only ?? '' }];
  const items = [];
  for (const { id, display_name } of providers) {
    const query = { workspace_id, status: status === 'all' ? undefined : status, gap_type: type, limit: 200 };
    const page = await allPages(api, routes.listGaps, { params: { provider_instance_id: id }, query });
    for (const item of page.items)
      items.push({ ...v.parse(GapItem, item), provider_instance_id: id, provider: display_name });
  }
  return { workspace_id, items, next_cursor: null };
}

async function gaps(session: Session, [provider]: readonly string[], options: Options): Promise<Outcome> {
  const page = await gapsOf(session, options, provider);
  return listed(page, () => {
    const items = v.parse(v.array(GapOfProvider), page.items);
    if (items.length === 0) return options.status === 'open' ? 'No gap is open.' : 'There are no such gaps.';
    const rows = items.map((item) => [item.gap_type, item.status, item.opened_at, item.provider, item.details.reason]);
    return [...table(['GAP', 'STATUS', 'OPENED', 'FEED', 'REASON'], rows), ...items.flatMap(detailsOf)].join('\n');
  });
}

/** The assets and namespaces that a gap is about, and what to do about them. */
const detailsOf = ({ details, gap_type, provider }: v.InferOutput<typeof GapOfProvider>): string[] => {
  const { namespaces = [], command, unresolved = [] } = details;
  const ofNamespaces = [
    ...namespaces.map(({ namespace, datasets }) => `  ${namespace}  datasets: ${datasets}`),
    ...(command === undefined ? [] : [`  To claim them: ${command}`]),
  ].map(printable);
  const about = [...ofNamespaces, ...unresolved.flatMap(describeUnresolved)];
  return about.length === 0 ? [] : [printable(`${gap_type} of ${provider}:`), ...about];
};
