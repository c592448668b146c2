import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { functionNames } from '../../lib/function-specs.ts';
import { gatewayOf, requestListener } from '../../local/gateway/gateway.ts';
import { localFunctions } from '../../local/lambda/functions.ts';
import { listenOnLoopback } from '../../local/listen.ts';
import { synthesize } from '../../local/synthesize.ts';
import { resourcesOf, type Template } from '../../local/template/template.ts';
import { wire } from '../../local/template/wiring.ts';
import { spacedJson } from '../../scripts/spaced-json.ts';
import { collectionOpenApi, serviceOpenApi } from '../../shared/contract/api/openapi.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { ErrorEnvelope, problems } from '../../shared/contract/problems.ts';
import type { Route } from '../../shared/contract/route.ts';

const ImportedApi = v.looseObject({
  BinaryMediaTypes: v.array(v.string()),
  Body: v.looseObject({
    paths: v.record(
      v.string(),
      v.record(
        v.string(),
        v.looseObject({
          responses: v.record(v.string(), v.unknown()),
          'x-amazon-apigateway-integration': v.looseObject({
            uri: v.unknown(),
            responseTransferMode: v.optional(v.string()),
          }),
        }),
      ),
    ),
    'x-amazon-apigateway-gateway-responses': v.record(
      v.string(),
      v.object({
        statusCode: v.optional(v.string()),
        responseParameters: v.record(v.string(), v.string()),
        responseTemplates: v.strictObject({ 'application/json': v.string() }),
      }),
    ),
  }),
});

/** The status that the gateway answers with where none is given. */
const ownStatus: Readonly<Record<string, number>> = {
  REQUEST_TOO_LARGE: 413,
  INTEGRATION_TIMEOUT: 504,
  INTEGRATION_FAILURE: 504,
  RESOURCE_NOT_FOUND: 404,
};
const lambdaRequestBytes = 6_291_456;

const recorded = '../../local/template/generated/template.json';

let template: Template;
let api: v.InferOutput<typeof ImportedApi>;
beforeAll(async () => {
  template = await synthesize();
  const [[, { Properties = {} } = {}] = []] = resourcesOf(template, 'AWS::ApiGateway::RestApi');
  api = v.parse(ImportedApi, Properties);
});
const answers = () => api.Body['x-amazon-apigateway-gateway-responses'];
const integrations = () =>
  Object.entries(api.Body.paths).flatMap(([place, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: `${method} ${place}`,
      integration: operation['x-amazon-apigateway-integration'],
    })),
  );

describe('the template', () => {
  it('is the one that was last looked at: if the change is meant, run `npm run template`', async () => {
    await expect(`${spacedJson(template)}\n`).toMatchFileSnapshot(recorded);
  });
});

describe('the API that is imported', () => {
  it('has each path of the table once, for all methods, and no path of the published descriptions is missing', () => {
    const published = Object.entries({ '/collect': collectionOpenApi(routes), '': serviceOpenApi(routes) }).flatMap(
      ([base, document]) => Object.keys(Object(document['paths'])).map((place) => (base + place).replace(/\/$/, '')),
    );
    expect(Object.keys(api.Body.paths)).toEqual(expect.arrayContaining(published));
    for (const [place, item] of Object.entries(api.Body.paths))
      expect([place, Object.keys(item)]).toEqual([place, ['x-amazon-apigateway-any-method']]);
  });

  it('is an OpenAPI document that API Gateway reads: 3.0, no schema, no final slash', () => {
    expect(api.Body['openapi']).toBe('3.0.1');
    expect(JSON.stringify(api.Body)).not.toContain('"$ref"');
    for (const place of Object.keys(api.Body.paths)) expect(place).toMatch(/^\/$|^(\/([a-zA-Z0-9._-]+|\{\w+\+?\}))+$/);
  });

  it('refers to no other resource, so that a live address does not depend on what is deployed behind it', () => {
    const references = JSON.stringify(api.Body).match(/"Fn::GetAtt"|"Ref":"(?!AWS::)[^"]+"/g);
    expect(references).toBeNull();
    const [[, stage] = []] = resourcesOf(template, 'AWS::ApiGateway::Stage');
    expect(Object.keys(Object(stage?.Properties['Variables'])).toSorted()).toEqual(
      [...new Set(JSON.stringify(api.Body).match(/(?<=stageVariables\.)\w+/g))].toSorted(),
    );
  });

  it('has the logical ids that it was deployed with: its address is in use', () => {
    const [[rest] = []] = resourcesOf(template, 'AWS::ApiGateway::RestApi');
    const [[stage] = []] = resourcesOf(template, 'AWS::ApiGateway::Stage');
    expect([rest, stage]).toEqual(['ApiRest4DEC74FE', 'ApiRestDeploymentStagelive3BEBAE0C']);
  });
});

