/** The explorer's pages, as addresses below the API's own: one document serves them all, and reads the address itself. */
export const pages = [
  '/',
  '/lineage',
  '/changes',
  '/providers',
  '/deliveries',
  '/deliveries/{delivery_id}',
  '/gaps',
  '/policy',
  '/tokens',
  '/collection',
  '/access',
  '/checks',
  '/authorize',
  '/sign-in',
  '/signed-in',
] as const;

/** Where the issuer sends people back to. */
export const signedInPage = '/signed-in';

/** Where a person allows an agent a token: the query holds what the agent asks for, by the fields of its request. */
export const authorizePage = '/authorize';

/** Where the explorer's built files lie: their names hold a digest of their content. */
export const assetsFolder = '/assets/';

/** What the served document tells the explorer, as JSON in its meta element `tributary`. */
export type PageSettings = {
  /** The path under which the API stands, with a final slash. */
  readonly base: string;
  readonly client_id: string;
  /** Null while the issuer cannot be reached. */
  readonly issuer: PageIssuer | null;
  /** Takes a session token from the fragment of an address: only on a laptop. */
  readonly token_in_fragment: boolean;
};

export type PageIssuer = {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  /** Without them its tokens are taken to be signed by RS256. */
  readonly id_token_signing_alg_values_supported?: readonly string[] | undefined;
  readonly revocation_endpoint?: string | undefined;
  readonly end_session_endpoint?: string | undefined;
};
