import * as v from 'valibot';
import type { Route } from './route.ts';

/** Whether the service answers, and which version does. */
export const Health = v.object({
  /** `degraded`: a store does not answer, or the disk of the local service is full. */
  status: v.picklist(['ok', 'degraded']),
  version: v.string(),
  /** If the deployment checks them. `disk`: only of the local service; `down` means that it is full. */
  stores: v.optional(
    v.array(v.object({ name: v.picklist(['table', 'objects', 'disk']), status: v.picklist(['ok', 'down']) })),
  ),
});
export type Health = v.InferOutput<typeof Health>;

const description = {
  description: 'An OpenAPI 3.1 document.',
  schema: v.pipe(v.looseObject({ openapi: v.string() }), v.description('An OpenAPI 3.1 document.')),
  example: { openapi: '3.1.0', info: { title: 'Tributary', version: '0.1.0' }, paths: {} },
} as const;

/** Public information about the service: C-READ-7. */
export const systemRoutes = {
  getHealth: {
    method: 'GET',
    path: '/health',
    function: 'system',
    summary: 'Returns the health and the version of the service.',
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
    summary: 'Returns both API descriptions as an HTML page.',
    access: { kind: 'public' },
    replies: { 200: { description: 'A page of HTML without scripts.', mediaType: 'text/html; charset=utf-8' } },
    problems: [],
  },
} as const satisfies Record<string, Route>;

/** The version of the service: that of the package. */
export const version = '0.1.0';
