/** Raise it if the same bytes are read otherwise: deliveries of older versions then show as a gap until resent. */
export const normalizerVersion = 17;
