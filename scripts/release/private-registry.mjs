// Private registries on this machine, to publish to and install from as users will: nothing leaves the machine.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../local/emulators/free-port.ts';
import { startSupervised, stopSupervised } from '../../local/emulators/supervised-process.ts';
import { projectNode, root } from '../project-node.mjs';

const verdaccio = 'verdaccio@6.10.4';

/**
 * Starts an empty npm registry for the packages of a scope; all others come from the machine's. `environment` is that of
 * programs that use it; `stop` ends the registry and removes its packages. Throws if it does not start within a minute.
 */
export async function startRegistry(scope) {
  const folder = mkdtempSync(path.join(tmpdir(), 'registry-'));
  const port = await freePort();
  const config = path.join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      storage: path.join(folder, 'packages'),
      packages: { '**': { access: '$all', publish: '$all' } },
      web: { enable: false },
      // The service's package is larger than what a registry takes by default.
      max_body_size: '100mb',
      log: { type: 'stdout', format: 'pretty', level: 'fatal' },
    }),
  );
  // Npm publishes only with a token; the registry takes any.
  const npmrc = path.join(folder, 'npmrc');
  writeFileSync(npmrc, `${scope}:registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=any\n`);
  // One of its packages asks for a tag of node-fetch that mirrors of npm do not have.
  const program = path.join(
    await installed(verdaccio, { 'node-fetch': '2.7.0' }),
    'node_modules',
    'verdaccio',
    'bin',
    'verdaccio',
  );
  const server = startSupervised(projectNode, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  await ready(`http://127.0.0.1:${port}/-/ping`);
  const cache = path.join(folder, 'cache');
  mkdirSync(cache);
  // What npx installed before is not used, but what npm downloaded before is.
  const downloads = path.join((await runs(['npm', 'config', 'get', 'cache'])).trim(), '_cacache');
  if (existsSync(downloads)) symlinkSync(downloads, path.join(cache, '_cacache'));
  return {
    // Another registry may have had the port, and its answers may be in npm's cache.
    environment: {
      npm_config_userconfig: npmrc,
      npm_config_cache: cache,
      npm_config_prefer_online: 'true',
      npm_config_loglevel: 'error',
    },
    stop: async () => {
      await stopSupervised(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A folder with a package that is no dependency of the checkout: only a release needs it. */
export async function installed(spec, overrides = {}) {
  const folder = path.join(root, '.cache', spec);
  const mark = path.join(folder, '.installed');
  if (!existsSync(mark)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ overrides }));
    await runs(['npm', 'install', '--silent', '--no-audit', '--no-fund', spec], { cwd: folder });
    writeFileSync(mark, '');
  }
  return folder;
}

/** Starts an empty Python index with a program of an environment that has pypiserver. */
export async function startIndex(commands) {
  const folder = mkdtempSync(path.join(tmpdir(), 'index-'));
  const port = await freePort();
  const options = ['--interface', '127.0.0.1', '--port', String(port), '--passwords', '.', '--authenticate', '.'];
  const server = startSupervised(path.join(commands, 'pypi-server'), ['run', ...options, '--disable-fallback', folder]);
  const address = `http://127.0.0.1:${port}/`;
  await ready(`${address}health`);
  return {
    address,
    stop: async () => {
      await stopSupervised(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ready(address) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const response = await fetch(address).catch(() => null);
    if (response?.ok) return;
    await setTimeout(200);
  }
  throw new Error('A private registry did not start within a minute.');
}

/** Runs a program and returns what it prints on both streams. Throws with all of that unless it ends with the status. */
export function runs([program, ...args], { cwd, env = {}, status: wanted = 0 } = {}) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env: { ...process.env, ...env }, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const status = error ? error.code : 0;
      if (status === wanted) resolve(stdout + stderr);
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${status}:\n${stdout}${stderr}`));
    });
  });
}
