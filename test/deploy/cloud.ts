import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '../../local/emulators/free-port.ts';
import { startSupervised, stopSupervised } from '../../local/emulators/supervised-process.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

/** An emulated account on loopback, and the environment variables for an SDK and the CDK. */
export type Cloud = {
  readonly endpoint: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder that goes with it. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
};

/** Starts the emulator with the Python that has it; it takes no connection from elsewhere, and keeps nothing. */
export async function startCloud(program: string): Promise<Cloud> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  // Functions run under the Node that runs this.
  const PATH = [path.join(root, 'node_modules', '.bin'), process.env['PATH']].join(path.delimiter);
  const child = startSupervised(program, [path.join(import.meta.dirname, 'emulator.py')], {
    env: {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      PLANTED: path.join(folder, 'planted'),
      STATE_DIR: path.join(folder, 'state'),
      S3_DATA_DIR: path.join(folder, 'objects'),
    },
  });
  while (!(await answers(endpoint))) {
    if (child.exitCode !== null) throw new Error('The emulator ended while it started.');
    await after(100);
  }
  return {
    endpoint,
    folder,
    environment: {
      PATH,
      HOME: folder,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    },
    stop: async () => {
      await stopSupervised(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(`${endpoint}/_ministack/health`).then(
    ({ ok }) => ok,
    () => false,
  );
