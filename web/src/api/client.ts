import { queryOptions } from '@tanstack/react-query';
import createClient, { type Middleware } from 'openapi-fetch';
import type { RelationCandidate } from '../../../shared/contract/problems.ts';
import { apiAddress } from '../settings.ts';
import { refuseSession, type Session, session } from '../sign-in/session.ts';
import type { paths } from './generated/service.ts';

/** An error response of the service; `code` is `network` if there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  /** Of a name that several connectors know. */
  readonly candidates: readonly RelationCandidate[];

  constructor(status: number, detail: Detail, requestId: string | null) {
    super(detail.message ?? '');
    this.name = 'ApiError';
    this.status = status;
    this.code = detail.code ?? 'unknown';
    this.requestId = detail.request_id ?? requestId;
    this.errors = detail.errors ?? [];
    this.candidates = detail.candidates ?? [];
  }
}

type Detail = {
  readonly code?: string;
  readonly message?: string;
  readonly request_id?: string;
  readonly errors?: ApiError['errors'];
  readonly candidates?: readonly RelationCandidate[];
};

const renewBeforeMs = 60_000;

/** The protocol of the issuer is loaded when it is needed. Without it the old token is tried, and the service decides. */
const renewed = (): Promise<Session | null> =>
  import('../sign-in/sign-in.ts').then(({ renewSession }) => renewSession()).catch(() => null);

async function freshToken(): Promise<string | null> {
  const held = session();
  if (held === null) return null;
  const isOld = held.expiresAt !== null && held.expiresAt - Date.now() < renewBeforeMs;
  return ((isOld && (await renewed())) || held).token;
}

const authorized: Middleware = {
  async onRequest({ request }) {
    const token = await freshToken();
    if (token !== null) request.headers.set('authorization', `Bearer ${token}`);
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return undefined;
    if (response.status === 401 && session() !== null) refuseSession();
    const body: { detail?: Detail } = await response
      .clone()
      .json()
      .catch(() => ({}));
    throw new ApiError(response.status, body.detail ?? {}, response.headers.get('x-request-id'));
  },
  onError({ error }) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) return undefined;
    return new ApiError(0, { code: 'network' }, null);
  },
};

/** The service's API, by its description; what it refuses is thrown as `ApiError`. */
export const api = createClient<paths>({
  baseUrl: apiAddress,
  querySerializer: { array: { style: 'form', explode: true } },
});
api.use(authorized);

export async function contentOf<T>(answering: Promise<{ readonly data?: T }>): Promise<T> {
  const { data } = await answering;
  // Refusals are thrown before this; an answer without content has its own callers.
  return data as T;
}

type GetPath = { [P in keyof paths]: paths[P] extends { get: unknown } ? P : never }[keyof paths];
type Operation<P extends GetPath> = paths[P] extends { get: infer Get } ? Get : never;
export type ParametersOf<P extends GetPath> =
  Operation<P> extends { parameters: infer Parameters } ? Parameters : never;

export type Content<P extends GetPath> =
  Operation<P> extends { responses: { 200: { content: { 'application/json': infer Answer } } } } ? Answer : never;

type InWorkspace = { readonly query: { readonly workspace_id: string } };

/** The query of a path. A change to a topic in a workspace repeats all queries of that topic. */
export const getQuery = <P extends GetPath>(topic: string, path: P, params: ParametersOf<P> & InWorkspace) =>
  queryOptions({
    queryKey: [topic, params.query.workspace_id, path, params],
    // The client infers its options from a literal path only.
    queryFn: ({ signal }) => contentOf<Content<P>>(api.GET(path, { params, signal } as never)),
  });
