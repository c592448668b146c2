import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assetsFolder, type PageIssuer, type PageSettings, pages } from '../../shared/contract/pages.ts';
import { noEndpoint, Problem } from '../../shared/contract/problems.ts';
import type { HttpRequest, HttpResponse } from '../../shared/runtime/api-gateway.ts';

export type WebPorts = {
  readonly site: Site;
  readonly findIssuer: () => Promise<PageIssuer | null>;
  readonly clientId: string;
  readonly tokenInFragment: boolean;
};

const patterns = pages.map((page) => new RegExp(`^${page.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`));

/** The explorer's document or a file. Any address opened in a browser gets the document, which says if it is none. */
export async function answerPage(ports: WebPorts, request: HttpRequest, base: string): Promise<HttpResponse> {
  const isPage = patterns.some((pattern) => pattern.test(request.path));
  const asset = isPage ? null : ports.site.asset(request.path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isPage && asset === null && !(isRead && takesPages(request)))
    throw new Problem('not_found', {
      message: noEndpoint,
      ...(mistaken.test(request.path) && { hint: openLineageHint }),
    });
  if (!isRead) throw new Problem('method_not_allowed');
  const response = asset === null ? await document(ports, base, isPage ? 200 : 404) : fileOf(asset, request);
  return request.method === 'HEAD' ? { ...response, body: '' } : response;
}

/** Clients of OpenLineage add the endpoint to the address that they are given, and some keep its final slash. */
const mistaken = /\/api\/v1\/lineage\/*$/;
const openLineageHint =
  'Send events with POST to /api/v1/lineage, without a final slash. Most clients add this path: give them only the address of the service.';

/** Only browsers send this type when a person opens an address. */
const takesPages = ({ headers }: HttpRequest): boolean => /\btext\/html\b/i.test(headers['accept'] ?? '');

function fileOf({ type, plain, brotli }: Asset, { headers }: HttpRequest): HttpResponse {
  const compressed = brotli !== null && /\bbr\b/.test(headers['accept-encoding'] ?? '') ? brotli : null;
  return {
    status: 200,
    headers: {
      'content-type': type,
      // The name holds a digest of the content: it never changes.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      ...(compressed && { 'content-encoding': 'br' }),
    },
    body: compressed ?? plain,
  };
}

async function document(ports: WebPorts, base: string, status: 200 | 404): Promise<HttpResponse> {
  const issuer = await ports.findIssuer();
  const settings: PageSettings = {
    base,
    client_id: ports.clientId,
    issuer,
    token_in_fragment: ports.tokenInFragment,
  };
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', ...guards(issuer) },
    body: ports.site.document
      .replaceAll(`".${assetsFolder}`, `"${attribute(base + assetsFolder.slice(1))}`)
      .replace('content="{}"', `content="${attribute(JSON.stringify(settings))}"`),
  };
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Nothing but the page's own files runs, and nothing but its own API and the issuer's token endpoint is asked. */
function guards(issuer: PageIssuer | null): Record<string, string> {
  const endpoints = [issuer?.token_endpoint, issuer?.revocation_endpoint].filter((one) => one !== undefined);
  const allowedOrigins = ["'self'", ...new Set(endpoints.map((endpoint) => new URL(endpoint).origin))];
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self' data: blob:",
      `connect-src ${allowedOrigins.join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

type Asset = { readonly type: string; readonly plain: Uint8Array; readonly brotli: Uint8Array | null };

type Site = { readonly document: string; readonly asset: (path: string) => Asset | null };

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The explorer as it was built, read whole from a folder next to the function's code: a later build may replace that. */
export function siteIn(folder: string): Site {
  const assets = path.join(folder, assetsFolder);
  const read = new Map(
    readdirSync(assets).flatMap((name) => {
      const type = types[path.extname(name)];
      return type === undefined ? [] : [[assetsFolder + name, readAsset(path.join(assets, name), type)] as const];
    }),
  );
  return {
    document: readFileSync(path.join(folder, 'index.html'), 'utf8'),
    asset: (path) => read.get(path) ?? null,
  };
}

function readAsset(file: string, type: string): Asset {
  const compressed = `${file}.br`;
  return { type, plain: readFileSync(file), brotli: existsSync(compressed) ? readFileSync(compressed) : null };
}
