import type { LineageDelivery } from '../../shared/contract/deliveries.ts';
import { printable } from '../terminal/printable.ts';
import { counted } from '../terminal/table.ts';

const shown = 20;

/** What was taken, what could not be interpreted and where, and what could not be resolved. */
export function describeDelivery(delivery: LineageDelivery): string[] {
  const { quarantined, warnings, unresolved } = delivery;
  const more = quarantined.length - shown;
  return [
    `${delivery.delivery_id}  ${delivery.kind}  ${delivery.state}`,
    `  taken        ${delivery.projected_item_count} of ${counted(delivery.item_count, 'item')}`,
    ...(delivery.retracted_evidence_count > 0
      ? [`  retracted    ${counted(delivery.retracted_evidence_count, 'piece')} of evidence`]
      : []),
    ...warnings.map(({ code, message }) => printable(`  warning      ${code}: ${message}`)),
    ...unresolved.map(({ reason, count }) => printable(`  unresolved   ${count} × ${reason}`)),
    ...quarantined
      .slice(0, shown)
      .map(({ index, code, message }) => printable(`  quarantined  item ${index}: ${code}: ${message}`)),
    ...(more > 0 ? [`  quarantined  ${more} more; --json lists all`] : []),
  ];
}
