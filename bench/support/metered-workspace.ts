import './quiet.ts';
import { startBenchWorkspace } from './bench-graph.ts';
import { cpuMs, rounded } from './figures.ts';
import { countUnits } from './units.ts';

export type Usage = ReturnType<ReturnType<typeof countUnits>> & {
  readonly seconds: number;
  readonly cpu_seconds: number;
};

/** A workspace whose table is in its own process, so that processor times are those of the service's own code. */
export async function startMeteredWorkspace() {
  const started = await startBenchWorkspace();
  const used = countUnits(started.table.client);
  async function usageOf(work: () => Promise<unknown>): Promise<Usage> {
    used();
    const [began, cpu] = [performance.now(), cpuMs()];
    await work();
    const seconds = (performance.now() - began) / 1_000;
    return { ...used(), seconds: rounded(seconds, 3), cpu_seconds: rounded((cpuMs() - cpu) / 1_000, 3) };
  }
  return { ...started, usageOf };
}
