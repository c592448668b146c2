import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';

// Runs before every test file. Files of one process share its globals, and each begins without marks.
for (const name of Object.keys(globalThis)) if (name.startsWith('__probe')) Reflect.deleteProperty(globalThis, name);

const log = process.env['MUTATION_LOG'];
if (log) appendFileSync(log, `${process.pid} file ${expect.getState().testPath} ${Date.now()}\n`);
