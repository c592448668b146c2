import { isLinearizable, type Model, type Operation } from '../support/histories/linearizable.ts';
import type { ServiceCredentials } from '../support/service-process.ts';

/** One request, and what its answer says in the words of a model; null if none came. */
export type RecordedQuery<I, O> = { readonly input: I; readonly ask: () => Promise<O | null> };
export type Recorded = {
  readonly answered: number;
  readonly history: readonly unknown[];
  readonly isExplained: boolean;
};

export type Answer = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };
export type Client = {
  readonly workspace: string;
  readonly connector: string;
  /** A linked project. */
  readonly project: string;
  readonly projectKey: string;
  readonly call: (
    method: string,
    path: string,
    parts?: { readonly body?: object; readonly headers?: Readonly<Record<string, string>>; readonly anonymous?: true },
  ) => Promise<Answer>;
};

export function clientOf({ base_url, workspaces }: ServiceCredentials): Client {
  const [first] = Object.values(workspaces);
  const token = first?.tokens['admin'];
  const [connector] = Object.values(first?.connectors ?? {});
  if (!first || !token || !connector) throw new Error('the seed has another form');
  return {
    workspace: first.id,
    connector: connector.id,
    project: first.linked_projects['dbt'] ?? '',
    projectKey: first.collection['project_key'] ?? '',
    call: async (method, path, { body, headers, anonymous } = {}) => {
      const response = await fetch(base_url + path, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(!anonymous && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? {} : JSON.parse(text) };
    },
  };
}

/** Asks from several clients at once, each one after the other, and then the request in the end, and looks for an order that explains the answers. */
export async function recordedBy<S, I, O>(
  clients: readonly (readonly RecordedQuery<I, O>[])[],
  model: Model<S, I, O>,
  inTheEnd: readonly RecordedQuery<I, O>[] = [],
): Promise<Recorded> {
  const history: Operation<I, O>[] = [];
  const askAll = async (requests: readonly RecordedQuery<I, O>[]) => {
    for (const { input, ask } of requests) {
      const began = performance.now();
      const output = await ask().catch(() => null);
      history.push({ input, output, began, ended: performance.now() });
    }
  };
  await Promise.all(clients.map(askAll));
  await askAll(inTheEnd);
  const wasSeen = inTheEnd.every(({ input }) => history.some((one) => one.input === input && one.output !== null));
  const answered = history.filter(({ output }) => output !== null).length;
  // Where nobody was answered there is nothing to explain, and nothing was looked at.
  return { answered, history, isExplained: answered > 0 && wasSeen && isLinearizable(history, model) };
}

export const several = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n));
