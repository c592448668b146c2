import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The steps of a real deployment, in their order: each rests on the ones before. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '..', '..'),
    include: ['test/deploy/**/*.check.ts'],
    exclude: process.env['SAMPLE'] === '1' ? ['test/deploy/first-failure.check.ts'] : [],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // All of them bundle the functions into one folder.
    fileParallelism: false,
    bail: 1,
    env: {
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
      POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
      POWERTOOLS_SERVICE_NAME: 'tributary',
    },
  },
});
