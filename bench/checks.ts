import './support/quiet.ts';
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { dynamodb } from '../shared/adapters/aws.ts';
import { checkStore } from '../shared/adapters/dynamodb/registry/checks.ts';
import { CheckId, UserId } from '../shared/contract/ids.ts';
import type { Check } from '../shared/domain/agents/checks/check.ts';
import { type CheckRunner, runCheck } from '../shared/domain/agents/checks/evaluate-queued.ts';
import { systemClock } from '../shared/domain/base/time/timestamp.ts';
import { queriesPorts } from '../shared/runtime/composition/queries.ts';
import { metered, startMetering } from './cost/metered.ts';
import { dollars, total } from './cost/prices.ts';
import { startLoadedWorkspace } from './support/bench-graph.ts';
import { chosenFrom, edgesOf, readLoaded } from './support/loaded-graph.ts';
import { countUnits } from './support/units.ts';

// What a whole evaluation of a check with each rule takes on a large graph, and what it costs each hour of a month: a
// JSON line a rule. Needs a folder that `bench/large-graph.ts --keep FOLDER` has loaded.
// `node bench/checks.ts FOLDER`
const [, , folder = ''] = process.argv;
const loaded = readLoaded(folder);
const { relation } = chosenFrom(loaded, edgesOf(loaded), 1);
const [one, other] = [relation(3), relation(0)];
const rules = [
  'no open gap',
  `no path from ${other} to ${one}`,
  `every column of ${one} has a source`,
  'no stale edge',
  'confidence at least 0.5',
  'fresh within 24 hours',
  'no undeclared edge',
  'every declared edge confirmed within 24 hours',
  'every column has a source',
  'no new upstream',
  'no new downstream',
  'no removed relation',
  'no removed column',
  'at most 1000 upstream relations',
  'at most 1000 downstream columns',
];

const { stores, workspace } = await startLoadedWorkspace(path.resolve(folder));
const used = countUnits(dynamodb());
startMetering();
try {
  for (const expectation of rules) await measure(expectation);
} finally {
  stores.stop();
}

async function measure(expectation: string): Promise<void> {
  const runner = runnerOf();
  const at = new Date(Date.now() - 60_000).toISOString();
  const check: Check = {
    workspace_id: workspace,
    id: v.parse(CheckId, 'chk_bench00001'),
    name: expectation,
    expectation,
    enabled: true,
    severity: 'warning',
    scope: { include: [], exclude: [] },
    definition_version: 1,
    baseline_at: at,
    created_at: at,
    created_by: v.parse(UserId, 'bench'),
    updated_at: at,
    updated_by: v.parse(UserId, 'bench'),
  };
  used();
  let state = '';
  const usage = await metered('projector', 1, async () => {
    ({ state } = await runCheck(runner, check));
  });
  const { requests, read_units } = used();
  const monthly = dollars(total([usage, 730]));
  const line = {
    bench: 'checks',
    relations: loaded.relations,
    expectation: expectation.replaceAll(/warehouse\S+/g, 'REF'),
    state,
    requests,
    read_units,
    hourly_usd_month: monthly.usd,
  };
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** As a worker evaluates, but nothing is kept: each rule begins without a result. */
function runnerOf(): CheckRunner {
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const checks = { ...checkStore(table), status: async () => null, commit: async () => true };
  return { ...queriesPorts(), checks, clock: systemClock, randomBytes };
}
