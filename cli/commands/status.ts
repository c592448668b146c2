import type { Command } from 'commander';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { DeliveryPage, UnresolvedAssets } from '../../shared/contract/deliveries.ts';
import { ProviderPage } from '../../shared/contract/providers.ts';
import { Health } from '../../shared/contract/system.ts';
import { type Context, serves } from '../framework.ts';
import { type Outcome, withLeftOut } from '../outcome.ts';
import { namesOf } from '../push/describe-delivery.ts';
import type { Session } from '../session.ts';
import { counted, outputColors, printable } from '../terminal/terminal.ts';
import { gapsOf } from './gaps.ts';

export function registerStatus(program: Command, context: Context): void {
  program.command('status').description('shows what is healthy, what is not, and why').action(serves(context, status));
}

type Concern = { readonly what: string; readonly why: string; readonly advice: string };

const listed = 20;
/** Enough to see what a gap is about; `tributary gaps` names the others. */
const mostNamed = 3;

async function status(session: Session): Promise<Outcome> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const service = await api.ask(routes.getHealth);
  const connector = await session.namedConnector();
  const isOwn = ({ connector_id }: { readonly connector_id: string | null }) =>
    connector === null || connector_id === connector.id;
  const feeds = v.parse(ProviderPage, await session.pages(routes.listProviders)).items;
  const found = [];
  for (const state of ['failed', 'held'] as const)
    found.push(...(await deliveriesIn(session, state)).map((one) => ({ ...one, state })));
  const { page, leftOut } = await gapsOf(session, { status: 'open' });
  const [providers, deliveries, gaps] = [feeds.filter(isOwn), found.filter(isOwn), page.items];
  const concerns: Concern[] = [
    ...providers.flatMap(providerConcern),
    ...deliveries.map(({ delivery_id, state }) => deliveryConcern(delivery_id, state)),
    ...gaps.map(gapConcern),
  ];
  const outcome = {
    json: { url: api.url, service, workspace, healthy: concerns.length === 0, concerns, providers, deliveries, gaps },
    text: () => describe(session, v.parse(Health, service), providers.length, concerns),
  };
  const others = [
    counted(feeds.length - providers.length, 'feed'),
    `${counted(found.length - deliveries.length, 'failed or held delivery', 'failed or held deliveries')}`,
    counted(leftOut, 'open gap'),
  ];
  return connector === null
    ? outcome
    : withLeftOut(outcome, [`Left out, of other connectors or none: ${others.join(', ')}.`]);
}

async function deliveriesIn(session: Session, state: 'failed' | 'held') {
  return v.parse(DeliveryPage, await session.pages(routes.listDeliveries, { query: { state } }, listed)).items;
}

function providerConcern(provider: v.InferOutput<typeof ProviderPage>['items'][number]): Concern[] {
  const { id, display_name, status: is, last_error_at, last_success_at } = provider;
  if (is === 'active') return [];
  const since = is === 'error' ? `last error ${last_error_at}` : `last success ${last_success_at ?? 'never'}`;
  const advice = is === 'error' ? 'tributary deliveries --state failed' : `tributary providers resume ${id}`;
  return [{ what: `feed ${display_name} is ${is}`, why: since, advice }];
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
  }),
});

function gapConcern(gap: unknown): Concern {
  const { gap_type, provider, provider_instance_id, details } = v.parse(GapOfFeed, gap);
  const what = `gap ${gap_type} of feed ${provider}`;
  const about = [
    ...details.unresolved.map((one) => `${one.reason}${namesOf(one)}`),
    ...details.namespaces.map(({ namespace }) => namespace),
  ].slice(0, mostNamed);
  const why = [details.reason ?? 'no reason is given', ...(about.length > 0 ? [about.join('; ')] : [])].join(': ');
  return { what, why, advice: `tributary gaps ${provider_instance_id}` };
}

function describe(
  session: Session,
  { status: is, version }: v.InferOutput<typeof Health>,
  feeds: number,
  concerns: readonly Concern[],
): string {
  const { green, yellow, dim } = outputColors(session.terminal);
  return [
    printable(`${session.settings.url} is ${is}, version ${version}; ${counted(feeds, 'feed')}`),
    ...(concerns.length === 0 ? [green('Everything is healthy: no feed, delivery or gap needs attention.')] : []),
    ...concerns.flatMap(({ what, why, advice }) => [
      yellow(printable(`${what}: ${why}`)),
      dim(printable(`  ${advice}`)),
    ]),
  ].join('\n');
}
