import { describe, expect, it } from 'vitest';
import { answerPage } from '../../functions/web/answer.ts';

const ports = {
  site: { document: '<!doctype html>', asset: () => null },
  findIssuer: async () => null,
  clientId: 'explorer',
  tokenInFragment: false,
};
const rest = {
  resource: '/{proxy+}',
  params: {},
  query: {},
  bytes: new Uint8Array(),
  gatewayId: 'g',
  base: 'https://service.test',
};
const answer = (method: string, path: string, accept: string) =>
  answerPage(ports, { ...rest, method, path, headers: { accept } }, '/');

describe('an address that is no page of the explorer', () => {
  it.each(['GET', 'HEAD'])('is a page to a browser that opens it (%s)', async (method) => {
    const { status, headers } = await answer(method, '/nowhere', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([status, headers?.['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it.each([
    ['GET', '/nowhere', '*/*'],
    ['GET', '/v1/nowhere', 'application/json'],
    ['POST', '/nowhere', 'text/html'],
  ])('is refused to everyone else: %s %s for %s', async (...request) => {
    await expect(answer(...request)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['/api/v1/lineage/', '/api/v1/lineage/api/v1/lineage', '/api/v1/api/v1/lineage'])(
    'tells a client of OpenLineage that was given too much of its address: %s',
    async (path) => {
      const hint = expect.stringContaining('give them only the address of the service');
      await expect(answer('POST', path, '*/*')).rejects.toMatchObject({ code: 'not_found', hint });
    },
  );
});
