import * as v from 'valibot';
import { type FunctionRoutes, servedBy } from './route.ts';

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
export const systemRoutes = servedBy('system', {
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Returns the health and the version of the service.',
    access: { kind: 'public' },
    replies: {
      200: { description: 'The service answers.', schema: Health, example: { status: 'ok', version: '0.1.0' } },
    },
  },
  getServiceDescription: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Returns the API description of lineage, tokens and administration.',
    access: { kind: 'public' },
    replies: { 200: description },
  },
  getCollectionDescription: {
    method: 'GET',
    path: '/collect/openapi.json',
    summary: 'Returns the API description of event collection.',
    access: { kind: 'public' },
    replies: { 200: description },
  },
  getDocumentation: {
    method: 'GET',
    path: '/docs',
    summary: 'Returns both API descriptions as an HTML page.',
    access: { kind: 'public' },
    replies: {
      200: {
        description: 'A page of HTML without scripts.',
        mediaType: 'text/html; charset=utf-8',
        headers: ['Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy'],
      },
    },
  },
} as const satisfies FunctionRoutes);

/** The version of the service: that of the package. */
export const version = '0.1.0';
