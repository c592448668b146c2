import { type Command, Option } from 'commander';
import { readItems } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { deliveryStates } from '../../shared/contract/vocabulary.ts';
import { type Context, limitOption, serves } from '../framework.ts';
import { exitCodes, type Outcome, requestOutcome, tableOf, withLeftOut } from '../outcome.ts';
import { describeDelivery } from '../push/describe-delivery.ts';
import type { Place, Session } from '../session.ts';
import { counted, write } from '../terminal/terminal.ts';

type Options = { readonly state?: string; readonly limit: number };

export function registerDeliveries(program: Command, context: Context): void {
  const deliveries = program
    .command('deliveries')
    .description('shows the state and result of everything that was sent')
    .argument('[id]', 'one delivery')
    .addOption(new Option('--state <state>', 'only this state').choices(deliveryStates))
    .addOption(limitOption)
    .action(
      serves<Options>(context, (session, [id], options) =>
        id ? ask(session, getDelivery, id) : list(session, options),
      ),
    );
  deliveries
    .command('retry <id>')
    .description('retries a failed delivery')
    .action(serves(context, (session, [id]) => ask(session, retryDelivery, id)));
  deliveries
    .command('release <id>')
    .description('releases a snapshot that the shrink guard holds')
    .action(serves(context, (session, [id]) => ask(session, releaseDelivery, id)));
  deliveries
    .command('payload <id>')
    .description('prints the bytes of a delivery as received')
    .action(serves(context, (session, [id = '']) => payload(session, id)));
}

async function list(session: Session, { state, limit }: Options): Promise<Outcome> {
  const connector = await session.namedConnector();
  const page = await session.pages(routes.listDeliveries, { query: { state, connector_id: connector?.id } }, limit);
  const outcome = tableOf(routes.listDeliveries, page, 'No matching deliveries.', (item) => ({
    DELIVERY: item.delivery_id,
    KIND: item.kind,
    STATE: item.state,
    RECEIVED: item.received_at,
    ITEMS: `${item.projected_item_count}/${item.item_count}`,
  }));
  return connector === null
    ? outcome
    : withLeftOut(outcome, await leftOut(session, connector, { limit, ...(state !== undefined && { state }) }));
}

/** How many of the newest deliveries a connector leaves out: those of others, and of none. */
async function leftOut(session: Session, connector: Place, { state, limit }: Options): Promise<string[]> {
  const page = await session.pages(routes.listDeliveries, { query: { state } }, limit);
  const items = readItems(routes.listDeliveries, page);
  const others = items.filter(({ connector_id }) => connector_id !== connector.id).length;
  if (others === 0) return [];
  return [
    `${others} of the newest ${counted(items.length, 'delivery', 'deliveries')} left out: of another connector or none.`,
  ];
}

const { getDelivery, retryDelivery, releaseDelivery } = routes;
type DeliveryRoute = typeof getDelivery | typeof retryDelivery | typeof releaseDelivery;

const ask = (session: Session, route: DeliveryRoute, delivery_id = ''): Promise<Outcome> =>
  requestOutcome(session, route, { params: { delivery_id } }, (delivery) => describeDelivery(delivery).join('\n'));

async function payload(session: Session, id: string) {
  const question = { params: { delivery_id: id }, query: { workspace_id: (await session.workspace()).id } };
  const response = await (await session.api()).stream(routes.getDeliveryPayload, question);
  for await (const bytes of response.body ?? []) await write(session.terminal.output, bytes);
  return exitCodes.done;
}
