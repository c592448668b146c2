import { setTimeout as after } from 'node:timers/promises';
import * as v from 'valibot';
import { ErrorEnvelope, Fault } from '../contract/problems.ts';
import type { Route } from '../contract/route.ts';

export type Endpoint = Pick<Route, 'method' | 'path' | 'access' | 'stream'>;

type Value = string | number | boolean;

/** The input of a route. An undefined field of the query is left out, a list is given several times. */
export type Question = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Value | readonly string[] | undefined>>;
  /** JSON, or bytes with their headers. */
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
};

export type Api = {
  readonly url: string;
  readonly ask: (route: Endpoint, question?: Question) => Promise<unknown>;
  readonly stream: (route: Endpoint, question?: Question) => Promise<Response>;
};

type Replies = Pick<Route, 'replies'>;
type Declared<R extends Replies> = Extract<R['replies'][keyof R['replies']], { readonly schema: v.GenericSchema }>;
/** What the schema of a route's response reads. */
export type Answer<R extends Replies> = v.InferOutput<Declared<R>['schema']>;

/** Reads the JSON of a response by the schema that its route declares. Throws ValiError. */
export function readAnswer<R extends Replies>({ replies }: R, json: unknown): Answer<R> {
  const [schema] = Object.values(replies).flatMap((reply) => ('schema' in reply ? reply.schema : []));
  return v.parse((schema ?? v.unknown()) as Declared<R>['schema'], json);
}

/** The response of a route, read. Throws ApiFailure, Unreachable, ValiError. */
export const requestAnswer = async <R extends Route>(
  { ask }: Pick<Api, 'ask'>,
  route: R,
  question?: Question,
): Promise<Answer<R>> => readAnswer(route, await ask(route, question));

const tries = 4;
const timeoutMs = 120_000;
const maxPauseMs = 20_000;

/** A client of the service at an address, with or without a final slash, with a token. */
export function apiOf(address: string, token: string | undefined): Api {
  const url = address.replace(/\/$/, '');
  const send = async (route: Endpoint, question: Question): Promise<Response> => {
    for (let attempt = 1; ; attempt++) {
      const response = await fetched(url, token, route, question);
      if (![429, 503].includes(response.status) || attempt === tries) return response;
      await response.body?.cancel();
      await after(Math.min(pauseOf(response, attempt), maxPauseMs));
    }
  };
  const stream = async (route: Endpoint, question: Question = {}): Promise<Response> => {
    const response = await send(route, question);
    if (response.ok) return response;
    throw new ApiFailure(url, route, response.status, await jsonOf(url, response));
  };
  const ask = async (route: Endpoint, question: Question = {}): Promise<unknown> => {
    const response = await stream(route, question);
    if (response.status === 204) return null;
    const answer = await jsonOf(url, response);
    if (answer === undefined) throw new ApiFailure(url, route, response.status, undefined);
    return answer;
  };
  return { url, ask, stream };
}

async function fetched(url: string, token: string | undefined, route: Endpoint, question: Question): Promise<Response> {
  const { body, bytes, headers, signal } = question;
  try {
    const response = await fetch(url + pathOf(route, question), {
      method: route.method,
      // The token and the body are for this address only.
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...((body !== undefined || bytes !== undefined) && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
      signal: route.stream ? null : AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    if (response.status < 300 || response.status >= 400) return response;
    const place = URL.parse(response.headers.get('location') ?? '', url)?.origin ?? 'no address';
    throw new Fault('redirected', `it redirects to ${place}, which gets no token. Use that address if you trust it`);
  } catch (error) {
    throw new Unreachable(url, error);
  }
}

function pathOf({ path }: Endpoint, { params = {}, query = {} }: Question): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one));
  return search.size > 0 ? `${place}?${search}` : place;
}

const pauseOf = (response: Response, attempt: number): number =>
  Number(response.headers.get('retry-after') ?? 0) * 1_000 || 250 * 2 ** attempt;

async function jsonOf(url: string, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new Unreachable(url, error);
  }
}

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
  UND_ERR_SOCKET: 'the connection was cut',
  ETIMEDOUT: 'nobody answers',
  UND_ERR_CONNECT_TIMEOUT: 'nobody answers',
  UND_ERR_HEADERS_TIMEOUT: 'nobody answers',
  TimeoutError: 'nobody answers in time',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https',
};

/** The innermost message: those around it only say that the request failed. */
function reasonOf(error: unknown): string {
  let reason = 'the request fails';
  for (let one = error; one instanceof Error; one = one.cause) {
    const known = reasons['code' in one ? String(one.code) : one.name];
    if (known !== undefined) return known;
    reason = one.message;
  }
  return reason;
}

const Page = v.looseObject({ items: v.array(v.unknown()), next_cursor: v.nullish(v.string()) });

/** Every page of a list in one answer of the first page's shape, up to `most` items; the cursor goes on after them. */
export async function allPages(
  api: Pick<Api, 'ask'>,
  route: Endpoint,
  question: Question,
  most = Number.POSITIVE_INFINITY,
) {
  let page = v.parse(Page, await api.ask(route, question));
  const items = [...page.items];
  while (typeof page.next_cursor === 'string' && items.length < most) {
    const query = { ...question.query, cursor: page.next_cursor };
    page = v.parse(Page, await api.ask(route, { ...question, query }));
    items.push(...page.items);
  }
  return { ...page, items };
}

/** The items of a list as its route declares them. */
export type Items<R extends Route> =
  Answer<R> extends { readonly items: infer Found extends readonly unknown[] } ? Found : never;

/** Reads the items of pages of a list. Throws ValiError. */
export const readItems = <R extends Route>(route: R, page: unknown): Items<R> =>
  (readAnswer(route, page) as { readonly items: Items<R> }).items;

/** The items of every page of a list, read. Throws ApiFailure, Unreachable, ValiError. */
export const requestItems = async <R extends Route>(
  api: Pick<Api, 'ask'>,
  route: R,
  question: Question = {},
): Promise<Items<R>> => readItems(route, await allPages(api, route, question));
