import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { atPointer } from '../../shared/contract/api/openapi-components.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { systemRoutes } from '../../shared/contract/system.ts';
import { once } from '../../shared/domain/base/caching.ts';
import { healthOf, type StoreCheck } from '../../shared/domain/operations/health.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Of an OpenAPI document, what the page shows. */
const Parameter = v.object({ name: v.string(), in: v.string(), required: v.boolean(), schema: v.unknown() });
const Media = v.record(v.string(), v.object({ schema: v.optional(v.unknown()), example: v.optional(v.unknown()) }));
const Response = v.object({ description: v.string(), content: v.optional(Media) });
type Response = v.InferOutput<typeof Response>;
const Reference = v.object({ $ref: v.string() });
const Operation = v.object({
  operationId: v.string(),
  tags: v.array(v.string()),
  summary: v.string(),
  description: v.optional(v.string()),
  parameters: v.array(Parameter),
  requestBody: v.optional(v.object({ description: v.string(), content: Media })),
  responses: v.record(v.string(), v.union([Reference, Response])),
});
type Operation = v.InferOutput<typeof Operation>;
const Servers = v.object({ servers: v.array(v.object({ url: v.string() })) });
const Document = v.object({
  ...Servers.entries,
  info: v.object({ title: v.string(), version: v.string() }),
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  components: v.object({ schemas: v.record(v.string(), v.unknown()), responses: v.record(v.string(), Response) }),
});
type Document = v.InferOutput<typeof Document>;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
pre { overflow: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); max-height: 32rem; }
details { border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
details details { border: 0; }
summary { cursor: pointer; padding: 0.5rem 0; }
summary b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; overflow-wrap: anywhere; }
nav a { margin-right: 1rem; }
`;

/** The page has no script, and takes nothing from anywhere. */
const documentationPolicy = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** OpenAPI documents as one page of HTML, their operations grouped by tag. */
function documentationPage(documents: readonly unknown[]): string {
  const read = documents.map(readDocument);
  const groups = Map.groupBy(read.flatMap(operationsOf), ({ operation }) => operation.tags[0] ?? 'Other');
  const [first] = read;
  const title = `Tributary API ${first?.info.version ?? ''}`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title>`,
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>`,
    `<h1>${text(title)}</h1>`,
    '<p>As documents: <a href="openapi.json">openapi.json</a>, <a href="collect/openapi.json">collect/openapi.json</a>.</p>',
    `<nav>${[...groups.keys()].map((tag) => `<a href="#${text(tag)}">${text(tag)}</a>`).join('')}<a href="#schemas">Schemas</a></nav>`,
    ...[...groups].map(
      ([tag, operations]) =>
        `<section id="${text(tag)}"><h2>${text(tag)}</h2>${operations.map(operationPart).join('')}</section>`,
    ),
    `<section id="refusals"><h2>Refusals</h2>${read.map(refusalsPart).join('')}</section>`,
    `<section id="schemas"><h2>Schemas</h2>${read.map(schemasPart).join('')}</section>`,
    '</body></html>',
  ].join('\n');
}

const AnyDocument = v.record(v.string(), v.unknown());

/**
 * A document with its parameters where they are used. Other references stay: the page links them. Two documents may call
 * different parts alike, so that those of a base have its name before theirs.
 */
function readDocument(provided: unknown): Document {
  const document = v.parse(AnyDocument, provided);
  const base = baseOf(v.parse(Servers, document));
  const prefix = base === '' ? '' : `${base.slice(1)}-`;
  const named = (kind: string, name: string) => `#/components/${kind}/${prefix}${name}`;
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (!v.is(AnyDocument, value)) return value;
    const [root, , kind, name] = String(value['$ref']).split('/');
    if (root !== '#' || kind === undefined || name === undefined) return mapped(value, inPlace);
    return kind === 'parameters' ? inPlace(atPointer(document, String(value['$ref']))) : { $ref: named(kind, name) };
  };
  const { components, ...rest } = v.parse(Document, mapped(document, inPlace));
  const prefixed = <T>(parts: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [prefix + name, part]));
  return {
    ...rest,
    components: { schemas: prefixed(components.schemas), responses: prefixed(components.responses) },
  };
}

const mapped = (value: Readonly<Record<string, unknown>>, change: (part: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));

const baseOf = ({ servers }: v.InferOutput<typeof Servers>): string =>
  (servers[0]?.url ?? '').replace('{base_url}', '');

