import { readFileSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

const [people = '', sessions = '', byDay = '', daily = ''] = Array.from(
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

it('has the views of the local command, word for word', () => {
  expect(readFileSync('cli/events/views.sql', 'utf8')).toBe([people, sessions, byDay].join('\n'));
});

describe.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/New_York'])('in the zone %s', (zone) => {
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`set timezone = '${zone}';
    create table events (id varchar, type varchar, event varchar, timestamp varchar, sent_at varchar, received_at timestamp,
      user_id varchar, anonymous_id varchar, workspace_id varchar, project_id varchar, environment varchar)`);
    for (const view of [people, sessions, byDay]) await connection.run(view);
  });

  const text = (value: string | null): string => (value === null ? 'null' : `'${value}'`);

  async function store(events: readonly Event[]): Promise<void> {
    await connection.run('delete from events');
    for (const { id, type, at, user_id, anonymous_id, project_id } of events) {
      // Senders write any zone; what has no readable time has that of its receipt.
      const moment = new Date(at).toISOString();
      const sent = id.endsWith('3') ? null : id.endsWith('5') ? moment.replace('Z', '+00:00') : moment;
      const event = type === 'track' ? 'Order' : null;
      const values = [
        id,
        type,
        event,
        sent,
        null,
        moment.replace('Z', ''),
        user_id,
        anonymous_id,
        'ws',
        project_id,
        'prod',
      ];
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
    const users = new Set(
      events.flatMap(({ project_id, user_id }) => (user_id === null ? [] : [`${project_id} ${user_id}`])),
    );
    const laterOf = (project: string, name: string) => {
      const later = users.has(`${project} ${name}`) ? known.get(`${project} ${name}`) : undefined;
      return later ?? name;
    };
    const open = new Map<string, { first: number; last: number; events: number; pages: number; number: number }>();
    const all: string[] = [];
    const close = (person: string) => {
      const one = open.get(person);
      if (one) all.push([person, one.number, one.first, one.last, one.events, one.pages].join(' '));
    };
    for (const { project_id, user_id, anonymous_id, at, type } of ordered) {
      const name = user_id ?? known.get(`${project_id} ${anonymous_id}`) ?? anonymous_id;
      if (name === null) continue;
      const person = `${project_id} ${laterOf(project_id, name)}`;
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
    // A user may be named anew by an alias.
    anonymous_id: fc.constantFrom(null, 'a1', 'a2', 'bob'),
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
        const found =
          await rowsOf(`select project_id || ' ' || person as person, session, epoch_ms(started_at) as first,
        epoch_ms(ended_at) as last, events, pages from sessions`);
        const lines = found.map((row) =>
          [row['person'], row['session'], row['first'], row['last'], row['events'], row['pages']].join(' '),
        );
        expect(lines.sort()).toEqual(sessionsOf(events));
      }),
      { numRuns: 12 },
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

  it('reads times that DuckDB does not, counts events by day, and corrects clocks by sent_at', async () => {
    await connection.run('delete from events');
    const rows = [
      ['e0', '2026-12-31T23:59:60Z', null, '2027-01-01 00:00:05'],
      ['e1', '2026-12-31t23:00:00.5z', null, '2027-01-01 00:00:05'],
      ['e2', '2026-12-31T22:00:00+00:00', '2026-12-31T22:00:10Z', '2026-12-31 23:00:10'],
    ];
    for (const [id = null, timestamp = null, sent_at = null, received_at = null] of rows)
      await connection.run(
        `insert into events values (${[id, 'track', 'Order', timestamp, sent_at, received_at, 'ada', null, 'ws', 'p', 'prod'].map(text).join(', ')})`,
      );
    expect(await rowsOf('select id, occurred_at, corrected_at from people order by id')).toEqual([
      { id: 'e0', occurred_at: '2026-12-31 23:59:59', corrected_at: '2026-12-31 23:59:59' },
      { id: 'e1', occurred_at: '2026-12-31 23:00:00.5', corrected_at: '2026-12-31 23:00:00.5' },
      { id: 'e2', occurred_at: '2026-12-31 22:00:00', corrected_at: '2026-12-31 23:00:00' },
    ]);
    expect(await rowsOf('select day, event, events, persons from events_by_day')).toEqual([
      { day: '2026-12-31', event: 'Order', events: '3', persons: '1' },
    ]);
  });
});
