import type * as v from 'valibot';
import { ErrorEnvelope } from '../problems.ts';
import type { Access, Body, Reply, Route } from '../route.ts';
import { version } from '../system.ts';
import { withComponents } from './openapi-components.ts';
import { examplesOf, type Replies, type Response, refusals } from './openapi-refusals.ts';
import { type JsonSchema, jsonSchema } from './openapi-schema.ts';
import { tagsOfRoutes } from './routes.ts';

type Routes = Readonly<Record<string, Route>>;
type Document = { readonly [key: string]: unknown };
type OpenApi = Document & { readonly openapi: string };

const text = { type: 'string' };

const headersOfCollection = {
  'Access-Control-Allow-Origin': {
    description: 'The origin of the request, if some project allows it; `*` if the platform refuses by itself.',
    schema: text,
  },
  'Access-Control-Expose-Headers': { description: 'What such a page may read.', schema: text },
  Vary: { description: '`Origin`.', schema: text },
  'X-Service-Collection-Status': {
    description: 'What became of the events.',
    schema: { type: 'string', enum: ['accepted', 'discarded', 'rejected'] },
  },
};

const headersOfPages = {
  'Content-Security-Policy': { description: 'No scripts, and nothing of other places.', schema: text },
  'X-Content-Type-Options': { description: '`nosniff`.', schema: text },
  'Referrer-Policy': { description: '`no-referrer`.', schema: text },
};

export const collectionOpenApi = (routes: Routes): OpenApi =>
  description({
    title: 'Tributary event collection',
    base: '/collect',
    routes: chosen(routes, (route) => route.function === 'collect'),
    securitySchemes: { serverKey: { type: 'http', scheme: 'bearer', description: 'Marks the source as trusted.' } },
    headers: headersOfCollection,
  });

export const serviceOpenApi = (routes: Routes): OpenApi =>
  description({
    title: 'Tributary lineage, tokens and administration',
    base: '',
    routes: chosen(routes, (route) => route.function !== 'collect'),
    headers: headersOfPages,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A session JWT or a personal access token (dpt_…).' },
      webhookSignature: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Hub-Signature-256',
        description: '`sha256=` and the HMAC-SHA-256 of the body in hex, by the webhook secret of the app.',
      },
    },
  });

const chosen = (routes: Routes, isChosen: (route: Route) => boolean): Routes =>
  Object.fromEntries(Object.entries(routes).filter(([, route]) => isChosen(route)));

type Parts = {
  readonly title: string;
  readonly base: string;
  readonly routes: Routes;
  readonly securitySchemes: JsonSchema;
  /** Those of its answers besides the id of the request. */
  readonly headers?: JsonSchema;
};

function description({ title, base, routes, securitySchemes, headers = {} }: Parts): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(routes))
    for (const [index, path] of documentedPaths(route).entries()) {
      const place = path.slice(base.length);
      const operationId = index === 0 ? name : `${name}${index + 1}`;
      paths[place] = { ...paths[place], [route.method.toLowerCase()]: operation(operationId, route) };
    }
  return withComponents({
    openapi: '3.1.0',
    info: { title, version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: `{base_url}${base}`, variables: { base_url: { default: 'http://127.0.0.1:4600' } } }],
    tags: tagsOf(routes).map((name) => ({ name })),
    paths: Object.fromEntries(
      Object.keys(paths)
        .toSorted()
        .map((place) => [place, paths[place]]),
    ),
    components: {
      securitySchemes,
      examples: examplesOf(Object.values(routes)),
      schemas: { ErrorEnvelope: jsonSchema(ErrorEnvelope, 'output') },
      headers: {
        'Retry-After': { description: 'Seconds until a retry may succeed.', schema: { type: 'integer', minimum: 1 } },
        'X-Request-ID': { description: 'Names the request in the service’s logs.', schema: text },
        'Cache-Control': { description: '`no-store`.', schema: text },
        'WWW-Authenticate': { description: '`Bearer`.', schema: text },
        ...headers,
      },
    },
  });
}

