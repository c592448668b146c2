import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { appsOf, credentialsOf, requireApp, serviceAppId } from '../../../shared/domain/codehost/apps.ts';

const workspace = 'w' as WorkspaceId;
type Reader = Parameters<typeof appsOf>[0];
const record = (id: string, updated_at: string) => ({
  id,
  updated_at,
  app_id: `app ${id}`,
  api_base_url: 'https://host.test',
});
const own = [record('older', '2026-01-01'), record('newest', '2026-03-01'), record('old', '2026-02-01')];
const readerOf = (records: readonly object[], serviceApp: object | null) =>
  ({ registry: { apps: { list: async () => records } }, serviceApp }) as unknown as Reader;
const service = { app_id: 'of the service', secrets_ref: 's' };

describe('the apps of a workspace', () => {
  it('are its own, the newest first, and then the one of the deployment', async () => {
    const ids = async (reader: Reader) => (await appsOf(reader, workspace)).map(({ id, mode }) => [id, mode]);
    const owned = ['newest', 'old', 'older'].map((id) => [id, 'customer_owned']);
    expect(await ids(readerOf(own, service))).toEqual([...owned, [serviceAppId, 'service']]);
    expect(await ids(readerOf(own, null))).toEqual(owned);
  });

  it('answer the newest where none is named, the one of the deployment where there is no other, else not_found', async () => {
    expect(await requireApp(readerOf(own, service), workspace, null)).toMatchObject({ id: 'newest' });
    expect(await requireApp(readerOf([], service), workspace, null)).toMatchObject({ id: serviceAppId });
    await expect(requireApp(readerOf([], null), workspace, null)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sign in with the key of their secret, and not at all once it is gone', async () => {
    const [app] = await appsOf(readerOf(own, null), workspace);
    if (!app) throw new Error('no app');
    const secrets = { private_key: 'k', webhook_secret: 'w', client_secret: 'c' };
    expect(await credentialsOf({ get: async () => secrets } as never, app)).toEqual({
      appId: 'app newest',
      apiBaseUrl: 'https://host.test',
      privateKey: 'k',
    });
    expect(await credentialsOf({ get: async () => null } as never, app)).toBeNull();
  });
});
