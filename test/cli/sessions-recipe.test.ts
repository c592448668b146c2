import { readFileSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';

const [people = '', sessions = '', daily = ''] = Array.from(
  readFileSync('docs/sessions.md', 'utf8').matchAll(/```sql\n([\s\S]*?)```/g),
  ([, sql = '']) => sql,
);

type Event = {
  readonly id: string;
  readonly type: 'track' | 'page' | 'group';
  readonly project_id: string;
  readonly user_id: string | null;
  readonly anonymous_id: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`set timezone = 'America/New_York';
    create table events (id varchar, type varchar, timestamp varchar, received_at timestamp, user_id varchar,
      anonymous_id varchar, workspace_id varchar, project_id varchar, environment varchar)`);
  await connection.run(people);
  await connection.run(sessions);
});

const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);

async function store(events: readonly Event[]): Promise<void> {
  await connection.run('delete from events');
  for (const { id, type, at, user_id, anonymous_id, project_id } of events) {
    // Senders write any zone; what has no readable time has that of its receipt.
    const moment = new Date(at).toISOString();
    const sent = id.endsWith('3') ? null : id.endsWith('5') ? moment.replace('Z', '+00:00') : moment;
    const values = [id, type, sent, moment.replace('Z', ''), user_id, anonymous_id, 'ws', project_id, 'prod'];
    await connection.run(`insert into events values (${values.map(text).join(', ')})`);
  }
}

const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();

const inOrder = (a: Event, b: Event) => a.at - b.at || (a.id < b.id ? -1 : 1);

/** The rules of the page, written as a program. */
function sessionsOf(events: readonly Event[]): string[] {
  const ordered = events.toSorted(inOrder);
  const known = new Map<string, string>();
  for (const { project_id, anonymous_id, user_id } of ordered) {
    const device = `${project_id} ${anonymous_id}`;
    if (anonymous_id !== null && user_id !== null && !known.has(device)) known.set(device, user_id);
  }
  const open = new Map<string, { first: number; last: number; events: number; pages: number; number: number }>();
  const all: string[] = [];
  const close = (person: string) => {
    const one = open.get(person);
    if (one) all.push([person, one.number, one.first, one.last, one.events, one.pages].join(' '));
  };
  for (const { project_id, user_id, anonymous_id, at, type } of ordered) {
    const name = user_id ?? known.get(`${project_id} ${anonymous_id}`) ?? anonymous_id;
    if (name === null) continue;
    const person = `${project_id} ${name}`;
    const before = open.get(person);
    const isNew = before === undefined || at - before.last >= 30 * 60_000;
    if (isNew) close(person);
    const { number = 0, first = at, events: count = 0, pages = 0 } = before ?? {};
    const page = type === 'page' ? 1 : 0;
    open.set(
      person,
      isNew
        ? { first: at, last: at, events: 1, pages: page, number: number + 1 }
        : { first, last: at, events: count + 1, pages: pages + page, number },
    );
  }
  for (const person of open.keys()) close(person);
  return all.sort();
}

const start = Date.parse('2026-11-01T04:00:00Z');
const event = fc.record({
  type: fc.constantFrom('track', 'page', 'group'),
  project_id: fc.constantFrom('p1', 'p2'),
  user_id: fc.constantFrom(null, 'ada', 'bob'),
  anonymous_id: fc.constantFrom(null, 'a1', 'a2'),
  // Around the half hour, over the end of daylight saving in the session's zone.
  at: fc.integer({ min: 0, max: 40 }).map((n) => start + n * 10 * 60_000 - (n % 3)),
});

it('finds the sessions and persons in DuckDB that the rules of docs/sessions.md say', async () => {
  const numbered = fc
    .array(event, { maxLength: 25 })
    .map((all) => all.map((one, at): Event => ({ ...one, type: one.type as Event['type'], id: `e${at}` })));
  await fc.assert(
    fc.asyncProperty(numbered, async (events) => {
      await store(events);
      const found = await rowsOf(`select project_id || ' ' || person as person, session, epoch_ms(started_at) as first,
        epoch_ms(ended_at) as last, events, pages from sessions`);
      const lines = found.map((row) =>
        [row['person'], row['session'], row['first'], row['last'], row['events'], row['pages']].join(' '),
      );
      expect(lines.sort()).toEqual(sessionsOf(events));
    }),
    { numRuns: 40 },
  );
});

it('counts sessions by day, and a visitor with the user that they turn out to be', async () => {
  const at = (hours: number) => start + hours * 3_600_000;
  const base = { type: 'page', project_id: 'p1' } as const;
  await store([
    { ...base, id: 'e0', user_id: null, anonymous_id: 'a1', at: at(10) },
    { ...base, id: 'e1', user_id: 'ada', anonymous_id: 'a1', at: at(10.2) },
    { ...base, id: 'e2', user_id: null, anonymous_id: 'a1', at: at(12) },
    { ...base, id: 'e4', user_id: null, anonymous_id: 'a2', at: at(12) },
  ]);
  expect(await rowsOf(daily)).toEqual([{ day: '2026-11-01', sessions: '3', persons: '2' }]);
  expect(await rowsOf('select distinct person, is_user from people order by person')).toEqual([
    { person: 'a2', is_user: false },
    { person: 'ada', is_user: true },
  ]);
});
