import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import { startProcess } from '../../test/support/service-process.ts';
import { runEvents } from '../support/run-events.ts';
import { figures } from './figures.ts';
import { backlogOf } from './flow.ts';

const calibrating = 120;
const sendingSeconds = 8;
const drainSeconds = 300;
/** How far apart prediction and reality may be, as a factor. */
const tolerance = 2;

/**
 * Loads the local service at twice what it can work, for some seconds, and compares what waits then, and when all is
 * done, with the queue model's prediction. The machine's speed is learnt at another point: from how long a few events
 * take that come one after the other. Sets the exit code where prediction and reality are further apart than a factor.
 */
export async function checkLocally(): Promise<void> {
  const service = await startProcess(['--in-memory', '--seed', 'conformance']);
  try {
    const client = clientOf(service.credentials);
    const events = runEvents((calibrating + 5_000) / 2, 0).map((event) => JSON.stringify(event));
    await sendAll(client, events.slice(0, calibrating / 2));
    const began = performance.now();
    await sendAll(client, events.slice(calibrating / 2, calibrating));
    const secondsEach = (performance.now() - began) / 1_000 / (calibrating / 2);
    const rate = Math.round(2 / secondsEach);
    const predicted = predictedAt(rate, secondsEach);
    const seen = await loaded(client, events.slice(calibrating), rate);
    compare({ rate, seconds_each: secondsEach, sent: seen.sent }, predicted, seen);
  } finally {
    await service.end('SIGTERM');
  }
}

type Client = { readonly send: (body: string) => Promise<void>; readonly waiting: () => Promise<number> };

const Providers = v.object({ items: v.array(v.object({ backlog_count: v.number() })) });

function clientOf({ base_url, workspaces }: Awaited<ReturnType<typeof startProcess>>['credentials']): Client {
  const [workspace] = Object.values(workspaces);
  const headers = { authorization: `Bearer ${workspace?.tokens['admin']}`, 'content-type': 'application/json' };
  const query = `workspace_id=${workspace?.id}`;
  return {
    send: async (body) => {
      const url = `${base_url}/api/v1/lineage?${query}`;
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { ...headers, 'idempotency-key': randomUUID() },
      });
      if (response.status !== 202) throw new Error(`an event was answered with ${response.status}`);
      await response.arrayBuffer();
    },
    waiting: async () => {
      const response = await fetch(`${base_url}/v1/lineage/providers?${query}`, { headers });
      const { items } = v.parse(Providers, await response.json());
      return items.reduce((sum, { backlog_count }) => sum + backlog_count, 0);
    },
  };
}

/** Sends some, a few at once, and waits until all are worked. */
async function sendAll(client: Client, bodies: readonly string[]): Promise<void> {
  await inParallel(4, bodies, client.send);
  await processDelivery(client);
}

async function processDelivery(client: Client): Promise<void> {
  while ((await client.waiting()) > 0) await after(200);
}

/** Accepting goes before working, because a sender waits for it; what it leaves of the machine works what waits. */
function predictedAt(rate: number, secondsEach: number) {
  const acceptShare = figures.accept_cpu_ms / (figures.accept_cpu_ms + figures.project_cpu_ms);
  const acceptSeconds = acceptShare * secondsEach;
  const projectSeconds = secondsEach - acceptSeconds;
  const left = (second: number) => (second < sendingSeconds ? Math.max(0, 1 - rate * acceptSeconds) : 1);
  const flow = { arriving: () => rate, worked: (second: number) => left(second) / projectSeconds };
  const { atEnd, emptySecond } = backlogOf(flow, sendingSeconds, drainSeconds);
  return { waiting_at_end: Math.round(atEnd), done_second: emptySecond ?? drainSeconds };
}

/** At a rate, whether or not the service keeps up; what waits when the last one is accepted, and when nothing does. */
async function loaded(client: Client, bodies: readonly string[], rate: number) {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const sent: Promise<void>[] = [];
  for (let second = 0; second < sendingSeconds; second++) {
    await after(Math.max(0, second * 1_000 - seconds() * 1_000));
    sent.push(...bodies.slice(second * rate, (second + 1) * rate).map(client.send));
  }
  await Promise.all(sent);
  const waiting_at_end = await client.waiting();
  await processDelivery(client);
  return { sent: sent.length, waiting_at_end, done_second: Math.round(seconds()) };
}

type Seen = { readonly waiting_at_end: number; readonly done_second: number };

function compare(load: object, predicted: Seen, seen: Seen): void {
  const apart = (['waiting_at_end', 'done_second'] as const).map((name) => seen[name] / predicted[name]);
  const holds = apart.every((ratio) => ratio < tolerance && ratio > 1 / tolerance);
  process.stdout.write(`${JSON.stringify({ bench: 'simulate', check: holds, ...load, predicted, seen })}\n`);
  if (!holds) process.exitCode = 1;
}
