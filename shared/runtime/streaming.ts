import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { readHttpEvent } from './api-gateway.ts';
import { httpPorts } from './composition/intake.ts';
import { redactedError } from './describe-error.ts';
import { responder } from './http.ts';
import type { HttpPorts } from './http-ports.ts';
import type { Implementations, RouteTable } from './implementation.ts';
import { instrumentedStream } from './instrumented.ts';

type StreamedResult = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
};

/** As `httpFunction`, with replies that leave as they are made (Lambda response streaming). */
export function streamingHttpFunction<const T extends RouteTable>(
  routes: T,
  implementations: Implementations<T>,
  ports: HttpPorts = httpPorts(),
): (event: APIGatewayProxyEvent, context: Context) => Promise<StreamedResult> {
  const respond = responder(routes, implementations, ports);
  return instrumentedStream(async (event: APIGatewayProxyEvent) => {
    const { status, headers, body } = await respond(readHttpEvent(event));
    return { statusCode: status, headers, body: typeof body === 'string' ? body : streamOf(body) };
  });
}

const streamOf = (body: Uint8Array | AsyncIterable<string | Uint8Array>): Readable =>
  body instanceof Uint8Array ? Readable.from([body]) : Readable.from(redacted(body), { objectMode: false });

async function* redacted(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw redactedError(error);
  }
}
