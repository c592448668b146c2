/**
 * The version of the rules that turn deliveries into derivations. Raise it whenever the same bytes would be read
 * otherwise than before: what an older version worked is then reported as a gap until its feed delivers again.
 */
export const normalizerVersion = 6;