/** A part that several operations share, under the place to which they link. */
const sharedPart = (kind: string, name: string, title: string, content: string): string =>
  `<details id="${kind}-${text(name)}"><summary>${title}</summary>${content}</details>`;

const refusalsPart = ({ components }: Document): string =>
  Object.entries(components.responses)
    .map(([name, { description, content }]) =>
      sharedPart(
        'responses',
        name,
        `<code>${text(name)}</code> ${text(description)}`,
        content ? mediaPart(content) : '',
      ),
    )
    .join('');

const schemasPart = ({ components }: Document): string =>
  Object.entries(components.schemas)
    .map(([name, schema]) =>
      sharedPart('schemas', name, `<code>${text(name)}</code>`, `<pre>${schemaText(schema, 2)}</pre>`),
    )
    .join('');

type Placed = { readonly method: string; readonly path: string; readonly operation: Operation };

const operationsOf = (document: Document): Placed[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path: baseOf(document) + path, operation })),
  );

const operationPart = ({ method, path, operation }: Placed): string =>
  `<details id="${text(operation.operationId)}"><summary><b>${text(method.toUpperCase())}</b> <code>${text(path)}</code>
${text(operation.summary)}</summary>
${operation.description ? `<p>${text(operation.description)}</p>` : ''}${parametersPart(operation)}${bodyPart(operation)}
${Object.entries(operation.responses).map(responsePart).join('')}</details>`;

function parametersPart({ parameters }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(place)}${required ? ', required' : ''}</td><td><code>${schemaText(schema)}</code></td></tr>`,
  );
  return `<table><tr><th>Parameter</th><th>Place</th><th>Schema</th></tr>${rows.join('')}</table>`;
}

const bodyPart = ({ requestBody }: Operation): string =>
  requestBody ? `<h3>Body</h3><p>${text(requestBody.description)}</p>${mediaPart(requestBody.content)}` : '';

const responsePart = ([status, response]: [string, Operation['responses'][string]]): string =>
  '$ref' in response
    ? `<p><code>${text(status)}</code> <a href="#${anchorOf(response.$ref)}">${text(nameOf(response.$ref))}</a></p>`
    : replyPart(status, response);

const replyPart = (status: string, { description, content }: Response): string =>
  `<details><summary><code>${text(status)}</code> ${text(description)}</summary>${content ? mediaPart(content) : ''}</details>`;

const mediaPart = (content: v.InferOutput<typeof Media>): string =>
  Object.entries(content)
    .map(
      ([type, { schema, example }]) =>
        `<p><code>${text(type)}</code></p>${example === undefined ? '' : `<pre>${json(example, 2)}</pre>`}${
          schema === undefined ? '' : `<details><summary>Schema</summary><pre>${schemaText(schema, 2)}</pre></details>`
        }`,
    )
    .join('');

const json = (value: unknown, indent = 0): string => text(JSON.stringify(value, null, indent));

/** A schema as JSON, with links to referenced schemas. */
const schemaText = (schema: unknown, indent = 0): string => {
  const [beginning = '', ...linked] = json(schema, indent).split(`&quot;${schemaPointer}`);
  const links = linked.map((after) => {
    const end = after.indexOf('&quot;');
    const name = after.slice(0, end);
    return `<a href="#schemas-${name}">${name}</a>${after.slice(end + '&quot;'.length)}`;
  });
  return [beginning, ...links].join('');
};

const schemaPointer = '#/components/schemas/';

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Where on the page a shared part is. */
const anchorOf = (reference: string): string => text(reference.split('/').slice(-2).join('-'));

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (raw: string): string => raw.replace(/[&<>"]/g, (one) => entities[one] ?? one);

/** Serves what needs no credential. */
export const systemImplementations = ({
  checks,
  describe,
}: {
  readonly checks: readonly StoreCheck[];
  readonly describe: () => ServiceDescription;
}): Implementations<typeof systemRoutes> => ({
  getHealth: async () => ({ status: 200, body: await healthOf(checks) }),
  getServiceDescription: async () => ({ status: 200, body: describe().service }),
  getCollectionDescription: async () => ({ status: 200, body: describe().collection }),
  getDocumentation: async () => ({ status: 200, headers: documentationPolicy, bytes: describe().page }),
});

type ServiceDescription = ReturnType<typeof build>;

/** Both API descriptions and their page, made when they are first asked for: health needs none of them. */
export const describeService = once(build);

function build() {
  const [collection, service] = [collectionOpenApi(routes), serviceOpenApi(routes)];
  return { collection, service, page: documentationPage([service, collection]) };
}
