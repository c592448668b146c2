import { type ProblemCode, problems } from '../problems.ts';
import { problemsOf, type Route } from '../route.ts';

type Document = { readonly [key: string]: unknown };
type Media = { readonly schema?: Document; readonly [key: string]: unknown };
export type Response = Document & { readonly content?: Readonly<Record<string, Media>> };
export type Replies = Readonly<Record<string, Response>>;

/** What the gateway may answer of any route by itself, under its own statuses. */
const ofGateway: readonly (readonly [number, ProblemCode])[] = [
  [400, 'validation_error'],
  [408, 'body_timeout'],
  [413, 'body_too_large'],
  [429, 'rate_limited'],
  [502, 'internal_error'],
  [504, 'unavailable'],
];

export function refusals(route: Route, headers: Document): Replies {
  const own = problemsOf(route).map((code): readonly [number, ProblemCode] => [problems[code].status, code]);
  const byStatus = Map.groupBy([...own, ...ofGateway], ([status]) => status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, some]) => [String(status), refusal(status, [...new Set(some.map(([, code]) => code))], headers)]),
  );
}

const refusal = (status: number, codes: readonly ProblemCode[], headers: Document): Response => ({
  description: codes.map((code) => `\`${code}\`: ${problems[code].message}`).join('\n\n'),
  headers: {
    ...headers,
    ...(status === 401 && { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } }),
    ...((status === 429 || status === 503) && { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }),
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorEnvelope' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

export function examplesOf(routes: readonly Route[]): Document {
  const codes = new Set([...routes.flatMap(problemsOf), ...ofGateway.map(([, code]) => code)]);
  return Object.fromEntries([...codes].sort().map((code) => [code, { value: exampleOf(code) }]));
}

const exampleOf = (code: ProblemCode): Document => ({
  detail: { code, message: problems[code].message, request_id: '0d2c9f5e-3c1b-4a86-9a38-6f1f6f2b7f10' },
});
