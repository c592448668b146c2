import { expect } from 'vitest';
import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Send } from './deployed-functions.ts';
import { dereferenced } from './dereferenced.ts';

type Responses = Readonly<Record<string, { readonly headers: Readonly<Record<string, unknown>> }>>;
type Paths = Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;

const documents = [
  { base: '', document: dereferenced(serviceOpenApi(routes)) },
  { base: '/collect', document: dereferenced(collectionOpenApi(routes)) },
];
const described = new Map(
  documents.flatMap(({ base, document }) =>
    Object.entries(document['paths'] as Paths).flatMap(([place, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${base}${place}`,
        responses,
      ]),
    ),
  ),
);

/** Sends requests, and expects of each answer that the API descriptions have its status and its headers. */
export const describedAnswers =
  (send: Send): Send =>
  async (sent) => {
    const answer = await send(sent);
    const place = `${sent.route.method} ${sent.path ?? sent.route.path}`;
    const responses = described.get(place) ?? {};
    expect(Object.keys(responses), `${place}: ${answer.text}`).toContain(String(answer.status));
    const headers = ['Content-Type', ...Object.keys(responses[answer.status]?.headers ?? {})];
    const known = new Set(headers.map((name) => name.toLowerCase()));
    const undescribed = Object.keys(answer.headers).filter((name) => !known.has(name.toLowerCase()));
    expect(undescribed, `headers of ${answer.status} of ${place}`).toEqual([]);
    return answer;
  };
