// Installs what is missing, runs the tests under the project's own Node and closes with one line that counts them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import './ensure-installed.mjs';
import { projectNode, root } from './project-node.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'tests-'));
const report = path.join(folder, 'report.json');

const tests = spawn(
  projectNode,
  [
    path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal));

tests.on('exit', (status) => {
  const { passed, failed } = counts();
  rmSync(folder, { recursive: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : (status ?? 1);
});

/** A file that could not be loaded or set up has failed, though none of its tests did. */
function counts() {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    const unloaded = result.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
    );
    return { passed: result.numPassedTests, failed: result.numFailedTests + unloaded.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
