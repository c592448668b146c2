import type { Delivery, DeliveryState } from '../api/queries.ts';
import { texts } from '../texts.ts';

type DayPart = { readonly tone: 'good' | 'warn' | 'bad'; readonly label: string; readonly count: number };
export type Day = { readonly date: string; readonly parts: readonly DayPart[] };

const size = { bar: 7, gap: 2, height: 30 } as const;

/** A bar a day, oldest first, its parts stacked; what it shows is also said in words. */
export function DayBars({ days, label }: { readonly days: readonly Day[]; readonly label: string }) {
  const highest = Math.max(1, ...days.map(({ parts }) => sum(parts)));
  const step = size.bar + size.gap;
  return (
    <svg
      className="day-bars"
      role="img"
      aria-label={`${label}: ${describeDays(days)}`}
      viewBox={`0 0 ${days.length * step} ${size.height + 1}`}
      width={days.length * step}
      height={size.height + 1}
    >
      {days.map(({ date, parts }, index) => (
        <g key={date}>
          <title>{`${date}: ${wordsOf(parts)}`}</title>
          <rect className="day-ground" x={index * step} y={0} width={size.bar} height={size.height + 1} />
          {stacked(parts, highest).map(({ tone, label: name, y, height }) => (
            <rect key={name} data-tone={tone} x={index * step} y={y} width={size.bar} height={height} />
          ))}
        </g>
      ))}
    </svg>
  );
}

const sum = (parts: readonly DayPart[]): number => parts.reduce((total, { count }) => total + count, 0);

/** What is there at all is seen, however little it is beside the rest. */
const least = 2;

function stacked(parts: readonly DayPart[], highest: number) {
  let y = size.height + 1;
  return parts
    .filter(({ count }) => count > 0)
    .map((part) => {
      const height = Math.max(least, (part.count / highest) * (size.height - 2 * least));
      y -= height;
      return { ...part, y, height };
    });
}

function describeDays(days: readonly Day[]): string {
  const totals = new Map<string, DayPart>();
  for (const part of days.flatMap(({ parts }) => parts))
    totals.set(part.label, { ...part, count: part.count + (totals.get(part.label)?.count ?? 0) });
  return wordsOf([...totals.values()]);
}

const wordsOf = (parts: readonly DayPart[]): string =>
  parts
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count.toLocaleString()} ${label}`)
    .join(', ') || texts.none;

/** The last days up to today in UTC, oldest first. */
export const lastDays = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.now() - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );

/** A share between 0 and 1 as one reads it. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;

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
