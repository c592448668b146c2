/** A share between 0 and 1 as one reads it. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`;
