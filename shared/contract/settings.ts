type Setting = { readonly otherwise: string; readonly says: string };

/** What an operator may choose for the functions of a deployment, or by the environment of the local service. */
export const settings = {
  COLLECTION_ENABLED: { otherwise: 'true', says: 'false refuses every batch of events: 503 collection_disabled' },
  COLLECTION_SINK: { otherwise: 'lake', says: 'discard answers 200 with the status discarded, and stores no event' },
  COLLECT_RATE: { otherwise: '2000', says: 'events a second that a project key may send to one process' },
  COLLECT_BURST: { otherwise: '4000', says: 'events at once that a project key may send to one process' },
  HEALTH_STORES: {
    otherwise: 'false',
    says: 'true has GET /health read the stores; the local service does, unless told otherwise',
  },
} as const satisfies Record<string, Setting>;

/** What the local service alone reads. */
export const localSettings = {
  BODY_TIMEOUT_MS: {
    otherwise: '30000',
    says: 'how long a body may take to arrive, in milliseconds: 408 body_timeout',
  },
} as const satisfies Record<string, Setting>;
