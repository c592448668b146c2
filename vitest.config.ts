import { defineConfig } from 'vitest/config';
import { logEnvironment } from './test/support/log-environment.ts';

/** Tests without stores. */
const pure = ['test/{domain,contract,cli,architecture}/**/*.test.ts'];

/** These need modules of their own: of functions' entries, which read their environment when they load, and mocked ones. */
export const isolated = [
  'test/flows/{export-rules,ingest-rules,recorded,request-rules,route-answers,system,workspaces}.test.ts',
  'test/security/mcp-requests.test.ts',
  'test/adapters/{stalled-body,throttled-batches,wait-until-stored}.test.ts',
  'test/cli/progress.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['test/support/restore-environment.ts', 'test/support/watch-log.ts', 'test/support/seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    env: logEnvironment,
    pool: 'forks',
    maxWorkers: 2,
    // To load the sources and start the stores for each file anew would double the cost of all.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude: isolated } },
      {
        extends: true,
        test: {
          name: 'stores',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...isolated, 'test/process/**'],
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
    ],
  },
});
