import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { Context } from 'aws-lambda';
import { logger, metrics } from './logger.ts';
import { redactedError } from './problem-reply.ts';

type Handler<Event, Result> = (event: Event, context: Context) => Promise<Result>;

/** A Lambda handler with log context and metrics around it. */
export const instrumented = <Event, Result>(
  handler: Handler<Event, Result>,
  options: middy.PluginObject = {},
): Handler<Event, Result> =>
  middy<Event, Result>(options)
    .use(injectLambdaContext(logger, { logEvent: false, resetKeys: true }))
    .use({ after: publishMetrics, onError: publishMetrics })
    .handler(redacted(handler));

/** The same for a reply that is streamed as it is made. */
export const instrumentedStream = <Event, Result>(handler: Handler<Event, Result>): Handler<Event, Result> =>
  instrumented(handler, { executionMode: executionModeStreamifyResponse });

/** Lambda logs what a handler throws, message and all, and a message may quote what was sent: only the name leaves. */
const redacted =
  <Event, Result>(handler: Handler<Event, Result>): Handler<Event, Result> =>
  async (event, context) => {
    try {
      return await handler(event, context);
    } catch (error) {
      throw redactedError(error);
    }
  };

/** Most requests count nothing, and Powertools would warn of each of them. */
function publishMetrics(): void {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
}
