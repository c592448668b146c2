/** More edges than a person or a store makes sense of: such a product is a mistake, or an attack. */
const maxPairs = 250_000;

/** Whether inputs × outputs is too large to be inferred as lineage. */
export const exceedsMaxPairs = (inputs: number, outputs: number): boolean => inputs * outputs > maxPairs;
export const maxPairsRule = `must not make more than ${maxPairs} pairs with inputs`;
