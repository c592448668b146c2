import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { logEnvironment } from '../support/log-environment.ts';

/** The service and the command line in processes of their own, documents whose commands are run, and flows under faults: minutes of two processors. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '..', '..'),
    include: ['test/process/**/*.test.ts'],
    globalSetup: ['test/support/synthesize-stores.ts'],
    setupFiles: ['test/support/watch-log.ts', 'test/support/seed.ts'],
    env: logEnvironment,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
