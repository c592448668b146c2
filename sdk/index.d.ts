import type { BeforeSendFn as BrowserFilter, CaptureResult, PostHogConfig } from 'posthog-js';
import type { EventMessage, PostHogOptions } from 'posthog-node';

/**
 * Options of `posthog.init` that send events to `<baseUrl>/collect` and to nothing else. Yours are kept, except for those
 * that would call what the service does not have; your `before_send` runs after the filter.
 */
export function posthogJsOptions(baseUrl: string, options?: Partial<PostHogConfig>): Partial<PostHogConfig>;

/** Options of `new PostHog(key, …)` that send events to `<baseUrl>/collect` and to nothing else. */
export function posthogNodeOptions(baseUrl: string, options?: PostHogOptions): PostHogOptions;

/** Drops what the service refuses: other reserved events, cookieless events, and profile updates of anonymous persons. */
export function browserFilter(event: CaptureResult | null): CaptureResult | null;

/** The same for servers, where `$process_person_profile: false` makes a person anonymous. */
export function serverFilter(event: EventMessage | null): EventMessage | null;

export type { BrowserFilter };
