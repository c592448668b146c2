import path from 'node:path';
import { parseArgs } from 'node:util';
import { Fault } from '../shared/contract/problems.ts';
import { localSettings, settings } from '../shared/contract/settings.ts';

const seeds = ['sample', 'conformance', 'none'] as const;
export type SeedName = (typeof seeds)[number];

export type LocalOptions = {
  readonly port: number;
  /** The address that the API and sign-in listen on, if it is not loopback. */
  readonly host: string | undefined;
  /** Where state is kept, or null if it dies with the process. */
  readonly folder: string | null;
  readonly seed: SeedName;
  readonly credentials: string;
  readonly watch: boolean;
  readonly strictAws: boolean;
  readonly verbose: boolean;
};

export const usage = `Runs the whole service on this machine.

  npm run local -- [--port 4600] [--host ADDRESS] [--data DIR | --in-memory] [--seed sample|conformance|none] [--credentials FILE] [--watch]
                   [--strict-aws] [--verbose]

  --port         where the API listens on loopback; 0 takes a free one
  --host         listens on this address instead, with sign-in at the next port: 0.0.0.0 in a container
  --data         keeps all state in DIR (default: .local/data); --in-memory keeps none
  --seed         makes workspaces, keys and tokens (default: none)
  --credentials  writes how to reach and use the service to FILE once it takes requests (default: .local/credentials.json)
  --watch        takes changed sources up without a restart
  --strict-aws   holds requests, answers, functions and queues to the limits and rules of AWS
  --verbose      logs a line for each request

Environment:
${settingLines()}
`;

function settingLines(): string {
  const all = Object.entries({ ...settings, ...localSettings });
  return all.map(([name, { otherwise, says }]) => `  ${name.padEnd(20)} ${says} (default: ${otherwise})`).join('\n');
}

/** @throws where an option is unknown or malformed; the message may be shown as it is. */
export function readOptions(args: readonly string[]): LocalOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4600' },
      host: { type: 'string' },
      data: { type: 'string' },
      'in-memory': { type: 'boolean', default: false },
      seed: { type: 'string', default: 'none' },
      credentials: { type: 'string' },
      watch: { type: 'boolean', default: false },
      'strict-aws': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.data !== undefined && values['in-memory'])
    throw new Fault('option_conflict', 'Give --data or --in-memory, not both.');
  return {
    port: portOf(values.port),
    host: values.host,
    folder: values['in-memory'] ? null : path.resolve(values.data ?? path.join('.local', 'data')),
    seed: seedOf(values.seed),
    credentials: path.resolve(values.credentials ?? path.join('.local', 'credentials.json')),
    watch: values.watch,
    strictAws: values['strict-aws'],
    verbose: values.verbose,
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Fault('option_port', '--port takes a number from 0 to 65535.');
  return port;
}

function seedOf(text: string): SeedName {
  const found = seeds.find((name) => name === text);
  if (!found) throw new Fault('option_seed', `--seed takes one of ${seeds.join(', ')}.`);
  return found;
}
