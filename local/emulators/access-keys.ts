import { randomBytes } from 'node:crypto';

/** What requests to the emulators have to be signed with. */
export type AccessKeys = { readonly accessKeyId: string; readonly secretAccessKey: string };

/** Keys of one run: only readers of this run's credentials file know them. */
export const newAccessKeys = (): AccessKeys => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});
