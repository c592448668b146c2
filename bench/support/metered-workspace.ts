import { dynamodb } from '../../shared/adapters/aws.ts';
import { startStoresProcess } from './stores.ts';
import { countUnits } from './units.ts';

export type Usage = ReturnType<ReturnType<typeof countUnits>> & {
  readonly seconds: number;
  readonly cpu_seconds: number;
};

/** A table in its own process, so that processor times are those of the service's own code; it counts what work takes. */
export async function startMeteredTable() {
  const { stop } = await startStoresProcess();
  process.env['POWERTOOLS_METRICS_DISABLED'] = 'true';
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const used = countUnits(table.client);
  async function usageOf(work: () => Promise<unknown>): Promise<Usage> {
    used();
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - began) / 1000;
    return { ...used(), seconds: rounded(seconds), cpu_seconds: rounded((user + system) / 1e6) };
  }
  return { table, usageOf, stop };
}

/** To three digits behind the point. */
export function rounded(value: number): number {
  return Number(value.toFixed(3));
}
