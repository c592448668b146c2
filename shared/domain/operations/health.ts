import { type Health, version } from '../../contract/system.ts';

export type StoreCheck = {
  readonly name: NonNullable<Health['stores']>[number]['name'];
  /** Rejects where the store does not answer. */
  readonly read: () => Promise<unknown>;
};

export async function healthOf(checks: readonly StoreCheck[]): Promise<Health> {
  const stores = await Promise.all(
    checks.map(async ({ name, read }) => {
      const status = await read().then(
        () => 'ok' as const,
        () => 'down' as const,
      );
      return { name, status };
    }),
  );
  const status = stores.every((store) => store.status === 'ok') ? 'ok' : 'degraded';
  return { status, version, ...(stores.length > 0 && { stores }) };
}
