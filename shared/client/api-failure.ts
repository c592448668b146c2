import * as v from 'valibot';
import { ErrorEnvelope } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';

type Detail = ErrorEnvelope['detail'];

/** The service was reached and refuses, or fails; `detail` is null where what answers is no Tributary service. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly url: string;
  readonly status: number;
  readonly route: Pick<Route, 'access' | 'path'>;
  readonly detail: Detail | null;

  constructor(url: string, route: Pick<Route, 'access' | 'path'>, status: number, body: unknown) {
    const parsed = v.safeParse(ErrorEnvelope, body);
    super(
      parsed.success ? parsed.output.detail.message : `${url} answers ${status}, and not as a Tributary service does.`,
    );
    this.url = url;
    this.status = status;
    this.route = route;
    this.detail = parsed.success ? parsed.output.detail : null;
  }
}

export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(`${url} cannot be reached: ${reasonOf(cause)}.`, { cause });
    this.url = url;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'nobody answers',
  UND_ERR_CONNECT_TIMEOUT: 'nobody answers',
  UND_ERR_HEADERS_TIMEOUT: 'nobody answers',
  TimeoutError: 'nobody answers in time',
};

function reasonOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const known = reasons['code' in one ? String(one.code) : one.name];
    if (known !== undefined) return known;
  }
  return error instanceof Error ? error.message : 'the request fails';
}
