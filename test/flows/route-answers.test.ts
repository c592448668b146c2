import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Route } from '../../shared/contract/route.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { deployedFunctions, type Send } from '../support/deployed-functions.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../support/furnished-workspace.ts';
import { provideForAll } from '../support/provide.ts';
import { exampleOf } from '../support/route-examples.ts';

const world = provideForAll(startAccessWorld);
let send: Send;
let acme: FurnishedWorkspace;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  send = await deployedFunctions();
  acme = await furnishedWorkspace(world, send, 'acme');
});
afterAll(() => void vi.useRealTimers());

const all = Object.entries(routes as Readonly<Record<string, Route>>).filter(
  ([, { access }]) => access.kind === 'member',
);
const isRead = ([, { method }]: (typeof all)[number]) => method === 'GET';

/** When the event of the workspace happened. */
const observed = '2026-11-21T12:00:00';

it('answers each read of a workspace with one of everything as recorded, and then each act', async () => {
  const token = await world.issuer.sign('acme-admin');
  const answers: Record<string, unknown> = {};
  for (const [name, route] of [...all.filter(isRead), ...all.filter((one) => !isRead(one))]) {
    const { status, text } = await send({ ...exampleOf(route, acme.known), token });
    answers[name] = { status, body: anonymous(text) };
  }
  const recorded = path.join(import.meta.dirname, '__snapshots__', 'route-answers.json.snap');
  await expect(`${JSON.stringify(answers, null, 1)}\n`).toMatchFileSnapshot(recorded);
});

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const ids = /\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,64}|[a-z]{3,5}_(?=[\w-]*[A-Z\d])[\w-]{16,})/g;
const epochMs = /\.\d{13}\b/g;
const signedUrls = /http:\/\/127[^"]+/g;

/** The answer; what differs from run to run is replaced by its name. */
function anonymous(text: string): unknown {
  const known = Object.entries(acme.known).filter(([, value]) => String(value).length > 15);
  const named = known.reduce((left, [name, value]) => left.replaceAll(String(value), `{${name}}`), text);
  const general = named
    .replace(signedUrls, '{url}')
    .replace(epochMs, '')
    .replace(times, (at) => (at.startsWith(observed) ? at : '{time}'))
    .replace(ids, '{id}');
  return general.startsWith('{') ? JSON.parse(general, inOrder) : general;
}

/** DynamoDB has no order of attributes. What an answer costs depends on what the process has read before. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== 'cost')
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
    : value;
