/** Where the original bytes of deliveries stand, for good. */
export const rawPrefix = 'raw/';
/** Where listings too long for an item stand, and what large documents state: the only objects of the raw bucket that functions delete. */
export const listingsPrefix = 'listings/';
/** Where webhooks and manifests of commits stand; both expire. */
export const webhooksPrefix = 'webhooks/';
export const manifestsPrefix = 'manifests/';
/**
 * A payload that has no more bytes than this, deflated, waits in an item of the table for the archive of its hour: with
 * its key, three write units to put and three to remove, where an object of its own costs as much as eight.
 */
export const smallPayloadBytes = 2_900;
