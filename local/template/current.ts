import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { digestOfMatching } from '../../lib/source-digest.ts';
import { Template } from './template.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const recorded = path.join(import.meta.dirname, 'generated', 'template.json');
const library = path.join(root, 'node_modules', 'aws-cdk-lib');
const sources = '{lib,shared/contract,local/{issuer,template}}/**/*.ts';
const dist = path.join(root, 'dist');

const Kept = v.object({ digest: v.string(), template: Template });

/** The recorded template, because a first start does not install the CDK; with the CDK, that of the sources. */
export async function currentTemplate(folder = dist): Promise<Template> {
  if (!existsSync(library)) return v.parse(Template, JSON.parse(await readFile(recorded, 'utf8')));
  const digest = await digestOfMatching('local/synthesize.ts', sources);
  const retained = path.join(folder, 'template.json');
  return (await storedTemplate(retained, digest)) ?? (await synthesized(retained, digest));
}

async function storedTemplate(retained: string, digest: string): Promise<Template | null> {
  try {
    const built = v.parse(Kept, JSON.parse(await readFile(retained, 'utf8')));
    return built.digest === digest ? built.template : null;
  } catch {
    return null; // Never made.
  }
}

async function synthesized(retained: string, digest: string): Promise<Template> {
  const { synthesize } = await import('../synthesize.ts');
  const template = await synthesize();
  // Another process may read it at any moment.
  const draft = `${retained}.${process.pid}`;
  await mkdir(path.dirname(retained), { recursive: true });
  await writeFile(draft, JSON.stringify({ digest, template }));
  await rename(draft, retained);
  return template;
}
