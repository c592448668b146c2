import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetRecord, isCurrent, recordSources } from '../../lib/build-record.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const began = Date.parse('2026-01-01T00:00:00Z');
let folder: string;
let source: string;

/** A source as it was written some seconds before or after the bundles were begun. */
function write(content: string, seconds: number): void {
  const file = path.join(folder, 'source.ts');
  writeFileSync(file, content);
  utimesSync(file, began / 1_000 + seconds, began / 1_000 + seconds);
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bundles-'));
  source = path.relative(root, path.join(folder, 'source.ts'));
  mkdirSync(path.join(folder, 'one'));
  writeFileSync(path.join(folder, 'one', 'index.mjs'), '');
  write('before', -60);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('bundles are made again', () => {
  const record = () => recordSources(folder, ['one'], { sources: [source], began });

  it('only if a source has changed', async () => {
    expect(await isCurrent(folder, ['one'])).toBe(false);
    await record();
    expect(await isCurrent(folder, ['one'])).toBe(true);
  });

  it.each([
    ['a source', () => write('after', 60)],
    ['a source that is gone', () => rmSync(path.join(folder, 'source.ts'))],
    ['a bundle that is gone', () => rmSync(path.join(folder, 'one'), { recursive: true })],
    ['what else was written there', () => forgetRecord(folder)],
  ])('for %s', async (_, change) => {
    await record();
    await change();
    expect(await isCurrent(folder, ['one'])).toBe(false);
  });

  it('if the list of functions is another', async () => {
    await record();
    expect(await isCurrent(folder, ['one', 'two'])).toBe(false);
  });

  it('if a source changed while they were made', async () => {
    write('meanwhile', 1);
    await record();
    expect(await isCurrent(folder, ['one'])).toBe(false);
  });
});
