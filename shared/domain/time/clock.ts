/** Time is an input: whoever needs the present moment is given a clock. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
