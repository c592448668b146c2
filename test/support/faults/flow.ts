import type { FaultRun } from './run.ts';
import type { Place } from './world.ts';

/** What clients and operators do, one after the other. */
export type Flow = (run: FaultRun, place: Place) => Promise<void>;
