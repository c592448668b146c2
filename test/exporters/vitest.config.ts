import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** The exporters as they are installed, against the local service. */
export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '..', '..'),
    include: ['test/exporters/**/*.check.ts'],
    testTimeout: 600_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 1,
    env: {
      POWERTOOLS_LOG_LEVEL: 'CRITICAL',
      POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
      POWERTOOLS_SERVICE_NAME: 'tributary',
    },
  },
});
