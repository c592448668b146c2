import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { logEnvironment } from '../support/log-environment.ts';

/** What takes long: the service, each function and the command line started as they are, documents' commands, what is kept of large documents, graphs that are made again, flows under faults, the largest event, every route for every caller, hostile text and SQL, every order of arrival, every option of a stack. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '..', '..'),
    include: ['test/process/**/*.test.ts'],
    setupFiles: ['test/support/watch-log.ts', 'test/support/seed.ts'],
    env: logEnvironment,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
