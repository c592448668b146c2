import { collectUrl, filters, isProfileUpdate, isSupportedName, withoutProfile } from './supported.js';

/** What would poll for feature flags, or send what the service does not take. */
const switchedOff = {
  enableExceptionAutocapture: false,
  preloadFeatureFlags: false,
  sendFeatureFlagEvent: false,
  personalApiKey: undefined,
  enableLocalEvaluation: false,
  historicalMigration: false,
};

/** 30 events of 32 KiB stay within the 1 MiB that a batch may have. */
const defaults = { flushAt: 20, maxBatchSize: 30, disableGeoip: true };

/** Options of `new PostHog(key, …)` that send events to `<baseUrl>/collect/batch/` (Capture V1: `/i/v1/analytics/events`), and to nothing else. */
export function posthogNodeOptions(baseUrl, options = {}) {
  const { before_send, fetch: send = globalThis.fetch, ...own } = options;
  const host = collectUrl(baseUrl);
  return {
    ...defaults,
    ...own,
    ...switchedOff,
    host,
    before_send: filters(serverFilter, before_send),
    // The SDK fetches flags when code requests one, regardless of options. Answer that there are none.
    fetch: (url, request) =>
      String(url).startsWith(`${host}/batch/`) || String(url).startsWith(`${host}/i/v1/analytics/events`)
        ? send(url, request)
        : Promise.resolve(Response.json({ flags: {}, featureFlags: {}, featureFlagPayloads: {} })),
  };
}

/** Drops what the service refuses: other reserved events, and profile updates of anonymous persons. */
export function serverFilter(event) {
  if (!event || !isSupportedName(event.event)) return null;
  if (event.properties?.$process_person_profile !== false) return event;
  return isProfileUpdate(event.event) ? null : withoutProfile(event);
}
