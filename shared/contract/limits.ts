const KiB = 1024;
const MiB = 1024 * KiB;

/** Every bound of the interface: C-LIMIT-1 to C-LIMIT-9. Bytes, counts and characters. */
export const limits = {
  requestId: { maxLength: 128 },
  collection: {
    events: { min: 1, max: 100 },
    bodyBytes: 1 * MiB,
    eventBytes: 32 * KiB,
    nesting: 10,
    groups: 20,
    identifier: 200,
  },
  /** Every query reads them all. */
  providerKeys: 100,
  providerName: 200,
  collectionProject: { name: 100, environment: 64, origin: 300, names: 50, days: { min: 1, max: 90, default: 14 } },
  /** Of a project and day, those of origins that it does not allow, and what a process writes of them at once. */
  senders: { most: 40, notAllowed: 20, atOnce: 20, shown: 100 },
  /** Of a workspace, and the anonymous ids of each of them. */
  suppressed: { persons: 10_000, linked: 1_000 },
  /**
   * Of a project's events together, their names apart, and the characters and levels of a field's path. Without a
   * server key, events have a share of both.
   */
  collectionShapes: { events: 500, fields: 1_000, openShare: 0.8, path: 300, depth: 4, changes: 100 },
  /**
   * Of a tracking plan: `schemas` and `depth` of an event's schema, `values` of an enumeration, and the `steps` of
   * checking one event, each a schema or a name that is looked at: `ownSteps` for its schema, and some for each byte.
   */
  trackingPlan: {
    bytes: 128 * KiB,
    events: 500,
    name: 200,
    schemas: 200,
    depth: 20,
    values: 200,
    alternatives: 20,
    ownSteps: 2_000,
    stepsPerByte: 10,
    steps: 20_000,
  },
  collectionLineage: { relations: 5, relation: 500 },
  openlineage: {
    bodyBytes: 8 * MiB,
    batch: { min: 1, max: 1_000 },
    idempotencyKey: 600,
    providerKey: 500,
    /** A namespace or a name of a job or dataset: as long as a relation may be asked for. */
    name: 2_000,
    symlinks: 100,
  },
  declared: {
    bodyBytes: 200 * MiB,
    idempotencyKey: 500,
    importSource: 300,
    projectId: 300,
    /** Once inlined models are collapsed. */
    dependencies: 2_000_000,
    /** Entries, nodes, macros and whatever else a document lists. */
    items: 500_000,
    /** Of one item, and of all that is no item. */
    itemBytes: 16 * MiB,
  },
  /** Seconds: from the announcement of an upload until its PUT may begin no more, and until it is forgotten. */
  upload: { putWithin: 3_600, completeWithin: 86_400 },
  token: { expiryDays: { min: 1, max: 365 }, name: 100 },
  agentAuthorization: {
    challenge: { min: 43, max: 128 },
    redirectUri: 512,
    deviceId: { min: 8, max: 200 },
    deviceName: 200,
    clientId: { min: 8, max: 512 },
    redirectUris: 10,
    registrationBytes: 16 * KiB,
    clientWord: 80,
    resource: 512,
    scope: 200,
    /** Lifetime of a code, in seconds. */
    codeSeconds: 600,
    tokenDays: 90,
    /** How long an unused token can be renewed, and how long a sign-in can be continued, in days. */
    renewalDays: 180,
    signInDays: 365,
    /** How long a sign-in may go on with an administrator's approval. */
    approvalDays: 7,
  },
  agentArtifact: {
    id: 200,
    path: 1_000,
    language: 80,
    logEntries: 200,
    previewColumns: 200,
    previewRows: 100,
    /** Of each part that is not the content, as JSON. */
    partBytes: 64 * KiB,
    /** Longer content is its own object. */
    inlineBytes: 100_000,
  },
  memory: {
    correction: 2_000,
    candidates: { min: 1, max: 5, default: 3 },
    title: 160,
    targetKey: 160,
    targetType: 80,
    tags: 50,
    tag: 100,
  },
  agentCheck: { enabled: 10, name: 100, expectation: 2_000, patterns: 20, pattern: 500, violations: 100 },
  accessRequest: { reason: 1_000 },
  codehost: {
    appId: 80,
    appSlug: 200,
    privateKey: 20_000,
    secret: 10_000,
    clientId: 200,
    url: 500,
    /** Of all secrets of an app together, as Secrets Manager takes them. */
    secretBytes: 64 * KiB,
    state: { min: 12, max: 300 },
    code: 500,
    setupAction: 40,
    /** Lifetime of an installation's state, in seconds. */
    startSeconds: 600,
    path: 1_000,
    artifactName: 200,
    repositories: 100,
    /** Of one check run; the host takes this many a request. */
    annotations: { perRequest: 50, total: 500 },
    /** Characters of a summary, as the host takes them. */
    summary: 65_535,
    /** Days for which webhooks and manifests of commits are kept. */
    keptDays: 30,
    /** How often a check is tried while the host cannot be asked. */
    attempts: 8,
    /** Seconds for which webhooks signed with the previous secret are still accepted. */
    formerSecretSeconds: 3_600,
  },
  /** Of a workspace; the waits in seconds lie between the attempts to deliver a notification. */
  webhook: { most: 20, url: 2_000, listed: 20, waits: [10, 60, 300, 900] },
  /** Of a text that is given to the SQL parser, which cannot be interrupted: C-LIMIT-11. */
  sql: { characters: 1_000_000, tokens: 50_000, nesting: 1_000, dollarTags: 50 },
  /**
   * Of a claim: names that one limit lists; seconds that evidence may be old; days after which an edge that is observed no
   * more is a remark.
   */
  claim: { subjects: 20, maxAgeSeconds: 30, longAgoDays: 400 },
  impact: { depth: { min: 1, max: 10, default: 5 }, nodes: { min: 1, max: 500, default: 200 } },
  /** What one answer about lineage may take of the store: C-LIMIT-13. */
  answer: { requests: 4_000, readUnits: 5_000 },
  /**
   * Read units of the store, each 4 KB of a consistent read: C-LIMIT-12. The rates are those of a workspace and of each
   * of its callers; an answer that takes fewer than `counted` is free.
   */
  readUnits: {
    counted: 100,
    workspace: { perSecond: 2_000, burst: 100_000 },
    caller: { perSecond: 500, burst: 25_000 },
  },
  diff: {
    edges: { min: 1, max: 2_000, default: 500 },
    listed: 2_000,
    files: 100,
    fileCharacters: 500_000,
    keptDays: 30,
  },
  /** Of a JSON answer, as Lambda hands it on: a string within JSON. It takes 6 MB, headers included. */
  answerBytes: 5_500_000,
  /** Of the changes of a graph: as far back as `as_of` reaches. */
  history: { days: { min: 1, max: 90, default: 30 }, listed: 500 },
  export: { min: 1, max: 2_000, default: 500 },
  page: { min: 1, max: 200, default: 50 },
  gapType: 120,
  policy: {
    pattern: 500,
    patterns: 200,
    /** Of all patterns together: each name is held to all of them. */
    patternCharacters: 16_000,
    rules: 100,
    providerType: 200,
    engine: 100,
    engines: 50,
    filtersBytes: 64 * KiB,
  },
  json: { bodyBytes: 1 * MiB, nesting: 1_000 },
  /** Lambda takes 6 MB a request, base64 included: larger bodies go through an upload. */
  inlineBytes: 4_600_000,
  sqsMessageBytes: 1 * MiB,
  /** A disk with less is full for the local service. */
  fullDiskBytes: 1 * MiB,
} as const;
