import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/watch-log.ts'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // Powertools reads these as it is imported.
    env: {
      POWERTOOLS_LOG_LEVEL: 'DEBUG',
      POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
      POWERTOOLS_SERVICE_NAME: 'tributary',
    },
    pool: 'forks',
    maxWorkers: 2,
  },
});
