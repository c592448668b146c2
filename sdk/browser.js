import { collectUrl, filters, isProfileUpdate, isSupportedName, withoutProfile } from './supported.js';

/** What would load scripts or configuration, or send what the service does not take. */
const switchedOff = {
  // XMLHttpRequest, the default of older releases, sends with credentials, which the service does not allow.
  api_transport: 'fetch',
  // No remote configuration and no feature flags; compression stays on.
  advanced_disable_flags: true,
  advanced_disable_feature_flags: true,
  advanced_disable_feature_flags_on_first_load: true,
  disable_external_dependency_loading: true,
  autocapture: false,
  rageclick: false,
  capture_dead_clicks: false,
  capture_heatmaps: false,
  capture_exceptions: false,
  capture_performance: false,
  capture_pageleave: false,
  disable_session_recording: true,
  disable_surveys: true,
  disable_surveys_automatic_display: true,
  disable_product_tours: true,
  disable_conversations: true,
  disable_web_experiments: true,
  opt_in_site_apps: false,
  advanced_disable_toolbar_metrics: true,
  cookieless_mode: undefined,
};

const defaults = {
  capture_pageview: true,
  person_profiles: 'identified_only',
  disable_compression: false,
  request_batching: true,
};

/** Options of `posthog.init` that send events to `<baseUrl>/collect/e/` and to nothing else. */
export function posthogJsOptions(baseUrl, options = {}) {
  const { before_send, loaded, ...own } = options;
  const host = collectUrl(baseUrl);
  return {
    ...defaults,
    ...own,
    ...switchedOff,
    api_host: host,
    before_send: filters(browserFilter, before_send),
    loaded: (posthog) => {
      refuseOtherRequests(posthog, host);
      if (loaded) loaded(posthog);
    },
  };
}

/** Drops what the service refuses: other reserved events, cookieless events, and profile updates of anonymous persons. */
export function browserFilter(event) {
  if (!event || !isSupportedName(event.event)) return null;
  const properties = event.properties || {};
  if (properties.$cookieless_mode || properties.distinct_id === '$posthog_cookieless') return null;
  if (properties.$is_identified !== false) return event;
  return isProfileUpdate(event.event) ? null : withoutProfile(event);
}

/** Some calls, such as those for early access features, go out whatever the options say: they are answered here. */
function refuseOtherRequests(posthog, host) {
  const send = posthog._send_request;
  if (typeof send !== 'function') return;
  posthog._send_request = (request) => {
    if (String(request.url).indexOf(`${host}/e/`) === 0) return send.call(posthog, request);
    if (request.callback) request.callback({ statusCode: 404 });
  };
}
