import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemImplementations } from '../../functions/system/system.ts';
import { healthKey, healthObject } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { putItem } from '../../shared/adapters/dynamodb/requests/items.ts';
import { deleteObject, putObject } from '../../shared/adapters/s3/bucket.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { systemRoutes, version } from '../../shared/contract/system.ts';
import { healthOf } from '../../shared/domain/operations/health.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { systemPorts } from '../../shared/runtime/composition/queries.ts';
import { rawBucket, table } from '../../shared/runtime/composition/stores.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request, startAccessWorld } from '../support/access-world.ts';
import { deployedFunctions, type Send } from '../support/deployed-functions.ts';
import { provideForAll } from '../support/provide.ts';

provideForAll(startAccessWorld);
let send: Send;
beforeAll(async () => {
  process.env['HEALTH_STORES'] = 'true';
  send = await deployedFunctions();
});

describe('health (C-READ-7)', () => {
  it('returns the version, and the state of the stores if the deployment enables it', async () => {
    const { status, text } = await send({ route: routes.getHealth });
    const stores = ['table', 'objects'].map((name) => ({ name, status: 'ok' }));
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok', version, stores }]);
  });

  it.runIf(process.platform === 'linux')('is degraded if the disk of the local service is full', async () => {
    const diskOf = async (folder: string) => {
      process.env['LOCAL_FOLDER'] = folder;
      const health = await healthOf(systemPorts().checks);
      return [health.status, health.stores?.find(({ name }) => name === 'disk')?.status];
    };
    expect(await diskOf(tmpdir())).toEqual(['ok', 'ok']);
    // A file system without room.
    expect(await diskOf('/proc')).toEqual(['degraded', 'down']);
    delete process.env['LOCAL_FOLDER'];
  });

  it('names the store that was replaced by an empty one', async () => {
    const bucket = rawBucket();
    await putObject(bucket, healthObject, new Uint8Array(), { type: 'text/plain' });
    const down = async () => (await healthOf(systemPorts().checks)).stores?.filter(({ status }) => status === 'down');
    expect(await down()).toEqual([{ name: 'table', status: 'down' }]);
    await putItem(table(), { pk: { S: healthKey.pk }, sk: { S: healthKey.sk } });
    expect(await down()).toEqual([]);
    await deleteObject(bucket, healthObject);
    expect(await down()).toEqual([{ name: 'objects', status: 'down' }]);
  });

  it('is degraded if a store does not answer', async () => {
    const broken = { name: 'table', read: () => Promise.reject(new Error('down')) } as const;
    const describe = () => Promise.reject(new Error('is not asked for')) as never;
    const respond = responder(systemRoutes, systemImplementations({ checks: [broken], describe }), httpPorts());
    const { body } = await respond(request('GET', '/health'));
    const stores = [{ name: 'table', status: 'down' }];
    expect(JSON.parse(String(body))).toEqual({ status: 'degraded', version, stores });
  });
});

describe('the methods of HTTP (C-READ-9)', () => {
  it('accept HEAD if they accept GET, and are listed in an uncacheable response if a method is refused', async () => {
    const checks = [{ name: 'table', read: async () => undefined }] as const;
    const respond = responder(
      systemRoutes,
      systemImplementations({ checks, describe: () => '' as never }),
      httpPorts(),
    );
    expect(await respond(request('HEAD', '/health'))).toMatchObject({ status: 200, body: '' });
    const { status, headers } = await respond(request('DELETE', '/health'));
    expect([status, headers['allow'], headers['cache-control']]).toEqual([405, 'GET, HEAD', 'no-store']);
  });
});

describe('the API descriptions (C-READ-7)', () => {
  it('are served as they are kept', async () => {
    for (const [route, name] of [
      [routes.getServiceDescription, 'service'],
      [routes.getCollectionDescription, 'collection'],
    ] as const) {
      const { status, text } = await send({ route });
      const { default: stored } = await import(`../../docs/openapi/${name}.json`, { with: { type: 'json' } });
      expect([status, JSON.parse(text)]).toEqual([200, stored]);
    }
  });

  it('are a page without scripts whose policy admits its own style and nothing else', async () => {
    const { status, text, headers } = await send({ route: routes.getDocumentation });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${digest}'`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/<(script|link|img|iframe)|\s(on\w+|src)=|url\(|@import/i);
    for (const [, name] of text.matchAll(/href="#([^"]+)"/g)) expect(text, name).toContain(`id="${name}"`);
    expect(text).toContain('href="#schemas-LineageDelivery"');
    for (const { path } of Object.values(routes)) expect(text).toContain(path.replace(/\/$/, ''));
  });
});
