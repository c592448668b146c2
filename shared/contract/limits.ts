const KiB = 1024;
const MiB = 1024 * KiB;

/** Every bound of the interface: specification 8 and decisions 1, 11. Bytes, counts and characters. */
export const limits = {
  requestId: { maxLength: 128 },
  collection: {
    events: { min: 1, max: 100 },
    bodyBytes: 1 * MiB,
    eventBytes: 32 * KiB,
    nesting: 10,
    groups: 20,
    identifier: 200,
    bodyTimeoutMs: 30_000,
  },
  openlineage: {
    bodyBytes: 8 * MiB,
    batch: { min: 1, max: 1_000 },
    idempotencyKey: 600,
    providerKey: 500,
    /** A namespace or a name of a job or dataset: as long as a relation may be asked for. */
    name: 2_000,
    symlinks: 100,
  },
  declared: { bodyBytes: 200 * MiB, idempotencyKey: 500, importSource: 300, projectId: 300 },
  /** Seconds: from the announcement of an upload until its PUT may begin no more, and until it is forgotten. */
  upload: { putWithin: 3_600, completeWithin: 86_400 },
  token: { expiryDays: { min: 1, max: 365 }, name: 100 },
  impact: { depth: { min: 1, max: 10, default: 5 }, nodes: { min: 1, max: 500, default: 200 } },
  diff: { edges: { min: 1, max: 2_000, default: 500 }, listed: 2_000 },
  export: { min: 1, max: 2_000, default: 500 },
  page: { min: 1, max: 200, default: 50 },
  gapType: 120,
  policy: {
    pattern: 500,
    patterns: 200,
    rules: 100,
    providerType: 200,
    engine: 100,
    engines: 50,
    filtersBytes: 64 * KiB,
  },
  json: { bodyBytes: 1 * MiB },
  /** Lambda takes 6 MB a request, base64 included: larger bodies go through an upload. */
  inlineBytes: 4_600_000,
  sqsMessageBytes: 1 * MiB,
} as const;
