import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { limits } from '../shared/contract/limits.ts';
import { noEndpoint, type ProblemCode, problems } from '../shared/contract/problems.ts';
import { uploadRoutes } from '../shared/contract/routes/uploads.ts';

type Answer = {
  readonly type: ResponseType;
  readonly code: ProblemCode;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
};

const answers: readonly Answer[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, code: 'not_found', status: 404, message: noEndpoint },
  { type: ResponseType.RESOURCE_NOT_FOUND, code: 'not_found', message: noEndpoint },
  { type: ResponseType.ACCESS_DENIED, code: 'insufficient_workspace_role', status: 403 },
  { type: ResponseType.WAF_FILTERED, code: 'insufficient_workspace_role', status: 403 },
  { type: ResponseType.UNAUTHORIZED, code: 'unauthorized', status: 401 },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    code: 'body_too_large',
    hint: `Send lineage bodies over ${limits.inlineBytes} bytes through POST ${uploadRoutes.createUpload.path}.`,
  },
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, code: 'unsupported_media_type' },
  { type: ResponseType.THROTTLED, code: 'rate_limited', status: 429 },
  { type: ResponseType.QUOTA_EXCEEDED, code: 'rate_limited', status: 429 },
  // The gateway answers 500 or 504 if Lambda throttles a function, by one of these: a caller may retry it.
  { type: ResponseType.API_CONFIGURATION_ERROR, code: 'unavailable', status: 503 },
  { type: ResponseType.INTEGRATION_FAILURE, code: 'unavailable', status: 503 },
  { type: ResponseType.INTEGRATION_TIMEOUT, code: 'unavailable' },
  { type: ResponseType.BAD_REQUEST_BODY, code: 'validation_error' },
  { type: ResponseType.BAD_REQUEST_PARAMETERS, code: 'validation_error' },
  { type: ResponseType.DEFAULT_4XX, code: 'validation_error' },
  { type: ResponseType.DEFAULT_5XX, code: 'internal_error' },
];

/** Puts what the gateway itself answers into the one error envelope: C-ERROR-1. */
export function addGatewayResponses(api: RestApi): void {
  for (const { type, code, status, message = problems[code].message, hint } of answers)
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status && { statusCode: String(status) }),
      responseHeaders: {
        'X-Request-ID': 'context.requestId',
        'Cache-Control': "'no-store'",
        // Without it, a page sees a network error in place of the answer. The answers hold nothing of anybody.
        'Access-Control-Allow-Origin': "'*'",
        'Access-Control-Expose-Headers': "'Retry-After, X-Request-ID'",
        // A gateway response has no path to choose by, and every answer on the collection routes carries this.
        'X-Service-Collection-Status': "'rejected'",
        ...(retried(code) && { 'Retry-After': "'1'" }),
      },
      templates: { 'application/json': envelope(code, message, hint) },
    });
}

const retried = (code: ProblemCode): boolean => code === 'rate_limited' || code === 'unavailable';

function envelope(code: ProblemCode, message: string, hint: string | undefined): string {
  return JSON.stringify({ detail: { code, message, request_id: '$context.requestId', ...(hint && { hint }) } });
}