describe('bodies at the gateway', () => {
  it('arrive byte for byte: every media type is binary, and nothing is compressed or inflated', () => {
    expect(api.BinaryMediaTypes).toEqual(['*/*']);
    expect(api.Body['x-amazon-apigateway-binary-media-types']).toEqual(['*/*']);
    expect(api).not.toHaveProperty('MinimumCompressionSize');
    for (const { id, integration } of integrations())
      expect(integration, id).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST' });
  });

  it('fit into an invocation as base64 with 256 KB of headers if they are as large as the inline limit', () => {
    const event = Math.ceil(limits.inlineBytes / 3) * 4;
    expect(event).toBeLessThan(lambdaRequestBytes - 130_000);
    expect(limits.collection.bodyBytes).toBeLessThan(limits.inlineBytes);
  });

  it('have a kind of upload for each route that takes evidence, if they are larger', () => {
    const writing = Object.values<Route>(routes).filter(({ access }) => 'scope' in access && access.scope === 'write');
    const larger = writing.filter(({ body }) => (body?.maxBytes ?? 0) > limits.inlineBytes);
    expect(new Set(larger.map((route) => route.function))).toEqual(new Set(['ingest']));
    const { statusCode, responseTemplates } = answers()['REQUEST_TOO_LARGE'] ?? {};
    expect(statusCode).toBeUndefined();
    expect(responseTemplates?.['application/json']).toContain(`POST ${routes.createUpload.path}`);
    expect(responseTemplates?.['application/json']).toContain(String(limits.inlineBytes));
  });

  it('that nobody completes expire', () => {
    const rules = resourcesOf(template, 'AWS::S3::Bucket').flatMap(([, { Properties }]) =>
      JSON.stringify(Properties['LifecycleConfiguration'] ?? {}),
    );
    expect(rules.filter((rule) => rule.includes('"ExpirationInDays":2,"Prefix":"uploads/"'))).toHaveLength(1);
    expect(rules.filter((rule) => rule.includes('"ExpirationInDays":30,"Prefix":"names/"'))).toHaveLength(1);
    expect(limits.upload.completeWithin).toBeLessThan(2 * 86_400);
  });
});

describe('what the gateway answers itself', () => {
  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'not_found'],
    ['RESOURCE_NOT_FOUND', 404, 'not_found'],
    ['ACCESS_DENIED', 403, 'insufficient_workspace_role'],
    ['WAF_FILTERED', 403, 'insufficient_workspace_role'],
    ['REQUEST_TOO_LARGE', 413, 'body_too_large'],
    ['THROTTLED', 429, 'rate_limited'],
    ['QUOTA_EXCEEDED', 429, 'rate_limited'],
    ['INTEGRATION_FAILURE', 503, 'unavailable'],
    ['API_CONFIGURATION_ERROR', 503, 'unavailable'],
    ['INTEGRATION_TIMEOUT', 504, 'unavailable'],
  ] as const)('for %s is %i %s in the envelope', (type, status, code) => {
    const { statusCode, responseParameters = {}, responseTemplates } = answers()[type] ?? {};
    expect(Number(statusCode ?? ownStatus[type])).toBe(status);
    const envelope = v.parse(ErrorEnvelope, JSON.parse(responseTemplates?.['application/json'] ?? '{}'));
    const message = code === 'not_found' ? 'No such endpoint.' : problems[code].message;
    expect(envelope.detail).toMatchObject({ code, message, request_id: '$context.requestId' });
    expect(responseParameters['gatewayresponse.header.X-Request-ID']).toBe('context.requestId');
    const isRetried = code === 'rate_limited' || code === 'unavailable';
    expect(responseParameters['gatewayresponse.header.Retry-After']).toBe(isRetried ? "'1'" : undefined);
    expect(responseParameters['gatewayresponse.header.Access-Control-Allow-Origin']).toBe("'*'");
  });

  it('has the envelope for everything else, and never invites to send a body again that is too large (C-ERROR-1, C-ERROR-17)', () => {
    for (const type of ['DEFAULT_4XX', 'DEFAULT_5XX']) expect(type in answers()).toBe(true);
    expect(answers()['BAD_REQUEST_PARAMETERS']?.statusCode).toBe('404');
    expect(answers()['REQUEST_TOO_LARGE']?.responseParameters).not.toHaveProperty('gatewayresponse.header.Retry-After');
  });
});

