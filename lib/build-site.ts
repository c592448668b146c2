import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { digestOfMatching } from './source-digest.ts';

const repository = path.resolve(import.meta.dirname, '..');
const retained = path.join(repository, 'dist', 'sites');
const sources = '{web,shared/contract,shared/domain/lineage/report}/**/*.{ts,tsx,css,html,json,svg}';
const vite = path.join(repository, 'node_modules', 'vite', 'bin', 'vite.js');

/** Puts the explorer, built and compressed, into a folder. It is built again only where its sources changed. */
export async function buildSite(folder: string): Promise<void> {
  const digest = await digestOfMatching('lib/build-site.ts', sources);
  const built = path.join(retained, digest);
  const mark = path.join(folder, '.built-from');
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === digest) return;
  if (!existsSync(built)) await build(built);
  const draft = `${folder}.${randomUUID()}`;
  await cp(built, draft, { recursive: true });
  await writeFile(path.join(draft, '.built-from'), digest);
  await rm(folder, { recursive: true, force: true });
  // Another process may have put the same there.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
}

/** In its own process, whose environment decides which React it is; a build that breaks off leaves nothing. */
async function build(folder: string): Promise<void> {
  const draft = `${folder}.${randomUUID()}`;
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = ['build', path.join(repository, 'web'), '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, ...options], { cwd: repository, env });
  await compressAll(path.join(draft, 'assets'));
  await mkdir(retained, { recursive: true });
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
}

async function compressAll(folder: string): Promise<void> {
  const compress = promisify(brotliCompress);
  // The best quality is a tenth smaller, for eight times the processor's time.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const plain = await readFile(file);
    const compressed = await compress(plain, quality);
    if (compressed.length < plain.length) await writeFile(`${file}.br`, compressed);
  }
}
