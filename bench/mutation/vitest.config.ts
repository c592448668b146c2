import path from 'node:path';
import { mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import quick from '../../vitest.config.ts';

const order = (process.env['MUTATION_TESTS'] ?? '').split(',');

/** Runs the test files in the order of MUTATION_TESTS. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => order.findIndex((one) => moduleId.endsWith(one));
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The tests of `npm test` and `npm run test:process`, one file after the other. Tests that read sources as text judge no mutant. */
export default mergeConfig(quick, {
  test: {
    root: path.resolve(import.meta.dirname, '..', '..'),
    setupFiles: ['bench/mutation/log-file.ts'],
    exclude: ['test/architecture/**', 'node_modules/**'],
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    projects: [{ extends: true, test: { name: 'process', include: ['test/process/**/*.test.ts'], isolate: true } }],
  },
});
