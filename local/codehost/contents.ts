import { hash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { type HostAnswer, HostRefusal, notFound, ok, readBody, required } from './answers.ts';
import type { HostRequest } from './request.ts';
import type { HostRepository } from './state.ts';

const main = 'main';

/** A file of a repository: its bytes where they are requested, else its description. */
export function contentsOf(repository: HostRepository, { accept, params, query }: HostRequest): HostAnswer {
  const path = pathOf(params);
  const text = fileAt(repository, query.get('ref') ?? main, path);
  if (text === undefined) throw notFound();
  if (!accept.includes('raw')) return ok({ type: 'file', ...described(path, text) });
  const headers = { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' };
  return { status: 200, body: Buffer.from(text), headers };
}

const Change = v.object({
  message: v.string(),
  content: v.pipe(v.string(), v.base64()),
  branch: v.optional(v.string(), main),
  sha: v.optional(v.string()),
});

/** Commits a file to a branch. Of a file that is there, the caller has to know its blob. */
export function putContents(repository: HostRepository, { params, body }: HostRequest): HostAnswer {
  const { content, branch, sha } = readBody(Change, body);
  const path = pathOf(params);
  const parent = required(repository.branches.get(branch));
  const before = fileAt(repository, parent, path);
  if (before !== undefined && sha === undefined) throw new HostRefusal(422, '"sha" wasn\'t supplied.');
  if (before !== undefined && sha !== blobOf(before)) throw new HostRefusal(409, `${path} does not match ${sha}`);
  const commit = randomBytes(20).toString('hex');
  for (const [key, text] of [...repository.files])
    if (key.startsWith(`${parent}:`)) repository.files.set(`${commit}${key.slice(parent.length)}`, text);
  const text = Buffer.from(content, 'base64').toString('utf8');
  repository.files.set(`${commit}:${path}`, text);
  repository.branches.set(branch, commit);
  return ok({ content: described(path, text), commit: { sha: commit } }, before === undefined ? 201 : 200);
}

const pathOf = (params: readonly string[]): string => decodeURIComponent(params[2] ?? '');

export const fileAt = ({ files, branches }: HostRepository, ref: string, path: string): string | undefined =>
  files.get(`${branches.get(ref) ?? ref}:${path}`);

const described = (path: string, text: string) => ({ path, sha: blobOf(text), size: Buffer.byteLength(text) });

/** The name that git has for a file's content. */
const blobOf = (text: string): string => hash('sha1', `blob ${Buffer.byteLength(text)}\0${text}`);
