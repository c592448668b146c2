import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { LocalStores } from '../shared/contract/stack-outputs.ts';
import { connectorKinds } from '../shared/contract/vocabulary.ts';
import { makeFilePrivate } from './private.ts';

const texts = v.record(v.string(), v.string());

export const SeededWorkspace = v.object({
  id: v.string(),
  tokens: texts,
  connectors: v.record(
    v.string(),
    v.object({
      id: v.string(),
      kind: v.picklist(connectorKinds),
      namespaces: v.array(v.string()),
      default_database: v.string(),
      default_schema: v.string(),
    }),
  ),
  linked_projects: texts,
  collection: texts,
});
export type SeededWorkspace = v.InferOutput<typeof SeededWorkspace>;

/** What a seed made: the only place where its keys and tokens can be read. */
export const Seeded = v.object({
  workspaces: v.record(v.string(), SeededWorkspace),
  outsider: v.object({ token: v.string() }),
});
export type Seeded = v.InferOutput<typeof Seeded>;

export const CodeHostAccess = v.object({ url: v.string(), repository: v.string(), token: v.string() });
export type CodeHostAccess = v.InferOutput<typeof CodeHostAccess>;

export type Credentials = Seeded & {
  readonly base_url: string;
  readonly local: LocalStores;
  /** Opens the explorer with a session at the development issuer. */
  readonly sign_in_url?: string;
  readonly code_host?: CodeHostAccess;
};

/** Writes the file as a whole, so that a process that waits for it never reads a part. */
export async function writeCredentials(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await makeFilePrivate(draft);
  await rename(draft, file);
}
