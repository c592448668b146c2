/** What the tokens of the issuer of a laptop say of it. */
export const issuerName = { issuer: 'http://issuer.tributary.test', audience: 'tributary' } as const;

export const issuerPaths = { jwks: '/jwks.json', discovery: '/.well-known/openid-configuration' } as const;

/** Where the issuer that listens at an address keeps its keys, and describes itself. */
export const issuerUrls = (address: string) => ({
  jwksUrl: `${address}${issuerPaths.jwks}`,
  discoveryUrl: `${address}${issuerPaths.discovery}`,
});

/** Whom the development issuer signs tokens for. */
export type Person = { readonly user: string; readonly email?: string | undefined };

/** One whom a developer may choose to be. */
export type OfferedUser = Person & { readonly label: string };
