import { parseArgs } from 'node:util';
import { largeLedger } from './support/large-ledger.ts';
import { ledger, type Measurement } from './support/ledger.ts';
import { occasion } from './support/machine.ts';
import { type Measured, measured } from './support/measure.ts';
import { recordedPeers, standsFor } from './support/peers.ts';
import { type Result, recordRun } from './support/results.ts';
import { writeFigures } from './support/written-figures.ts';

// The ledger of speed: one JSON line a figure, beside its aim and what is recorded of peers, in some five minutes on two
// processors. `--large` takes the large graphs too, `--only BENCH,...` some benches. `--peer URL [--peer-token T]
// [--peer-pid N]` sends the same load to a Marquez as well. `--record` adds to bench/results and writes docs/benchmarks.md.
const { values } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
    peer: { type: 'string' },
    'peer-token': { type: 'string' },
    'peer-pid': { type: 'string', multiple: true, default: [] },
  },
});
const only = values.only?.split(',');
const chosen = [...ledger, ...(values.large ? largeLedger : [])].filter(({ bench }) => only?.includes(bench) ?? true);
if (chosen.length === 0) throw new Error('usage: all.ts [--large] [--only BENCH,...] [--record] [--peer URL]');

const on = occasion();
const live = new Map((await livePeer()).map(({ figure, value }) => [figure.name, value]));
const results: Result[] = [];
for (const measurement of chosen) {
  const began = performance.now();
  try {
    for (const one of await measured(measurement)) print(resultOf(one));
  } catch (error) {
    // The other benches say something without this one.
    process.stderr.write(`${measurement.bench}: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
  process.stderr.write(`${measurement.bench}: ${Math.round((performance.now() - began) / 1_000)} s\n`);
}
if (values.record) {
  process.stderr.write(`${recordRun({ on, results })}\n`);
  writeFigures();
}

/** The same load sent to a peer that somebody has started. */
async function livePeer(): Promise<Measured[]> {
  const measurement = chosen.find(({ bench }) => bench === 'openlineage');
  if (!values.peer || !measurement) return [];
  const token = values['peer-token'];
  const pids = values['peer-pid'].flatMap((pid) => ['--pid', pid]);
  const args = [...measurement.args, '--url', values.peer, ...(token ? ['--token', token] : []), ...pids];
  return measured({ ...measurement, args, figures: ofPeer(measurement, pids.length > 0) });
}

/** What a peer that takes no batches prints; its processor time is known where its processes are. */
const ofPeer = ({ figures }: Measurement, isTimed: boolean) =>
  figures.filter(({ name, field }) => !(name in standsFor) && (isTimed || !field.startsWith('cpu')));

function resultOf({ figure: { name, unit, aim, more }, bench, value }: Measured): Result {
  const recorded = recordedPeers[name];
  const liveValue = live.get(standsFor[name] ?? name);
  const better = (peer: number) => Number((more ? value / peer : peer / value).toPrecision(3));
  return {
    figure: name,
    value,
    unit,
    bench,
    ...(aim !== undefined && { aim }),
    ...(recorded && { peer: recorded.peer, peer_value: recorded.value, times_better: better(recorded.value) }),
    ...(liveValue !== undefined && { live_value: liveValue, live_times_better: better(liveValue) }),
  };
}

function print(result: Result): void {
  results.push(result);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
