import { newTable } from '../../lib/tables.ts';
import { markdownTable } from '../support/markdown-table.ts';
import { dimensions, type Load, scaled } from './load.ts';
import { aws, figures, mainTableWrites, resources, utilisation, workerRates } from './resources.ts';

const hour = 3_600;
const factors = [10, 100, 1_000];
const most = 3;

/** The messages that wait after some seconds, if as many arrive each second. */
export function waitingAfter(seconds: number, arriving: number, worked: (second: number) => number): number {
  let waiting = 0;
  for (let second = 0; second < seconds; second++) waiting = Math.max(0, waiting + arriving - worked(second));
  return waiting;
}

/** Write units that a new on-demand table accepts: twice what it accepted before in each period, up to the quota. */
const writesOfNewTable = (second: number): number =>
  Math.min(aws.tableWrites, newTable.writes * 2 ** Math.floor(second / 60 / aws.tableDoublesMinutes));

/** Minutes that the newest events and deliveries wait once a load has lasted an hour, on tables that are new. */
function waitsAfterAnHour(load: Load) {
  const rates = workerRates(figures);
  const hottest = Math.max(figures.popular_item_writes, figures.activity_item_writes, figures.summary_item_writes);
  const minutes = (arriving: number, worked: (second: number) => number) =>
    waitingAfter(hour, arriving, worked) / worked(hour - 1) / 60;
  const unitsOfDelivery = mainTableWrites({ ...load, openLineage: 1 }, figures);
  return [
    minutes(load.events, (second) => Math.min(rates.events, writesOfNewTable(second) / figures.event_ledger_writes)),
    minutes(load.openLineage, (second) =>
      Math.min(
        rates.projection,
        writesOfNewTable(second) / unitsOfDelivery,
        (aws.partitionWrites / hottest) * load.workspaces,
      ),
    ),
  ];
}

/** What is fullest, and how long things wait, by load. */
export function table(): string {
  const grown = dimensions.flatMap((by) => factors.map((factor) => ({ by, factor })));
  const rows = [{ by: 'workspaces' as const, factor: 1 }, ...grown].map(({ by, factor }) => {
    const load = scaled(by, factor);
    const fullest = resources(load, figures);
    const saturated = fullest.filter((one) => utilisation(one) >= 1);
    const listed = saturated.length > 0 ? saturated.slice(0, most) : fullest.slice(0, 1);
    return [
      factor === 1 ? 'today' : `${by === 'openLineage' ? 'OpenLineage' : by} × ${factor.toLocaleString('en')}`,
      listed.map((one) => `${one.name} ${percent(utilisation(one))}`).join('; '),
      ...waitsAfterAnHour(load).map(waited),
    ];
  });
  return markdownTable([['Load', 'Fullest', 'Events wait', 'Deliveries wait'], ...rows]);
}

const percent = (share: number): string => `${Math.round(share * 100).toLocaleString('en')} %`;
const waited = (minutes: number): string => (minutes < 1 ? '' : `${Math.round(minutes).toLocaleString('en')} min`);
