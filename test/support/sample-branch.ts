import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import * as v from 'valibot';

const file = path.resolve(import.meta.dirname, '..', '..', 'local', 'seed', 'sample', 'manifest.json');
const Compiled = v.looseObject({ raw_code: v.string(), compiled_code: v.string() });
const Manifest = v.looseObject({ nodes: v.record(v.string(), Compiled) });

/** The sample's manifest as a branch compiles it that renames a column which many models read. */
function branchManifest(): Buffer {
  const manifest = v.parse(Manifest, JSON.parse(readFileSync(file, 'utf8')));
  const id = 'model.shop.fct_payments';
  const model = v.parse(Compiled, manifest.nodes[id]);
  const renamed = (code: string) => code.replace('net_amount', 'net_amount as amount_after_refunds');
  const { raw_code, compiled_code } = model;
  const changed = { ...model, raw_code: renamed(raw_code), compiled_code: renamed(compiled_code) };
  return Buffer.from(JSON.stringify({ ...manifest, nodes: { ...manifest.nodes, [id]: changed } }));
}

/** The branch's manifest as somebody chooses it from a disk. */
export const branchFile = () => ({ name: 'manifest.json', mimeType: 'application/json', buffer: branchManifest() });

/** Compares the branch on the page of changes, and waits for its picture. */
export async function dropBranch(page: Page): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(branchFile());
  await branchShown(page);
}

/** Waits until the picture shows the relations that the branch breaks. */
export async function branchShown(page: Page): Promise<void> {
  // The page may show another comparison until then.
  await page.getByText('amount_after_refunds').first().waitFor();
  await page.locator('.relation[data-mark="breaks"]').first().waitFor();
}
