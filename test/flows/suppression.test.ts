import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedLines } from '../../cli/events/stored-lines.ts';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { eventCountReader } from '../../shared/adapters/dynamodb/events/event-ledger.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { callCollection } from '../support/collection-call.ts';
import { type SeededProject, seedProject } from '../support/collection-seed.ts';
import { commandJson } from '../support/command-line.ts';
import { credentialsFile } from '../support/credentials-file.ts';
import { storeQueued } from '../support/events-worker.ts';
import { gathered } from '../support/gathered.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();
let project: SeededProject;
let credentials: Awaited<ReturnType<typeof credentialsFile>>;

beforeAll(async () => {
  const table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
  project = await seedProject(table, 'https://app.suppressed.test');
  credentials = await credentialsFile();
});
afterAll(() => credentials.remove());

const event = (extra: object) => ({
  id: randomUUID(),
  type: 'track',
  timestamp: '2026-11-20T10:00:00Z',
  event: 'Order Placed',
  ...extra,
});

/** Each call is a new process, which has read nothing before. */
const post = async (path: string, body: object) => (await callCollection(collectPorts(), path, { body })).status;
const postNative = (...events: object[]) => post('/collect/v1/batch', { project_key: project.key, events });

const stored = async () => {
  await storeQueued(storeEventsPorts(), stores.environment.EVENTS_QUEUE_URL);
  const lines = await gathered(storedLines(storeEventsPorts().bucket, project.workspace));
  return lines.map((line) => JSON.parse(line).event).sort();
};
const admin = (...words: string[]) => {
  const [group = '', action = '', ...options] = words;
  return commandJson(['admin', group, action, project.workspace, ...options, '--credentials', credentials.file]);
};

describe('a suppressed person', () => {
  it('has no events stored on any route, while other persons have (C-ERASE-5)', async () => {
    const [ada, own, shared] = ['ada 1', 'own device', 'shared device'];
    await postNative(
      event({ user_id: ada, anonymous_id: own }),
      event({ user_id: ada, anonymous_id: shared }),
      event({ user_id: 'bob', anonymous_id: shared, event: 'Stays' }),
    );
    expect(await stored()).toHaveLength(3);
    const erased = await admin('events', 'erase', '--user', ada, '--suppress');
    expect(erased).toMatchObject({ rows: 2, suppressed: true, suppressed_anonymous_ids: 1 });
    expect(Date.parse(erased.again_after)).toBeGreaterThan(Date.now());
    expect(await stored()).toEqual(['Stays']);

    const later = [
      event({ user_id: ada }),
      event({ anonymous_id: own }),
      event({ user_id: 'bob', anonymous_id: own, event: 'of another on the device' }),
      event({ anonymous_id: shared, event: 'of a device that others share' }),
    ];
    expect(await postNative(...later)).toBe(202);
    expect(await postNative(event({ user_id: ada }))).toBe(202);
    const posthog = { event: 'Order Placed', distinct_id: ada };
    expect(await post('/collect/batch/', { api_key: project.key, batch: [posthog] })).toBe(200);
    const message = { type: 'track', event: 'Order Placed', userId: ada };
    expect(await post('/collect/segment/v1/batch', { writeKey: project.key, batch: [message] })).toBe(200);
    expect(await stored()).toEqual(['Stays', 'of a device that others share', 'of another on the device']);

    const counts = eventCountReader({ client: dynamodb(), name: stores.environment.EVENT_TABLE_NAME });
    const [today] = await counts(project.workspace, project.project, [new Date().toISOString().slice(0, 10)]);
    expect(today).toMatchObject({ accepted: 5, suppressed: 5, rejected: {} });
  });

  it('is listed without the id, and an operator can store the later events again', async () => {
    const user_id = `eve ${randomUUID()}`;
    await admin('events', 'erase', '--anonymous-id', user_id, '--suppress');
    await admin('events', 'erase', '--user', user_id, '--suppress');
    // Twice is once.
    await admin('events', 'erase', '--user', user_id, '--suppress');
    const listed: readonly { readonly column: string; readonly created_by: string }[] = await admin(
      'suppressions',
      'list',
    );
    expect(listed.map(({ column }) => column).sort()).toEqual(['anonymous_id', 'user_id', 'user_id']);
    expect(listed.every(({ created_by }) => created_by.startsWith('operator:'))).toBe(true);
    expect(
      JSON.stringify([
        listed,
        await commandJson(['admin', 'audit', project.workspace, '--credentials', credentials.file]),
      ]),
    ).not.toContain(user_id);
    expect(await admin('suppressions', 'remove', '--user', user_id)).toEqual({ removed: true });
    expect(await admin('suppressions', 'remove', '--user', user_id)).toEqual({ removed: false });
    await postNative(event({ user_id, event: 'again' }), event({ user_id, anonymous_id: user_id, event: 'never' }));
    expect((await stored()).filter((name) => ['again', 'never'].includes(name))).toEqual(['again']);
  });
});
