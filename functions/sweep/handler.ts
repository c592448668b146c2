import * as v from 'valibot';
import { SweepRequest } from '../../shared/contract/sweep-task.ts';
import { instrumented } from '../../shared/runtime/instrumented.ts';
import { sweepTasks } from './tasks.ts';

const tasks = sweepTasks();

/** Runs the task that a schedule asks for. */
export const handler = instrumented(async (event: unknown): Promise<void> => {
  const { task } = v.parse(SweepRequest, event);
  await tasks[task](new Date());
});
