import { afterAll } from 'vitest';

// Runs before every test file: the next file may run in the same process, and sets what it needs.
const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