describe('a function that is throttled', () => {
  it('is answered 503 with Retry-After, which a page of any origin may read (C-ERROR-13)', async () => {
    const wiring = wire(template, 'http://queues.test');
    const none = { containers: 0, eventsPerContainer: 1, maxWaiting: 0, busyAfterMs: 0, idleMs: 0 };
    const settings = {
      limits: { maxBytes: 1_000, timeoutMs: 5_000 },
      strictAws: true,
      verbose: false,
      onFailure: () => {},
      log: () => {},
    };
    const server = createServer(
      requestListener(
        gatewayOf(
          wiring,
          localFunctions(wiring, {}, {}, () => none),
          settings,
        ),
      ),
    );
    try {
      const address = await listenOnLoopback(server, 0);
      const response = await fetch(`${address}/collect/v1/batch`, { method: 'POST', body: '{}' });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(v.parse(ErrorEnvelope, await response.json()).detail.code).toBe('unavailable');
    } finally {
      server.close();
    }
  });
});

describe('the access log', () => {
  it('logs the integration’s response, the gateway’s rule and the duration of each request', () => {
    const [[, stage] = []] = resourcesOf(template, 'AWS::ApiGateway::Stage');
    const { AccessLogSetting } = v.parse(
      v.object({ AccessLogSetting: v.object({ Format: v.string() }) }),
      stage?.Properties,
    );
    expect(Object.values(JSON.parse(AccessLogSetting.Format))).toEqual(
      expect.arrayContaining(['$context.integrationStatus', '$context.error.responseType', '$context.responseLatency']),
    );
  });
});

const streamed = () => integrations().filter(({ integration }) => integration.responseTransferMode === 'STREAM');

const FunctionProperties = v.object({
  MemorySize: v.number(),
  Environment: v.object({ Variables: v.looseObject({ NODE_OPTIONS: v.string() }) }),
});

describe('the memory of a function', () => {
  /** The limit of the heap, as V8 reports it in a process that Lambda starts with these options. */
  function heapMiB(NODE_OPTIONS: string): number {
    const program = 'process.stdout.write(String(require("node:v8").getHeapStatistics().heap_size_limit))';
    return Number(execFileSync(process.execPath, ['-e', program], { env: { NODE_OPTIONS } })) / 2 ** 20;
  }

  /** One function of each size, by its logical id. */
  const sizes = () =>
    new Map(
      resourcesOf(template, 'AWS::Lambda::Function').map(([id, { Properties }]) => {
        const { MemorySize, Environment } = v.parse(FunctionProperties, Properties);
        const { NODE_OPTIONS } = Environment.Variables;
        return [`${MemorySize} ${NODE_OPTIONS}`, { id, MemorySize, NODE_OPTIONS }];
      }),
    );

  it('is a heap that Node may fill to four fifths at least, and that no function lets grow beyond its memory', () => {
    expect(sizes().size).toBeGreaterThan(4);
    for (const { MemorySize, NODE_OPTIONS } of sizes().values()) {
      const share = heapMiB(NODE_OPTIONS) / MemorySize;
      expect([NODE_OPTIONS, share > 0.8, share <= 1]).toEqual([NODE_OPTIONS, true, true]);
    }
  });

  it('is the same heap in a thread of the local service', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'heap-'));
    const program = "import { getHeapStatistics } from 'node:v8';\nexport const handler = async () => ";
    writeFileSync(path.join(folder, 'index.mjs'), `${program}getHeapStatistics().heap_size_limit / 2 ** 20;\n`);
    const Resources = Object.fromEntries(
      Object.entries(template.Resources).map(([id, resource]) => [
        id,
        { ...resource, ...(resource.Type === 'AWS::Lambda::Function' && { Metadata: { 'aws:asset:path': folder } }) },
      ]),
    );
    const capacity = { containers: 1, eventsPerContainer: 1, maxWaiting: 1, busyAfterMs: 0, idleMs: 0 };
    const functions = localFunctions(wire({ ...template, Resources }, 'http://127.0.0.1'), {}, {}, () => capacity);
    for (const { id, NODE_OPTIONS } of sizes().values()) {
      expect([NODE_OPTIONS, await functions.get(id)?.invoke({})]).toEqual([NODE_OPTIONS, heapMiB(NODE_OPTIONS)]);
      await functions.get(id)?.restart();
    }
    rmSync(folder, { recursive: true });
  });
});

describe('what no emulator deploys as AWS does', () => {
  it('is a streamed reply: only for streamed routes, by the streaming invocation, for five minutes', () => {
    const paths = Object.values<Route>(routes).flatMap(({ stream, path, aliases = [] }) =>
      stream ? [path, ...aliases] : [],
    );
    expect(new Set(streamed().map(({ id }) => id.split(' ')[1]))).toEqual(new Set(paths));
    for (const { id, integration } of streamed()) {
      expect(integration, id).toMatchObject({ timeoutInMillis: 300_000 });
      expect(JSON.stringify(integration)).toContain('/response-streaming-invocations');
    }
  });

  it('is that a role is a function’s own', () => {
    const roles = resourcesOf(template, 'AWS::Lambda::Function').map(([, { Properties }]) =>
      JSON.stringify(Properties['Role']),
    );
    expect(new Set(roles).size).toBe(functionNames.length);
  });
});
