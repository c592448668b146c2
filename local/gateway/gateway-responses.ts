import * as v from 'valibot';
import { Fault } from '../../shared/contract/fault.ts';
import { type Wiring, wired } from '../template/wiring.ts';

/** What the gateway itself answers, as the template words it. */
type GatewayResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The answer of a response type, with its own status, or the one that API Gateway would have. */
export type GatewayResponses = (type: string, defaultStatus: number, requestId: string) => GatewayResponse;

const Properties = v.object({
  ResponseType: v.string(),
  StatusCode: v.optional(v.string()),
  ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
  ResponseTemplates: v.object({ 'application/json': v.string() }),
});

const headerPrefix = 'gatewayresponse.header.';

export function gatewayResponsesOf(wiring: Wiring): GatewayResponses {
  const byType = new Map(
    wired(wiring, 'AWS::ApiGateway::GatewayResponse', Properties).map(({ properties }) => [
      properties.ResponseType,
      properties,
    ]),
  );
  return (type, defaultStatus, requestId) => {
    const found = byType.get(type) ?? byType.get(defaultStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    if (!found) return { status: defaultStatus, headers: {}, body: '' };
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    for (const [name, source] of Object.entries(found.ResponseParameters))
      headers[name.slice(headerPrefix.length)] = headerValue(source, requestId);
    const body = found.ResponseTemplates['application/json'].replaceAll('$context.requestId', requestId);
    return { status: Number(found.StatusCode ?? defaultStatus), headers, body };
  };
}

function headerValue(source: string, requestId: string): string {
  if (source === 'context.requestId') return requestId;
  const literal = /^'(.*)'$/.exec(source)?.[1];
  if (literal === undefined)
    throw new Fault('gateway_response_source', 'A gateway response maps a header from a source that is unknown here.');
  return literal;
}
