import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Keys of Signature Version 4. A key holds for a day: the one of before is the one that is requested. */
export function lastSigningKey(): (secret: string, scope: string) => KeyObject {
  let last: { readonly secret: string; readonly scope: string; readonly key: KeyObject } | null = null;
  return (secret, scope) => {
    if (last?.secret === secret && last.scope === scope) return last.key;
    const bytes = scope
      .split('/')
      .reduce<Buffer>((key, part) => createHmac('sha256', key).update(part).digest(), Buffer.from(`AWS4${secret}`));
    // As a key object: from bytes Node would make one for each signature.
    last = { secret, scope, key: createSecretKey(bytes) };
    return last.key;
  };
}
