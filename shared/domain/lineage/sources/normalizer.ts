/**
 * The version of the rules by which deliveries are read into derivations. Raised whenever the same bytes would be read
 * otherwise than before: what an older version worked is then reported as a gap until its feed delivers again.
 */
export const normalizerVersion = 6;
