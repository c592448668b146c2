import { randomBytes } from 'node:crypto';

export type AccessKeys = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** Keys of one run: only readers of this run's credentials file know them. */
export const newAccessKeys = (): AccessKeys => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});
