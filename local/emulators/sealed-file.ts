import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const algorithm = 'aes-256-gcm';
const lengths = { key: 32, nonce: 12, tag: 16 };
/** For their owner alone. */
const own = { mode: 0o600 };

/** A text in a file that is read only with the key beside it: neither is of use in a copy without the other. */
export function sealedFile(folder: string, name: string) {
  const file = path.join(folder, `${name}.sealed`);
  const key = keyOf(path.join(folder, `${name}.key`));
  return {
    /** Null where there is none yet; throws where the file was changed, or sealed with another key. */
    read: (): string | null => (existsSync(file) ? opened(key, readFileSync(file)) : null),
    write: (text: string): void => {
      writeFileSync(`${file}.new`, sealed(key, text), own);
      renameSync(`${file}.new`, file);
    },
  };
}

function keyOf(file: string): Buffer {
  if (!existsSync(file)) writeFileSync(file, randomBytes(lengths.key), own);
  return readFileSync(file);
}

function sealed(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(lengths.nonce);
  const cipher = createCipheriv(algorithm, key, nonce);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function opened(key: Buffer, bytes: Buffer): string {
  const content = lengths.nonce + lengths.tag;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, lengths.nonce), { authTagLength: lengths.tag });
  decipher.setAuthTag(bytes.subarray(lengths.nonce, content));
  return Buffer.concat([decipher.update(bytes.subarray(content)), decipher.final()]).toString('utf8');
}
