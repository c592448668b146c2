/** Where the original bytes of deliveries stand, for good. */
export const rawPrefix = 'raw/';
/** Where listings too long for an item stand: the only objects of the raw bucket that functions delete. */
export const listingsPrefix = 'listings/';
/** Where webhooks and manifests of commits stand; both expire. */
export const webhooksPrefix = 'webhooks/';
export const manifestsPrefix = 'manifests/';
