/** Whom the development issuer signs tokens for. */
export type Person = { readonly user: string; readonly email?: string | undefined };

/** One whom a developer may choose to be. */
export type OfferedUser = Person & { readonly label: string };
