/** How often a property over stores is tried: more often where a longer check raises the factor. */
export const runs = (count: number): number => Math.round(count * Number(process.env['TEST_RUNS_FACTOR'] ?? 1));
