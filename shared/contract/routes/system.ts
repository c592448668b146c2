import * as v from 'valibot';
import { Health } from '../health.ts';
import type { Route } from '../route.ts';

const description = {
  description: 'An OpenAPI 3.1 document.',
  schema: v.pipe(v.looseObject({ openapi: v.string() }), v.description('An OpenAPI 3.1 document.')),
  example: { openapi: '3.1.0', info: { title: 'Tributary', version: '0.1.0' }, paths: {} },
} as const;

/** What the service says of itself, to anybody: C-READ-7. */
export const systemRoutes = {
  getHealth: {
    method: 'GET',
    path: '/health',
    function: 'system',
    summary: 'Tells that the service answers, and its version.',
    access: { kind: 'public' },
    replies: {
      200: { description: 'The service answers.', schema: Health, example: { status: 'ok', version: '0.1.0' } },
    },
    problems: [],
  },
  getServiceDescription: {
    method: 'GET',
    path: '/openapi.json',
    function: 'system',
    summary: 'Returns the API description of lineage, tokens and administration.',
    access: { kind: 'public' },
    replies: { 200: description },
    problems: [],
  },
  getCollectionDescription: {
    method: 'GET',
    path: '/collect/openapi.json',
    function: 'system',
    summary: 'Returns the API description of event collection.',
    access: { kind: 'public' },
    replies: { 200: description },
    problems: [],
  },
  getDocumentation: {
    method: 'GET',
    path: '/docs',
    function: 'system',
    summary: 'Returns both API descriptions as a page to read.',
    access: { kind: 'public' },
    replies: { 200: { description: 'A page of HTML without scripts.', mediaType: 'text/html; charset=utf-8' } },
    problems: [],
  },
} as const satisfies Record<string, Route>;
