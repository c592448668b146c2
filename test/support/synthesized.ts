import { mkdirSync } from 'node:fs';
import { bundleFolder } from '../../lib/bundle-functions.ts';
import { functionNames } from '../../lib/function-specs.ts';
import { synthesize } from '../../local/synthesize.ts';
import type { Template } from '../../local/template/template.ts';

const issuer = { issuer: 'https://issuer.example', audience: 'tributary', jwksUrl: 'https://issuer.example/jwks.json' };

/** The template of a tenant that has an issuer of its own; synthesis asks for the folders of the bundles alone. */
export function synthesized(): Promise<Template> {
  for (const name of functionNames) mkdirSync(bundleFolder(name), { recursive: true });
  return synthesize(issuer);
}

/** A template as text, without what changes although nothing is deployed in another way: digests and places of files. */
export function withoutHashes(template: Template): string {
  const text = JSON.stringify(template, (key, value) => (key.startsWith('aws:asset:') ? undefined : value), 2);
  return `${text.replaceAll(/[0-9a-f]{64}/g, 'HASH').replaceAll(/(Deployment[0-9A-F]{8})[0-9a-f]{32}/g, '$1')}\n`;
}
