import * as v from 'valibot';

/** What a schedule asks of the sweep: re-send what is due, look for gaps, remove what nothing needs, look at checks again, archive small payloads. */
const sweepTasks = ['due', 'gaps', 'garbage', 'checks', 'payloads'] as const;
export type SweepTask = (typeof sweepTasks)[number];

/** The event of a scheduled rule. */
export const SweepRequest = v.object({ task: v.picklist(sweepTasks) });
export type SweepRequest = v.InferOutput<typeof SweepRequest>;
