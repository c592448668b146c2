import * as v from 'valibot';
import { type FunctionRoutes, servedBy } from './route.ts';

type Setting = { readonly otherwise: string; readonly says: string };

export const settings = {
  COLLECTION_ENABLED: { otherwise: 'true', says: 'false refuses every batch of events: 503 collection_disabled' },
  COLLECTION_SINK: {
    otherwise: 'lake',
    says: 'discard answers 200 with the status discarded, and stores no event; iceberg is for a tenant that has its tables',
  },
  COLLECT_RATE: { otherwise: '2000', says: 'events a second that a project key may send' },
  COLLECT_BURST: { otherwise: '4000', says: 'events at once that a project key may send' },
  LINEAGE_RATE: { otherwise: '500', says: 'requests a second that a workspace may send, but those of events' },
  LINEAGE_BURST: { otherwise: '2000', says: 'requests at once that a workspace may send, but those of events' },
  EVENTS_DEDUP_DAYS: {
    otherwise: '400',
    says: 'days for which an event id is kept, so that what comes again under it is a duplicate; at least 45',
  },
  DEDUP_GUESS_SECONDS: {
    otherwise: '900',
    says: 'seconds within which equal events without an id, of a request that was not answered, are its retry',
  },
  RECEIPTS_DAYS: {
    otherwise: 'forever',
    says: 'days for which receipts of run events are kept after their end; at least 400',
  },
  CODEHOST_ALLOWED_HOSTS: {
    otherwise: 'none',
    says: 'code hosts that may be asked though their addresses are not public, by name, separated by commas',
  },
  CODEHOST_APP_ID: { otherwise: 'none', says: 'the app of the deployment itself at its code host, by its number' },
  CODEHOST_APP_SLUG: { otherwise: 'none', says: 'the name of that app in URLs' },
  CODEHOST_CLIENT_ID: { otherwise: 'none', says: 'the client ID of that app' },
  CODEHOST_BASE_URL: { otherwise: 'https://github.com', says: 'address of that code host' },
  CODEHOST_API_URL: { otherwise: 'https://api.github.com', says: 'address of that code host’s API' },
  WEBHOOK_ALLOWED_HOSTS: {
    otherwise: 'none',
    says: 'hosts that webhooks may name though their addresses are not public, separated by commas',
  },
  HEALTH_STORES: {
    otherwise: 'false',
    says: 'true makes GET /health read the stores; the default in the local service',
  },
  DIRECT_REQUESTS: {
    otherwise: 'true',
    says: 'false sends each request to tables and queues through the SDK’s middleware, at more processor time',
  },
} as const satisfies Record<string, Setting>;

export const localSettings = {
  BODY_TIMEOUT_MS: {
    otherwise: '30000',
    says: 'how long a body may take to arrive, in milliseconds: 408 body_timeout',
  },
} as const satisfies Record<string, Setting>;

/** Where people sign in: the issuer's OpenID configuration, and the public client that it redirects to this machine. */
export const SignInDirections = v.object({ discovery_url: v.pipe(v.string(), v.url()), client_id: v.string() });
export type SignInDirections = v.InferOutput<typeof SignInDirections>;

/** What a client has to know before anybody has signed in: C-ACCESS-10. */
export const signInRoutes = servedBy('access', {
  getSignInDirections: {
    method: 'GET',
    path: '/v1/auth/sign-in',
    summary: 'Returns the identity provider for sign-in, and the client id to use.',
    access: { kind: 'public' },
    replies: { 200: { description: 'Where people sign in.', schema: SignInDirections } },
  },
} as const satisfies FunctionRoutes);
