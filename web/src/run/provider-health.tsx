import type { Delivery, DeliveryState } from '../api/queries.ts';
import { type Day, DayBars, type DayPart, lastDays } from '../parts/day-bars.tsx';
import { texts } from '../texts.ts';

export const healthDays = 14;

/** How a provider did by day, as its deliveries say. */
export function ProviderHealth({
  deliveries,
  name,
}: {
  readonly deliveries: readonly Delivery[];
  readonly name: string;
}) {
  const byDay = Map.groupBy(deliveries, ({ received_at }) => received_at.slice(0, 10));
  const days: Day[] = lastDays(healthDays).map((date) => ({ date, parts: partsOf(byDay.get(date) ?? []) }));
  return <DayBars days={days} label={texts.providers.health(name, healthDays)} />;
}

const tones: Readonly<Record<DeliveryState, DayPart['tone']>> = {
  accepted: 'good',
  processing: 'good',
  projected: 'good',
  superseded: 'good',
  partially_projected: 'warn',
  held: 'warn',
  quarantined: 'bad',
  failed: 'bad',
};
const order: readonly DayPart['tone'][] = ['good', 'warn', 'bad'];

const partsOf = (deliveries: readonly Delivery[]): DayPart[] =>
  [...Map.groupBy(deliveries, ({ state }) => state)]
    .map(([state, those]) => ({ tone: tones[state], label: state.replaceAll('_', ' '), count: those.length }))
    .toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
