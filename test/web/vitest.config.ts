import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The explorer in a real browser, which a machine only with Node lacks. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '..', '..'),
    include: ['test/web/**/*.browser.ts'],
    setupFiles: ['test/support/watch-log.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
