import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { addChecks, checkStates } from './week/checks.ts';
import { expectedDollars, sinceFirst, usageOf, usedDollars } from './week/cost.ts';
import { deleteExpired } from './week/expired.ts';
import { graphAtEnd, lakeAtEnd } from './week/outcome.ts';
import { readersOf } from './week/readers.ts';
import { reportOf } from './week/report.ts';
import { violations as brokenIn } from './week/rules.ts';
import { startWeekService } from './week/service.ts';
import { hire, scaled, type Team } from './week/team.ts';
import { watchService } from './week/watch.ts';

// A week of a team on the local service, with a clock that leaves out idle time (bench/week/service-process.mjs). Prints a
// JSON line for each hour and one for each violation, and ends with 1 if there is one.
const { values } = parseArgs({
  options: {
    /** How long the week may take; fewer minutes take less of the team. */
    minutes: { type: 'string', default: '60' },
    hours: { type: 'string', default: '168' },
    report: { type: 'string' },
  },
});
const hourMs = 3_600_000;
const print = (line: object): void => void process.stdout.write(`${JSON.stringify({ bench: 'week', ...line })}\n`);

/** A signal ends the week after the current hour, with a report of the hours until then. */
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));

const began = performance.now();
const service = await startWeekService();
const watch = watchService(service);
try {
  const scale = scaled(Number(values.minutes));
  const team = await hire(service.credentials, scale);
  print({ scale });
  await addChecks(team);
  const readers = readersOf(team);
  const start = Date.now();
  const costs = async () => {
    const [figures, consumed] = [await service.figures(), await service.consumed()];
    const observed = {
      hours: watch.hours.length,
      workspaces: Object.keys(service.credentials.workspaces).length,
      storeRuns: figures.invocations['store-events'] ?? 0,
    };
    const used = usedDollars(usageOf(figures, consumed, team.sent.requests));
    return [used, expectedDollars(team, readers, observed)] as const;
  };
  let first = await costs();
  for (let hour = 0; hour < Number(values.hours) && !stopped; hour++) {
    watch.beginHour();
    const atWork = isWorkingHour(start + hour * hourMs);
    // The graph of the first hour is not there before its end.
    const asking =
      hour === 0 ? Promise.resolve() : readers.ask(atWork ? scale.readers : Math.ceil(scale.readers / 10), 'working');
    await Promise.all([team.sendHour(hour), asking]);
    const drained = await watch.drain(() => isOpen(team));
    await readers.ask(Math.ceil(scale.readers / 20), 'quiet');
    print(await watch.endHour(hour, drained ?? Number.POSITIVE_INFINITY));
    // Tokens, jobs that nobody knows and first snapshots cost once.
    if (hour === 0) first = await costs();
    await service.moveTo(start + (hour + 1) * hourMs);
    if (hour % 24 === 23) {
      const expired = await deleteExpired(service.credentials);
      await watch.endDay();
      print({ day: (hour + 1) / 24, expired, heaps: watch.heaps.at(-1), stored: watch.stored.at(-1) });
    }
  }
  if (stopped) await watch.endDay();
  await watch.drain(() => isOpen(team));
  const [used, expected] = sinceFirst(first, await costs());
  const sum = (amounts: Readonly<Record<string, number>>) => Object.values(amounts).reduce((all, one) => all + one, 0);
  const outcome = {
    graph: await graphAtEnd(team, service.credentials.base_url, team.readerTokens[0] ?? ''),
    lake: await lakeAtEnd(team, service.file),
    deadLetters: await watch.deadLetters(),
    failedDeliveries: (await deliveriesIn(team, 'failed')).length,
    wrongAnswers: readers.wrong,
    checkStates: await checkStates(team),
    cost: { used: sum(used), expected: sum(expected) },
  };
  const { failures } = await service.figures();
  const violations = brokenIn({ ...watch, failures }, outcome);
  const minutes = (performance.now() - began) / 60_000;
  const requests = Object.fromEntries(Object.entries(await service.consumed()).map(([of, one]) => [of, one.requests]));
  const report = reportOf({ team, readers, watch, outcome, violations, minutes, used, expected, requests });
  if (values.report) writeFileSync(values.report, report);
  for (const violation of violations) print({ violation });
  print({ minutes, violations: violations.length, ...outcome.cost, lake: outcome.lake });
  if (violations.length > 0) process.exitCode = 1;
} finally {
  watch.stop();
  await service.stop();
}

/** On workdays between nine and six; the others ask at any time, but there are few of them. */
function isWorkingHour(time: number): boolean {
  const date = new Date(time);
  return date.getUTCDay() % 6 !== 0 && date.getUTCHours() >= 9 && date.getUTCHours() < 18;
}

async function isOpen(team: Team): Promise<boolean> {
  for (const state of ['accepted', 'processing']) if ((await deliveriesIn(team, state)).length > 0) return true;
  return false;
}

async function deliveriesIn(team: Team, state: string): Promise<readonly unknown[]> {
  const query = new URLSearchParams({ workspace_id: team.workspace, state, limit: '100' });
  const { body } = await team.call('GET', `/v1/lineage/deliveries?${query}`, { watches: true });
  return v.parse(v.object({ items: v.array(v.unknown()) }), body).items;
}
