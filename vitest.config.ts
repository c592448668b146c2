import { defineConfig } from 'vitest/config';
import { logEnvironment } from './test/support/log-environment.ts';

/** Tests that leave nothing behind in their process: to load the sources for each file anew would double their cost. */
const pure = ['test/{domain,contract,cli,architecture}/**/*.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/support/watch-log.ts', 'test/support/seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    env: logEnvironment,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, 'test/process/**'],
        },
      },
    ],
  },
});
