import { Tracer } from '@aws-lambda-powertools/tracer';

// Replies hold lineage and tokens, which are no business of a trace.
export const tracer = new Tracer({ captureHTTPsRequests: true });
