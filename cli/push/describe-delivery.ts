import { setTimeout as after } from 'node:timers/promises';
import { requestAnswer } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { LineageDelivery, UnresolvedAssets } from '../../shared/contract/deliveries.ts';
import { CommandError, exitCodes } from '../outcome.ts';
import type { Session } from '../session.ts';
import { counted, printable } from '../terminal/terminal.ts';

const shown = 20;

export function describeDelivery(delivery: LineageDelivery): string[] {
  const { quarantined, warnings, failure, unresolved, ignored } = delivery;
  const more = quarantined.length - shown;
  return [
    `${delivery.delivery_id}  ${delivery.kind}  ${delivery.state}`,
    `  taken        ${delivery.projected_item_count} of ${counted(delivery.item_count, 'item')}`,
    ...(delivery.retracted_evidence_count > 0
      ? [`  retracted    ${counted(delivery.retracted_evidence_count, 'piece')} of evidence`]
      : []),
    ...(failure ? [printable(`  failure      ${failure.code}: ${failure.message}`)] : []),
    ...warnings.map(({ code, message }) => printable(`  warning      ${code}: ${message}`)),
    ...ignored.flatMap(({ reason, count, advice }) => [
      `  ignored      ${count} × ${reason}`,
      printable(`               ${advice}`),
    ]),
    ...unresolved.flatMap(describeUnresolved),
    ...quarantined
      .slice(0, shown)
      .map(({ index, code, message }) => printable(`  quarantined  item ${index}: ${code}: ${message}`)),
    ...(more > 0 ? [`  quarantined  ${more} more; --json lists all`] : []),
  ];
}

export const describeUnresolved = (one: UnresolvedAssets): string[] =>
  [
    `  ${one.resolved ? 'remark    ' : 'unresolved'}   ${one.count} × ${one.reason}${namesOf(one)}`,
    `               ${one.advice}`,
  ].map(printable);

export function namesOf({ assets, assets_left_out }: Pick<UnresolvedAssets, 'assets' | 'assets_left_out'>): string {
  if (assets.length === 0) return '';
  return `: ${assets.join(', ')}${assets_left_out > 0 ? ` and ${assets_left_out} more` : ''}`;
}

const timeoutMs = 900_000;
const maxPauseMs = 2_000;

/** The delivery once it has settled, as the route answers it. Throws CommandError after a quarter of an hour. */
export async function settledDelivery(session: Session, delivery_id: string): Promise<LineageDelivery> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = 100; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
    const delivery = await requestAnswer(session, routes.getDelivery, { params: { delivery_id } });
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
