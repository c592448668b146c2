import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { currentTemplate } from '../../local/template/current.ts';

it('keeps the template of the local service in a folder that it makes, and reads it until the sources change', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'current-template-'));
  try {
    const folder = path.join(parent, 'new', 'dist');
    const file = path.join(folder, 'template.json');
    const template = await currentTemplate(folder);
    const kept = JSON.parse(await readFile(file, 'utf8'));
    expect(kept.template).toEqual(template);
    expect(await readdir(folder)).toEqual(['template.json']);
    const marked = { ...template, Outputs: {} };
    await writeFile(file, JSON.stringify({ ...kept, template: marked }));
    expect(await currentTemplate(folder)).toEqual(marked);
    for (const outdated of [JSON.stringify({ digest: 'of other sources', template: marked }), '{"digest":']) {
      await writeFile(file, outdated);
      expect(await currentTemplate(folder)).toEqual(template);
    }
  } finally {
    await rm(parent, { recursive: true });
  }
});
