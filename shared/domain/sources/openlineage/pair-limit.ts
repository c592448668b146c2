/** More edges than a person or a store makes sense of: such a product is a mistake, or an attack. */
const mostPairs = 250_000;

/** Whether inputs × outputs is too large to be inferred as lineage. */
export const exceedsMaxPairs = (inputs: number, outputs: number): boolean => inputs * outputs > mostPairs;
export const maxPairsRule = `must not make more than ${mostPairs} pairs with inputs`;
