import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { readAnswer, readItems } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { UnresolvedAssets } from '../../shared/contract/deliveries.ts';
import { Gap } from '../../shared/contract/gaps.ts';
import type { Health } from '../../shared/contract/system.ts';
import { gapStatuses, gapTypes } from '../../shared/contract/vocabulary.ts';
import { type Context, serves } from '../framework.ts';
import { listed, type Outcome, withLeftOut } from '../outcome.ts';
import { describeUnresolved, namesOf } from '../push/describe-delivery.ts';
import type { Place, Session } from '../session.ts';
import { counted, outputColors, printable, table } from '../terminal/terminal.ts';
import { feedsOf } from './providers.ts';

export function registerStatus(program: Command, context: Context): void {
  program.command('status').description('shows what is healthy, what is not, and why').action(serves(context, status));
}

type Concern = { readonly what: string; readonly why: string; readonly advice: string };

const mostListed = 20;
/** Enough to see what a gap is about; `tributary gaps` names the others. */
const mostNamed = 3;

async function status(session: Session): Promise<Outcome> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const service = await api.ask(routes.getHealth);
  const connector = await session.namedConnector();
  const isOwn = ({ connector_id }: { readonly connector_id: string | null }) =>
    connector === null || connector_id === connector.id;
  const { feeds } = await feedsOf(session);
  const found = [];
  for (const state of ['failed', 'held'] as const) {
    const page = await session.pages(routes.listDeliveries, { query: { state } }, mostListed);
    found.push(...readItems(routes.listDeliveries, page).map((one) => ({ ...one, state })));
  }
  const { page, leftOut } = await gapsOf(session, { status: 'open' });
  const [providers, deliveries, gaps] = [feeds.filter(isOwn), found.filter(isOwn), page.items];
  const concerns: Concern[] = [
    ...providers.flatMap(providerConcern),
    ...deliveries.map(({ delivery_id, state }) => deliveryConcern(delivery_id, state)),
    ...gaps.map(gapConcern),
  ];
  const outcome = {
    json: { url: api.url, service, workspace, healthy: concerns.length === 0, concerns, providers, deliveries, gaps },
    text: () =>
      describe(session, readAnswer(routes.getHealth, service), { feeds: providers.length, concerns, connector }),
  };
  const others = [
    [feeds.length - providers.length, 'feed', 'feeds'],
    [found.length - deliveries.length, 'failed or held delivery', 'failed or held deliveries'],
    [leftOut, 'open gap', 'open gaps'],
  ] as const;
  const shown = others.flatMap(([count, noun, plural]) => (count > 0 ? counted(count, noun, plural) : []));
  return shown.length === 0
    ? outcome
    : withLeftOut(outcome, [`Left out, of other connectors or none: ${shown.join(', ')}.`]);
}

function providerConcern(provider: Awaited<ReturnType<typeof feedsOf>>['feeds'][number]): Concern[] {
  const { id, name, status: is, last_error_at, last_success_at } = provider;
  if (is === 'active') return [];
  const since = is === 'error' ? `last error ${last_error_at}` : `last success ${last_success_at ?? 'never'}`;
  const advice = is === 'error' ? 'tributary deliveries --state failed' : `tributary providers resume ${id}`;
  return [{ what: `feed ${name} ${is === 'error' ? 'fails' : `is ${is}`}`, why: since, advice }];
}

const deliveryConcern = (id: string, state: 'failed' | 'held'): Concern =>
  state === 'failed'
    ? { what: `delivery ${id} failed`, why: 'its attempts are used up', advice: `tributary deliveries retry ${id}` }
    : { what: `delivery ${id} is held`, why: 'it would retract much', advice: `tributary deliveries release ${id}` };

const GapOfFeed = v.looseObject({
  gap_type: v.string(),
  provider: v.string(),
  provider_instance_id: v.string(),
  details: v.looseObject({
    reason: v.nullish(v.string()),
    unresolved: v.optional(v.array(UnresolvedAssets), []),
    namespaces: v.optional(v.array(v.looseObject({ namespace: v.string() })), []),
    scopes: v.optional(v.array(v.looseObject({ scope_key: v.string() })), []),
    look_alikes: v.optional(v.looseObject({ pairs: v.array(v.looseObject({ name: v.string() })) })),
  }),
});

function gapConcern(gap: unknown): Concern {
  const { gap_type, provider, provider_instance_id, details } = v.parse(GapOfFeed, gap);
  const what = `gap ${gap_type} of feed ${provider}`;
  const about = [
    ...details.unresolved.map((one) => `${one.reason}${namesOf(one)}`),
    ...details.namespaces.map(({ namespace }) => namespace),
    ...details.scopes.map(({ scope_key }) => scope_key),
    ...(details.look_alikes?.pairs.map(({ name }) => name) ?? []),
  ].slice(0, mostNamed);
  const why = [details.reason ?? 'no reason is given', ...(about.length > 0 ? [about.join('; ')] : [])].join(': ');
  return { what, why, advice: `tributary gaps ${provider_instance_id}` };
}