const tagsOf = (routes: Routes): readonly string[] => [
  ...new Set(Object.values(routes).flatMap((route) => tagsOfRoutes.get(route) ?? [])),
];

const documentedPaths = ({ path, aliases = [], documentedPaths: documented }: Route): readonly string[] =>
  documented ?? [path, ...aliases];

function operation(operationId: string, route: Route): Document {
  return {
    operationId,
    tags: tagsOf({ route }),
    summary: route.summary,
    ...accessParts(route.access),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
    ],
    ...(route.body && { requestBody: requestBody(route.body) }),
    responses: withRefusals(replies(route), refusals(route, headersOf(route))),
  };
}

function accessParts(access: Access): Document {
  switch (access.kind) {
    case 'member':
      return {
        description: `Needs the scope \`${access.scope}\` and the workspace role \`${access.role}\`.`,
        security: [{ bearer: [] }],
        'x-required-scope': access.scope,
        'x-required-role': access.role,
      };
    case 'signed_in':
      return { security: [{ bearer: [] }], 'x-required-scope': access.scope };
    case 'project_key':
      return { security: [{}, { serverKey: [] }] };
    case 'signature':
      return { security: [{ webhookSignature: [] }] };
    case 'public':
      return { security: [] };
  }
}

function parameters(place: 'path' | 'query' | 'header', schema: v.GenericSchema | undefined): readonly Document[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
  }));
}

const requestBody = (body: Body): Document => ({
  required: !(body.kind === 'json' && body.optional),
  description: `At most ${body.maxBytes} bytes${body.gzip ? gzipTaken(body) : ''}.`,
  content: {
    'application/json': mediaOf(body),
    ...(body.kind === 'bytes' &&
      Object.fromEntries(
        Object.entries(body.otherForms ?? {}).map(([type, schema]) => [type, { schema: jsonSchema(schema, 'input') }]),
      )),
  },
});

const mediaOf = (body: Body): Document => ({
  schema: body.schema ? jsonSchema(body.schema, 'input') : {},
  ...(body.example !== undefined && { example: body.example }),
});

const gzipTaken = (body: Body): string =>
  `; gzip is taken${body.kind === 'json' && body.maxInflatedBytes !== undefined ? `, and may hold ${body.maxInflatedBytes} bytes` : ''}`;

const headersOf = (route: Route): Document => {
  const names = [
    'X-Request-ID',
    'Cache-Control',
    ...(route.function === 'collect' ? Object.keys(headersOfCollection) : []),
  ];
  return headersNamed(names);
};

const headersNamed = (names: readonly string[]): Document =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The replies of a route and its refusals; a protocol may answer some of their statuses in its own form. */
function withRefusals(replies: Replies, refused: Replies): Replies {
  const together = Object.entries(refused).map(([status, refusal]) => {
    const own = replies[status]?.content?.[json]?.schema;
    const content = refusal.content?.[json];
    if (own === undefined) return [status, refusal];
    return [status, { ...refusal, content: { [json]: { ...content, schema: { anyOf: [content?.schema, own] } } } }];
  });
  return { ...replies, ...Object.fromEntries(together) };
}

const json = 'application/json';

const replies = (route: Route): Replies =>
  Object.fromEntries(
    Object.entries(route.replies).map(([status, reply]) => [
      status,
      response(reply, { ...headersOf(route), ...('headers' in reply && headersNamed(reply.headers)) }),
    ]),
  );

const response = (reply: Reply, headers: Document): Response => {
  const content = contentOf(reply);
  return { description: reply.description, headers, ...(content && { content }) };
};

function contentOf(reply: Reply): Response['content'] | null {
  if ('mediaType' in reply)
    return { [reply.mediaType]: reply.content ? { schema: jsonSchema(reply.content, 'input') } : {} };
  if (!('schema' in reply)) return null;
  const { schema, example } = reply;
  const content = { [json]: { schema: jsonSchema(schema, 'output'), ...(example !== undefined && { example }) } };
  return reply.alternative === undefined ? content : { ...content, [reply.alternative]: {} };
}
