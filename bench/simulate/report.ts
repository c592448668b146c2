import { newTable } from '../../lib/tables.ts';
import { markdownTable } from '../support/markdown-table.ts';
import { type Figures, figures as measured } from './figures.ts';
import { backlogOf, onDemand } from './flow.ts';
import { aws } from './limits.ts';
import { type Dimension, dimensions, type Load, scaled } from './load.ts';
import { mainTableWrites, resources, utilisation, workerRates } from './resources.ts';

const hour = 3_600;
const factors = [10, 100, 1_000];
const most = 3;

/** Minutes that the newest events and deliveries wait once a load has lasted an hour, on tables that are new. */
function waitsAfterAnHour(load: Load, figures: Figures) {
  const rates = workerRates(figures);
  const table = onDemand(newTable.writes, { quota: aws.tableWrites, doublesMinutes: aws.tableDoublesMinutes });
  const hottest = Math.max(figures.popular_item_writes, figures.activity_item_writes, figures.summary_item_writes);
  const minutes = (arriving: number, processed: (second: number) => number) => {
    const { atEnd } = backlogOf({ arriving: () => arriving, worked: processed }, hour, hour);
    return atEnd / processed(hour - 1) / 60;
  };
  const unitsOfDelivery = mainTableWrites({ ...load, openLineage: 1 }, figures);
  return {
    events: minutes(load.events, (second) => Math.min(rates.events, table(second) / figures.event_ledger_writes)),
    deliveries: minutes(load.openLineage, (second) =>
      Math.min(rates.projection, table(second) / unitsOfDelivery, (aws.partitionWrites / hottest) * load.workspaces),
    ),
  };
}

/** One load: what is fullest, and how long things wait. */
function outcome(by: Dimension, factor: number, figures: Figures = measured) {
  const load = scaled(by, factor);
  const fullest = resources(load, figures);
  const saturated = fullest.filter((one) => utilisation(one) >= 1);
  return { by, factor, load, fullest, saturated, waits: waitsAfterAnHour(load, figures) };
}

export const outcomes = () => [
  outcome('workspaces', 1),
  ...dimensions.flatMap((by) => factors.map((factor) => outcome(by, factor))),
];

/** The outcomes as a table of Markdown. */
export function table(): string {
  const rows = outcomes().map(({ by, factor, fullest, saturated, waits }) => [
    factor === 1 ? 'today' : `${by === 'openLineage' ? 'OpenLineage' : by} × ${factor.toLocaleString('en')}`,
    (saturated.length > 0 ? saturated : fullest.slice(0, 1))
      .slice(0, most)
      .map((one) => `${one.name} ${percent(utilisation(one))}`)
      .join('; '),
    waited(waits.events),
    waited(waits.deliveries),
  ]);
  return markdownTable([['Load', 'Fullest', 'Events wait', 'Deliveries wait'], ...rows]);
}

const percent = (share: number): string => `${Math.round(share * 100).toLocaleString('en')} %`;
const waited = (minutes: number): string => (minutes < 1 ? '' : `${Math.round(minutes).toLocaleString('en')} min`);
