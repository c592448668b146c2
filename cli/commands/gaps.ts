import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { Gap } from '../../shared/contract/gaps.ts';
import { ProviderPage } from '../../shared/contract/providers.ts';
import { gapStatuses, gapTypes } from '../../shared/contract/vocabulary.ts';
import { type Context, serves } from '../framework.ts';
import { listed, type Outcome, withLeftOut } from '../outcome.ts';
import { describeUnresolved } from '../push/describe-delivery.ts';
import type { Session } from '../session.ts';
import { counted, printable, table } from '../terminal/terminal.ts';

type Options = { readonly status: string; readonly type?: string };

export function registerGaps(program: Command, context: Context): void {
  program
    .command('gaps')
    .description('shows where evidence is missing: silent, waiting, quarantined or unresolved')
    .argument('[provider]', 'only gaps of this feed')
    .addOption(new Option('--status <status>', 'only this status').choices([...gapStatuses, 'all']).default('open'))
    .addOption(new Option('--type <type>', 'only this type').choices(gapTypes))
    .action(serves(context, gaps));
}

const GapOfProvider = v.object({ ...Gap.entries, provider_instance_id: v.string(), provider: v.string() });
const GapItem = v.looseObject({ opened_at: v.string() });

/** The gaps of every feed in one page, each with its feed; and how many gaps of other connectors' feeds are left out. */
export async function gapsOf(session: Session, options: Options, only?: string) {
  const [{ id: workspace_id }, connector] = [await session.workspace(), await session.namedConnector()];
  if (only !== undefined) {
    const items = await gapsOfFeed(session, { id: only, display_name: only }, options);
    return { page: { workspace_id, items, next_cursor: null }, leftOut: 0 };
  }
  const feeds = v.parse(ProviderPage, await session.pages(routes.listProviders)).items;
  const items = [];
  let leftOut = 0;
  for (const feed of feeds) {
    const found = await gapsOfFeed(session, feed, options);
    if (connector === null || feed.connector_id === connector.id) items.push(...found);
    else leftOut += found.length;
  }
  return { page: { workspace_id, items, next_cursor: null }, leftOut };
}

type Feed = { readonly id: string; readonly display_name: string };

async function gapsOfFeed(session: Session, { id, display_name }: Feed, { status, type }: Options) {
  const query = { status: status === 'all' ? undefined : status, gap_type: type };
  const page = await session.pages(routes.listGaps, { params: { provider_instance_id: id }, query });
  return page.items.map((item) => ({
    ...v.parse(GapItem, item),
    provider_instance_id: id,
    provider: display_name,
  }));
}

async function gaps(session: Session, [provider]: readonly string[], options: Options): Promise<Outcome> {
  const { page, leftOut } = await gapsOf(session, options, provider);
  const outcome = listed(page, () => {
    const items = v.parse(v.array(GapOfProvider), page.items);
    if (items.length === 0) return options.status === 'open' ? 'There are no open gaps.' : 'There are no such gaps.';
    const rows = items.map((item) => [item.gap_type, item.status, item.opened_at, item.provider, item.details.reason]);
    return [...table(['GAP', 'STATUS', 'OPENED', 'FEED', 'REASON'], rows), ...items.flatMap(detailsOf)].join('\n');
  });
  return withLeftOut(outcome, leftOut > 0 ? [`${counted(leftOut, 'gap')} of other connectors left out.`] : []);
}

const detailsOf = ({ details, gap_type, provider }: v.InferOutput<typeof GapOfProvider>): string[] => {
  const { namespaces = [], command, unresolved = [] } = details;
  const ofNamespaces = [
    ...namespaces.map(({ namespace, datasets }) => `  ${namespace}  datasets: ${datasets}`),
    ...(command === undefined ? [] : [`  To claim them: ${command}`]),
  ].map(printable);
  const about = [...ofNamespaces, ...unresolved.flatMap(describeUnresolved)];
  return about.length === 0 ? [] : [printable(`${gap_type} of ${provider}:`), ...about];
};
