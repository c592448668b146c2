import { Refused } from '../emulators/guard.ts';
import { type HostAnswer, HostRefusal, notFound } from './answers.ts';
import { developerRoutes } from './developer-routes.ts';
import { parametersOf } from './path-parameters.ts';
import { serviceRoutes } from './service-routes.ts';
import type { HostState } from './state.ts';

type Asked = {
  readonly method: string;
  readonly url: URL;
  readonly headers: { readonly authorization?: string | undefined; readonly accept?: string | undefined };
  /** Empty where there is none. */
  readonly body: string;
};

const hostRoutes = [...serviceRoutes, ...developerRoutes];

/** What the fake host answers. Throws what `refusalOf` makes an answer of. */
export async function answerOf(state: HostState, { method, url, headers, body }: Asked): Promise<HostAnswer> {
  state.log.push(`${method} ${url.pathname}`);
  const { limit } = state;
  if (limit !== null && limit.times-- > 0) throw new HostRefusal(limit.status, limit.message, limit.headers);
  for (const [verb, path, serve] of hostRoutes) {
    const params = verb === method ? parametersOf(path, url.pathname) : null;
    if (params === null) continue;
    return serve({
      state,
      origin: url.origin,
      authorization: headers.authorization,
      accept: headers.accept ?? '',
      params,
      query: url.searchParams,
      body: body === '' ? null : JSON.parse(body),
    });
  }
  throw notFound();
}

export function refusalOf(error: unknown): HostAnswer {
  if (error instanceof HostRefusal) return error.answer;
  if (error instanceof Refused) return { status: error.statusCode, body: { message: error.message } };
  return { status: 500, body: { message: 'It failed.' } };
}
