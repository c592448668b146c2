import { setTimeout as after } from 'node:timers/promises';
import { type CanaryKeys, collectionRoutes, canaryNames as names } from '../contract/collection.ts';
import { collectionProjectRoutes } from '../contract/collection-projects.ts';
import { deliveryRoutes } from '../contract/deliveries.ts';
import { impactRoutes } from '../contract/explain.ts';
import { intakeRoutes } from '../contract/lineage.ts';
import { Fault } from '../contract/problems.ts';
import { type Api, apiOf, requestAnswer } from './api.ts';

const pauseMs = 1_000;

export type RoundOptions = {
  readonly url: string;
  /** Where senders send, if that is not `url`: the functions' own URLs. */
  readonly collectUrl?: string | undefined;
  readonly ingestUrl?: string | undefined;
  readonly newId: () => string;
  /** Asked before each wait: from then on nothing is waited for. */
  readonly timeIsUp: () => boolean;
};

type Round = RoundOptions & { readonly api: Api; readonly keys: CanaryKeys };

/** Sends an event and a run, waits for both, and queries what the run writes. Throws Fault, ApiFailure, Unreachable. */
export async function canaryRound(keys: CanaryKeys, options: RoundOptions): Promise<void> {
  const round = { ...options, keys, api: apiOf(options.url, keys.token) };
  await Promise.all([eventIsStored(round), runIsAnswered(round)]);
}

async function eventIsStored(round: Round): Promise<void> {
  const { keys, newId, collectUrl = round.url } = round;
  const before = await storedEvents(round);
  const event = { id: newId(), type: 'track', event: 'canary', user_id: 'canary', timestamp: new Date().toISOString() };
  // The route would treat a token as a server key.
  await apiOf(collectUrl, undefined).ask(collectionRoutes.collectBatch, {
    body: { project_key: keys.project_key, events: [event] },
  });
  await until(round, 'canary_event_not_stored', async () => (await storedEvents(round)) > before);
}

/** Of today and yesterday, so that a round may begin on one day and end on the next. */
async function storedEvents({ api, keys }: Round): Promise<number> {
  const { items } = await requestAnswer(api, collectionProjectRoutes.countCollectedEvents, {
    params: { collection_project_id: keys.collection_project_id },
    query: { workspace_id: keys.workspace_id, days: 2 },
  });
  return items.reduce((sum, { accepted }) => sum + accepted, 0);
}

async function runIsAnswered(round: Round): Promise<void> {
  const { api, keys, ingestUrl = round.url } = round;
  const query = { workspace_id: keys.workspace_id };
  const ingest = apiOf(ingestUrl, keys.token);
  const question = { query, body: runEvent(round) };
  const { delivery_id } = await requestAnswer(ingest, intakeRoutes.postOpenLineageEvent, question);
  await until(round, 'canary_run_not_projected', async () => {
    const { state } = await requestAnswer(api, deliveryRoutes.getDelivery, { params: { delivery_id }, query });
    return state === 'projected';
  });
  const request = { ...query, connector_id: keys.connector_id, relation_ref: `${names.schema}.${names.input}` };
  const { downstream } = await requestAnswer(api, impactRoutes.getImpact, { query: request });
  const found = downstream.some(({ relation_ref }) => relation_ref.endsWith(`${names.schema}.${names.output}`));
  if (!found) throw new Fault('canary_run_not_answered', 'What the run writes to is missing in the answer.');
}

const dataset = (table: string) => ({
  namespace: names.namespace,
  name: `${names.database}.${names.schema}.${table}`,
});

const runEvent = ({ newId }: Round) => ({
  eventTime: new Date().toISOString(),
  eventType: 'COMPLETE',
  producer: 'https://github.com/tributary/tributary/canary',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: newId() },
  job: { namespace: 'canary', name: 'round' },
  inputs: [dataset(names.input)],
  outputs: [dataset(names.output)],
});

async function until({ timeIsUp }: Round, code: string, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    if (timeIsUp()) throw new Fault(code, 'What the canary waits for did not come in time.');
    await after(pauseMs);
  }
}
