import { isDeepStrictEqual } from 'node:util';
import { Fault } from '../../../contract/problems.ts';
import { graphOf } from '../generations/generation.ts';
import type { GraphRecord, Names } from '../generations/graph-record.ts';
import type { GraphRecords, NamesReader, SaidNames } from '../generations/ports.ts';
import type { SaidName } from '../generations/said.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';

export type NamingPorts = {
  readonly namesOf: NamesReader;
  readonly graphs: Pick<GraphRecords, 'find'>;
  readonly said: SaidNames;
  readonly pause: (ms: number) => Promise<void>;
};

/** What a delivery is worked by: the connectors, the graph that has their names, and who is told of the names it uses. */
type Reading = Pick<Names, 'connectors' | 'forgotten'> & {
  readonly graph: Delivery['workspace_id'];
  readonly say: (names: readonly SaidName[]) => Promise<void>;
};

/** Names were changed between their reading and the first use of one. */
class NamesChanged extends Error {
  override readonly name = 'NamesChanged';
}

const [pauseMs, pausesAtMost] = [250, 240];

/**
 * Works a delivery by the names in force, again where they changed. A name is kept as used before anything is written
 * under it, and all names are read again after that: either whoever changes names finds it used, or the change is seen
 * here. The work ends only in the graph that answers, so that a switch loses nothing that has ended.
 */
export async function byNames<T>(
  ports: NamingPorts,
  { workspace_id: workspace, provider_instance_id: provider }: Delivery,
  work: (reading: Reading) => Promise<T>,
): Promise<{ readonly outcome: T; readonly generation: number }> {
  for (;;) {
    const since = performance.now();
    const names = await ports.namesOf(workspace);
    const { connectors, generation, forgotten } = names;
    const say = async (said: readonly SaidName[]) => {
      if (await ports.said.keep({ workspace, provider, since }, said)) return;
      if (!isDeepStrictEqual(await ports.namesOf(workspace), names)) throw new NamesChanged();
    };
    try {
      const outcome = await work({ connectors, forgotten, graph: graphOf(workspace, generation), say });
      if ((await settled(ports, workspace)) === generation) return { outcome, generation };
    } catch (error) {
      if (!(error instanceof NamesChanged)) throw error;
    }
  }
}

const recordOf = async ({ graphs }: Pick<NamingPorts, 'graphs'>, workspace: Delivery['workspace_id']) =>
  (await graphs.find(workspace))?.record ?? null;

const isSwitching = (record: GraphRecord | null) => record?.rewrite?.state === 'switching';

/** The generation that answers, as soon as no switch is under way. */
async function settled(ports: NamingPorts, workspace: Delivery['workspace_id']): Promise<number> {
  for (let waited = 0; waited < pausesAtMost; waited++) {
    const record = await recordOf(ports, workspace);
    if (!isSwitching(record)) return record?.generation ?? 0;
    await ports.pause(pauseMs);
  }
  throw new Fault('graph_switching', 'the switch to the graph of new names takes too long');
}
