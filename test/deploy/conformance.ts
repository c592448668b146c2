import path from 'node:path';
import { run } from './run.ts';

/** Runs files of the contract's tests against a deployment; answers the names of the tests that fail. */
export async function failures(
  folder: string,
  files: readonly string[],
  { credentials, without }: { readonly credentials: string; readonly without: readonly string[] },
): Promise<string[]> {
  const { PATH = '' } = process.env;
  const { output } = await run({ PATH, TRIBUTARY_CREDENTIALS: credentials }, [
    ...['node', '--test', '--test-reporter=tap'],
    ...without.map((name) => `--test-skip-pattern=${name}`),
    ...files.map((file) => path.join(folder, `${file}.test.mjs`)),
  ]);
  const passed = /^# pass (\d+)$/m.exec(output)?.[1];
  if (!passed || passed === '0') throw new Error(`No test of the contract passed:\n${output.slice(-4_000)}`);
  return [...output.matchAll(/^\s*not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
}
