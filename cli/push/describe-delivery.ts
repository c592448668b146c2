import type { LineageDelivery, UnresolvedAssets } from '../../shared/contract/deliveries.ts';
import { printable } from '../terminal/printable.ts';
import { counted } from '../terminal/table.ts';

const shown = 20;

/** What was taken, what could not be interpreted and where, and what is not resolved or has no effect. */
export function describeDelivery(delivery: LineageDelivery): string[] {
  const { quarantined, warnings, unresolved, ignored } = delivery;
  const more = quarantined.length - shown;
  return [
    `${delivery.delivery_id}  ${delivery.kind}  ${delivery.state}`,
    `  taken        ${delivery.projected_item_count} of ${counted(delivery.item_count, 'item')}`,
    ...(delivery.retracted_evidence_count > 0
      ? [`  retracted    ${counted(delivery.retracted_evidence_count, 'piece')} of evidence`]
      : []),
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

/** Which assets are not resolved for a reason, and what to do about it. */
export const describeUnresolved = (one: UnresolvedAssets): string[] =>
  [
    `  ${one.resolved ? 'remark    ' : 'unresolved'}   ${one.count} × ${one.reason}${namesOf(one)}`,
    `               ${one.advice}`,
  ].map(printable);

/** The names of assets, as far as they are listed. */
export function namesOf({ assets, assets_left_out }: Pick<UnresolvedAssets, 'assets' | 'assets_left_out'>): string {
  if (assets.length === 0) return '';
  return `: ${assets.join(', ')}${assets_left_out > 0 ? ` and ${assets_left_out} more` : ''}`;
}
