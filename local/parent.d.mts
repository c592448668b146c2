/** Whether the process that started this one has ended since. */
export function isOrphan(): boolean;
