import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { CommandError, exitCodes } from '../command-error.ts';
import type { Session } from '../session.ts';

const timeoutMs = 900_000;
const maxPauseMs = 2_000;

/** The delivery once it has settled, as the route answers it. Throws CommandError after a quarter of an hour. */
export async function settledDelivery(session: Session, delivery_id: string): Promise<LineageDelivery> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const question = { params: { delivery_id }, query: { workspace_id: workspace.id } };
  const deadline = Date.now() + timeoutMs;
  for (let pause = 100; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
    const delivery = v.parse(LineageDelivery, await api.ask(routes.getDelivery, question));
    if (!['accepted', 'processing'].includes(delivery.state)) return delivery;
    if (Date.now() > deadline)
      throw new CommandError(
        exitCodes.unavailable,
        `Delivery ${delivery_id} is accepted and still ${delivery.state}.`,
        [`tributary deliveries ${delivery_id} says what becomes of it; nothing has to be sent again.`],
      );
    session.progress.say(`${delivery.state}: delivery ${delivery_id}`);
    await after(pause);
  }
}
