const minute = 60_000;

/** When the sweep looks at a recount whose next step was just asked for: a message that takes longer was lost, or waits. */
export const dueAfterStep = (now: Date): string => new Date(now.getTime() + 5 * minute).toISOString();
