// A private npm registry on this machine, to publish to and install from as users will: nothing leaves the machine.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../local/emulators/free-port.ts';
import { projectNode, root } from '../project-node.mjs';

const verdaccio = 'verdaccio@6.10.4';

/**
 * Starts an empty registry. `npm` runs npm against it in a folder and returns what it prints; `stop` ends the registry
 * and removes its packages. Throws if it does not start within a minute.
 */
export async function startRegistry() {
  const folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const config = path.join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      storage: path.join(folder, 'packages'),
      packages: { '**': { access: '$all', publish: '$all' } },
      web: { enable: false },
      log: { type: 'stdout', format: 'pretty', level: 'fatal' },
    }),
  );
  // Npm publishes only with a token; the registry takes any.
  writeFileSync(path.join(folder, 'npmrc'), `registry=${address}\n//127.0.0.1:${port}/:_authToken=any\n`);
  const program = path.join(installed(), 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const server = spawn(projectNode, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  await ready(address);
  return {
    npm: (cwd, ...args) =>
      execFileSync(
        'npm',
        ['--silent', '--no-audit', '--no-fund', '--userconfig', path.join(folder, 'npmrc'), ...args],
        {
          cwd,
          encoding: 'utf8',
          env: { ...process.env, npm_config_registry: address, npm_config_cache: path.join(folder, 'cache') },
        },
      ),
    stop: () => {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The registry's program is no dependency of the checkout: only a release needs it. */
function installed() {
  const folder = path.join(root, '.cache', verdaccio);
  if (!existsSync(path.join(folder, 'node_modules', 'verdaccio'))) {
    mkdirSync(folder, { recursive: true });
    // One of its packages asks for a tag of node-fetch that mirrors of npm do not have.
    writeFileSync(path.join(folder, 'package.json'), '{ "overrides": { "node-fetch": "2.7.0" } }');
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', verdaccio], { cwd: folder });
  }
  return folder;
}

async function ready(address) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(`${address}-/ping`).catch(() => null);
    if (response?.ok) return;
    await setTimeout(200);
  }
  throw new Error('The private registry did not start within a minute.');
}