type Found = {
  readonly feeds: number;
  readonly concerns: readonly Concern[];
  /** The only one that was looked at, if one is named. */
  readonly connector: Place | null;
};

function describe(
  session: Session,
  { status: is, version }: v.InferOutput<typeof Health>,
  { feeds, concerns, connector }: Found,
): string {
  const { green, yellow, dim } = outputColors(session.terminal);
  const [all, some] = connector === null ? ['Everything', ''] : [`Connector ${connector.name}`, ' of the connector'];
  const healthy = green(printable(`${all} is healthy: no feed, delivery or gap needs attention.`));
  const nothing = feeds === 0 ? `No feed${some} has sent anything yet.` : healthy;
  return [
    printable(`${session.settings.url} is ${is}, version ${version}; ${counted(feeds, 'feed')}`),
    ...(concerns.length === 0 ? [nothing] : []),
    ...concerns.flatMap(({ what, why, advice }) => [
      yellow(printable(`${what}: ${why}`)),
      dim(printable(`  ${advice}`)),
    ]),
  ].join('\n');
}

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

/** The gaps of every feed in one page, each with its feed; and how many gaps of other connectors' feeds are left out. */
async function gapsOf(session: Session, options: Options, only?: string) {
  const [{ id: workspace_id }, connector] = [await session.workspace(), await session.namedConnector()];
  const items = [];
  let leftOut = 0;
  for (const feed of only === undefined ? (await feedsOf(session)).feeds : [{ id: only, name: only }]) {
    const found = await gapsOfFeed(session, feed, options);
    const isOther = 'connector_id' in feed && connector !== null && feed.connector_id !== connector.id;
    if (isOther) leftOut += found.length;
    else items.push(...found);
  }
  return { page: { workspace_id, items, next_cursor: null }, leftOut };
}

async function gapsOfFeed(session: Session, { id, name }: Place, { status, type }: Options) {
  const query = { status: status === 'all' ? undefined : status, gap_type: type };
  const page = await session.pages(routes.listGaps, { params: { provider_instance_id: id }, query });
  return page.items.map((item): object => ({ ...Object(item), provider_instance_id: id, provider: name }));
}

async function gaps(session: Session, [provider]: readonly string[], options: Options): Promise<Outcome> {
  const { page, leftOut } = await gapsOf(session, options, provider);
  const outcome = listed(page, () => {
    const items = v.parse(v.array(GapOfProvider), page.items);
    if (items.length === 0)
      return `There are no ${options.status === 'open' ? 'open' : 'such'} gaps${leftOut > 0 ? ' of this connector' : ''}.`;
    const rows = items.map((item) => ({
      GAP: item.gap_type,
      STATUS: item.status,
      OPENED: item.opened_at,
      FEED: item.provider,
      REASON: item.details.reason,
    }));
    return [...table(rows), ...items.flatMap(detailsOf)].join('\n');
  });
  return withLeftOut(outcome, leftOut > 0 ? [`${counted(leftOut, 'gap')} of other connectors left out.`] : []);
}

const detailsOf = ({ details, gap_type, provider }: v.InferOutput<typeof GapOfProvider>): string[] => {
  const { namespaces = [], scopes = [], look_alikes, unresolved = [], undeclared, unfinished } = details;
  const { pairs = [], count = 0 } = look_alikes ?? {};
  const { edges = [] } = undeclared ?? {};
  const { jobs = [] } = unfinished ?? {};
  const verb = scopes.length > 0 ? 'forget' : look_alikes ? 'join' : 'claim';
  const commands = new Set(look_alikes ? pairs.flatMap((pair) => pair.command ?? []) : [details.command ?? []].flat());
  const ofNamespaces = [
    ...namespaces.map(({ namespace, datasets }) => `  ${namespace}  datasets: ${datasets}`),
    ...scopes.map(
      ({ scope_key, replaced_by, last_accepted }) =>
        `  ${scope_key}  last pushed ${last_accepted}; ${replaced_by} states the same relations`,
    ),
    ...pairs.map(
      ({ name, looks_like, command, advice }) => `  ${name}  looks like ${looks_like}${command ? '' : `. ${advice}`}`,
    ),
    ...andMore(count, pairs),
    ...edges.map(({ upstream, downstream }) => `  ${upstream} → ${downstream}`),
    ...andMore(undeclared?.count, edges),
    ...jobs.map((job) => `  ${job}`),
    ...andMore(unfinished?.count, jobs),
    ...(unfinished ? [`  ${unfinished.advice}`] : []),
    ...[...commands].map((command) => `  To ${verb} them: ${command}`),
  ].map(printable);
  const about = [...ofNamespaces, ...unresolved.flatMap(describeUnresolved)];
  return about.length === 0 ? [] : [printable(`${gap_type} of ${provider}:`), ...about];
};

const andMore = (count = 0, { length }: { readonly length: number }): string[] =>
  count > length ? [`  and ${count - length} more`] : [];
