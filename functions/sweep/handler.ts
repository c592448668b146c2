import * as v from 'valibot';
import { SweepRequest } from '../../shared/contract/messages.ts';
import { sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { sweepTasks } from './tasks.ts';

const tasks = sweepTasks(sweepPorts());

/** What is under way when the time is up must still end. */
const reserveMs = 60_000;

/** Runs the task that a schedule asks for. */
export const handler = instrumented(async (event: unknown, context): Promise<void> => {
  const { task, hourly } = v.parse(SweepRequest, event);
  const timeIsUp = () => context.getRemainingTimeInMillis() < reserveMs;
  await tasks[task]({ now: new Date(), hourly, timeIsUp });
});
