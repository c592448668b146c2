import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope, Problem } from '../../shared/contract/problems.ts';
import { requestIdOf } from '../../shared/runtime/request-id.ts';

/** Whether a request is for the collection routes, whose refusals all have its status header (C-COLLECT-13). */
export const isCollection = (target: string | undefined): boolean => /^\/collect(?:[/?]|$)/.test(target ?? '');

/** Answers what the HTTP parser could not read, in the error envelope. */
export function answerMalformed(error: Error & { code?: string; rawPacket?: Buffer }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const head = error.rawPacket?.toString('latin1') ?? '';
  const requestId = requestIdOf(/\r\nx-request-id:([^\r\n]*)\r\n/i.exec(head)?.[1]?.trim(), randomUUID());
  const problem = error.code === 'HPE_HEADER_OVERFLOW' ? tooLarge() : unreadable(error.code);
  const body = JSON.stringify(errorEnvelope(problem, requestId));
  const [, target] = head.split(' ', 2);
  const collection = isCollection(target) ? ['X-Service-Collection-Status: rejected'] : [];
  const lines = [
    `HTTP/1.1 ${problem.status} ${reasons[problem.status] ?? 'Bad Request'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-ID: ${requestId}`,
    'Cache-Control: no-store',
    'Access-Control-Allow-Origin: *',
    ...collection,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Answers an `Expect` header that is not 100-continue. */
export function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(request.headers['x-request-id']?.toString(), randomUUID());
  const errors = [{ path: '/headers/expect', message: 'must be 100-continue' }];
  response
    .writeHead(417, {
      'content-type': 'application/json',
      'x-request-id': requestId,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      connection: 'close',
      ...(isCollection(request.url) && { 'x-service-collection-status': 'rejected' }),
    })
    .end(JSON.stringify(errorEnvelope(new Problem('validation_error', { errors }), requestId)));
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
};

const tooLarge = (): Problem => new Problem('body_too_large', { message: 'The headers exceed the size limit.' });

function unreadable(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('body_timeout');
  // Both lengths at once, or an unreadable one: either way the body has no certain end.
  if (code?.includes('CONTENT_LENGTH')) return new Problem('invalid_content_length');
  return new Problem('invalid_json', { message: 'The request is not well-formed HTTP.' });
}
