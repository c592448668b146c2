import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { systemRoutes } from '../../shared/contract/system.ts';
import { once } from '../../shared/domain/base/caching.ts';
import { healthOf, type StoreCheck } from '../../shared/domain/operations/health.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Of an OpenAPI document, what the page reads. It shows the rest as JSON. */
const Document = v.object({
  servers: v.array(v.object({ url: v.string() })),
  info: v.object({ version: v.string() }),
  paths: v.record(
    v.string(),
    v.record(v.string(), v.looseObject({ operationId: v.string(), tags: v.array(v.string()), summary: v.string() })),
  ),
  components: v.record(v.string(), v.record(v.string(), v.unknown())),
});
type Document = v.InferOutput<typeof Document>;

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
pre { overflow: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); max-height: 32rem; }
details { border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
summary { cursor: pointer; padding: 0.5rem 0; }
summary b { display: inline-block; min-width: 4.5rem; }
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

/** OpenAPI documents as one page of HTML: their operations by tag, then what these share. */
function documentationPage(documents: readonly unknown[]): string {
  const read = documents.map((document) => v.parse(Document, document));
  const title = `Tributary API ${read[0]?.info.version ?? ''}`;
  const sections = [
    ...Map.groupBy([...read.flatMap(operationsOf), ...read.flatMap(componentsOf)], ({ title }) => title),
  ];
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title>`,
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>`,
    `<h1>${text(title)}</h1>`,
    '<p>As documents: <a href="openapi.json">openapi.json</a>, <a href="collect/openapi.json">collect/openapi.json</a>.</p>',
    `<nav>${sections.map(([name]) => `<a href="#${text(name)}">${text(name)}</a>`).join('')}</nav>`,
    ...sections.map(
      ([name, parts]) =>
        `<section id="${text(name)}"><h2>${text(name)}</h2>${parts.map(({ html }) => html).join('')}</section>`,
    ),
    '</body></html>',
  ].join('\n');
}

type Part = { readonly title: string; readonly html: string };

const operationsOf = (document: Document): Part[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, tags, summary, ...rest }]) => ({
      title: tags.join(', '),
      html: details(
        operationId,
        `<b>${text(method.toUpperCase())}</b> <code>${text(baseOf(document) + path)}</code> ${text(summary)}`,
        json(document, rest),
      ),
    })),
  );

const componentsOf = (document: Document): Part[] =>
  Object.entries(document.components).flatMap(([kind, parts]) =>
    Object.entries(parts).map(([name, part]) => ({
      title: kind,
      html: details(anchorOf(document, kind, name), `<code>${text(name)}</code>`, json(document, part)),
    })),
  );

const details = (id: string, summary: string, content: string): string =>
  `<details id="${text(id)}"><summary>${summary}</summary><pre>${content}</pre></details>`;

const baseOf = ({ servers }: Document): string => (servers[0]?.url ?? '').replace('{base_url}', '');

/** Two documents may give different parts one name, so the anchors of a base begin with it. */
const anchorOf = (document: Document, kind: string, name: string): string =>
  [...baseOf(document).split('/').filter(Boolean), kind, name].join('-');

/** JSON whose references link to their parts. */
const json = (document: Document, value: unknown): string =>
  text(JSON.stringify(value, null, 2)).replace(
    /&quot;#\/components\/([^/&]+)\/([^/&]+)&quot;/g,
    (_, kind: string, name: string) => `<a href="#${anchorOf(document, kind, name)}">${name}</a>`,
  );

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (raw: string): string => raw.replace(/[&<>"]/g, (one) => entities[one] ?? one);

export const systemImplementations = ({
  checks,
  describe,
}: {
  readonly checks: readonly StoreCheck[];
  readonly describe: () => ServiceDescription;
}): Implementations<typeof systemRoutes> => ({
  getHealth: async () => healthOf(checks),
  getServiceDescription: async () => describe().service,
  getCollectionDescription: async () => describe().collection,
  getDocumentation: async () => ({ status: 200, headers: documentationPolicy, bytes: describe().page }),
});

type ServiceDescription = ReturnType<typeof build>;

/** Both API descriptions and their page, made when they are first asked for: health needs none of them. */
export const describeService = once(build);

function build() {
  const [collection, service] = [collectionOpenApi(routes), serviceOpenApi(routes)];
  return { collection, service, page: documentationPage([service, collection]) };
}
