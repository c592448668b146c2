import { describe, expect, it } from 'vitest';
import { randomFloats } from '../../bench/support/random-floats.ts';
import { anHourLater, columnEdges, newProject, relationEdges } from '../../bench/week/projects.ts';
import { type Outcome, violations } from '../../bench/week/rules.ts';
import type { Hour, Watch } from '../../bench/week/watch.ts';

const hour: Hour = {
  hour: 0,
  memory_mib: { service: 500 },
  depth: {},
  waited: { events: [0.1, 2] },
  drained_seconds: 1,
  cpu_seconds: 1,
};
const steady = Array.from({ length: 8 }, (_, n) => ({ ...hour, hour: n }));
const watched = (parts: Partial<Watch> = {}): Watch => ({
  hours: steady,
  failures: [],
  heaps: [{ queries: 40 }, { queries: 40 }, { queries: 41 }],
  stored: [],
  beginHour: () => undefined,
  drain: async () => 0,
  endHour: async () => hour,
  endDay: async () => undefined,
  deadLetters: async () => ({}),
  stop: () => undefined,
  ...parts,
});
const same = { expected: 2, found: 2, missing: [], foreign: [] };
const good: Outcome = {
  graph: { relations: same, columns: same },
  lake: { sent: 3, stored: 3, doubled: 0, lost: 0, foreign_rows: 0 },
  deadLetters: { events: 0 },
  failedDeliveries: 0,
  wrongAnswers: [],
  checkStates: ['passed'],
  cost: { used: 1, expected: 1 },
};

describe('the week of a team', () => {
  it('is without violations where everything keeps to its bound', () => {
    expect(violations(watched(), good)).toEqual([]);
  });

  const growing = steady.map((one, n) => ({ ...one, memory_mib: { service: 500 + 30 * n } }));
  const waiting = steady.map((one) => ({ ...one, waited: { events: [1, 301] as const } }));
  it.each([
    ['memory that grows', watched({ hours: growing }), good],
    ['a heap that grows', watched({ heaps: [{ queries: 40 }, { queries: 40 }, { queries: 60 }] }), good],
    ['messages that wait', watched({ hours: waiting }), good],
    ['work that is not done', watched({ hours: [{ ...hour, drained_seconds: Number.POSITIVE_INFINITY }] }), good],
    ['a function that failed', watched({ failures: ['sweep: its thread ended'] }), good],
    ['dead letters', watched(), { ...good, deadLetters: { events: 1 } }],
    ['a missing edge', watched(), { ...good, graph: { ...good.graph, columns: { ...same, missing: ['a.x -> b.x'] } } }],
    ['a stale edge', watched(), { ...good, graph: { ...good.graph, relations: { ...same, foreign: ['a -> b'] } } }],
    ['an event stored twice', watched(), { ...good, lake: { ...good.lake, doubled: 1 } }],
    ['a wrong response', watched(), { ...good, wrongAnswers: ['impact of b'] }],
    ['a check that was not evaluated', watched(), { ...good, checkStates: ['not evaluated'] }],
    ['a dear week', watched(), { ...good, cost: { used: 2.1, expected: 1 } }],
  ])('reports %s', (_, watch, outcome) => {
    expect(violations(watch, outcome)).not.toEqual([]);
  });

  it('changes projects so that each builds, and edges come and go', () => {
    const random = randomFloats(1);
    let project = newProject('team', random);
    const edges = new Set<string>();
    const changes = new Set<number>();
    for (let n = 0; n < 168; n++) {
      project = anHourLater(project, random);
      changes.add(project.models.length);
      const names = project.models.map(({ name }) => name);
      for (const [index, { reads }] of project.models.entries())
        expect([...project.sources, ...names.slice(0, index)]).toEqual(expect.arrayContaining([...reads]));
      for (const [from, to] of relationEdges(project)) edges.add(`${from} ${to}`);
      expect(columnEdges(project).length).toBeGreaterThanOrEqual(2 * project.models.length);
    }
    expect(changes.size).toBeGreaterThan(3);
    expect(edges.size).toBeGreaterThan(2 * relationEdges(project).length);
  });
});
