import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope, Problem } from '../../shared/contract/problems.ts';
import { requestIdOf } from '../../shared/runtime/request-id.ts';

/** The headers of the platform's own refusals. Any origin may read them, and on collection routes their status header. */
function headersOf(target: string | undefined, requestId: string): Record<string, string> {
  const ofCollection = /^\/collect(?:[/?]|$)/.test(target ?? '');
  return {
    'Content-Type': 'application/json',
    'X-Request-ID': requestId,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': `Retry-After, X-Request-ID${ofCollection ? ', X-Service-Collection-Status' : ''}`,
    Connection: 'close',
    ...(ofCollection && { 'X-Service-Collection-Status': 'rejected' }),
  };
}

export function writeRefusal(
  response: ServerResponse,
  problem: Problem,
  target: string | undefined,
  requestId: string,
  status = problem.status,
): void {
  response.writeHead(status, headersOf(target, requestId)).end(JSON.stringify(errorEnvelope(problem, requestId)));
}

export function answerMalformed(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const head = error.rawPacket?.toString('latin1') ?? '';
  const requestId = requestIdOf(/\r\nx-request-id:([^\r\n]*)\r\n/i.exec(head)?.[1]?.trim(), randomUUID());
  const problem = error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge() : unreadable(error.code);
  const body = JSON.stringify(errorEnvelope(problem, requestId));
  const headers = { ...headersOf(head.split(' ', 2)[1], requestId), 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`;
  socket.end(`${[status, ...lines].join('\r\n')}\r\n\r\n${body}`);
}

export function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(request.headers['x-request-id']?.toString(), randomUUID());
  const errors = [{ path: '/headers/expect', message: 'must be 100-continue' }];
  writeRefusal(response, new Problem('validation_error', { errors }), request.url, requestId, 417);
}

const tooLarge = (): Problem => new Problem('body_too_large', { message: 'The headers exceed the size limit.' });

function unreadable(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('body_timeout');
  // Both lengths at once, or an unreadable one: either way the body has no certain end.
  if (code?.includes('CONTENT_LENGTH')) return new Problem('invalid_content_length');
  return new Problem('invalid_json', { message: 'The request is not well-formed HTTP.' });
}
