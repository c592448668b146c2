import type { ParseArgsConfig, parseArgs } from 'node:util';
import type { OperatorPorts } from '../../shared/domain/workspaces/access/operator.ts';
import type { Connection } from '../connect.ts';
import { UsageError } from '../outcome.ts';

/** Every option of `tributary admin`, each with one meaning wherever it is taken. */
export const options = {
  credentials: { type: 'string' },
  tenant: { type: 'string' },
  actor: { type: 'string' },
  json: { type: 'boolean' },
  'no-pats': { type: 'boolean' },
  role: { type: 'string' },
  email: { type: 'string' },
  kind: { type: 'string' },
  namespace: { type: 'string', multiple: true },
  'add-namespace': { type: 'string', multiple: true },
  'default-database': { type: 'string' },
  'default-schema': { type: 'string' },
  'datahub-env': { type: 'string' },
  'datahub-platform-instance': { type: 'string', multiple: true },
  'observed-retention-days': { type: 'string' },
  'shrink-guard': { type: 'string' },
  'expression-literals': { type: 'string' },
  'events-retention-days': { type: 'string' },
  environment: { type: 'string', multiple: true },
  origin: { type: 'string', multiple: true },
  rate: { type: 'string' },
  burst: { type: 'string' },
  limit: { type: 'string' },
  workspace: { type: 'string' },
  verify: { type: 'boolean' },
  from: { type: 'string' },
  at: { type: 'string' },
  resume: { type: 'boolean' },
  url: { type: 'string' },
  user: { type: 'string' },
  yes: { type: 'boolean' },
  job: { type: 'string' },
  q: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

export type Option = keyof typeof options;
export type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

export type AdminContext = { readonly ports: OperatorPorts; readonly connection: Connection };

export type Command = {
  /** What stands after the command's words: `WORKSPACE NAME`. */
  readonly operands: readonly string[];
  readonly options?: readonly Option[];
  readonly says: string;
  /** Answers what is printed. */
  readonly run: (context: AdminContext, operands: readonly string[], values: Values) => Promise<unknown>;
};

export type Commands = Readonly<Record<string, Command>>;

/** The number that an option holds, or undefined if it is not given. */
export function numberOf(
  values: Values,
  option: 'rate' | 'burst' | 'limit' | 'observed-retention-days' | 'events-retention-days',
): number | undefined {
  const text = values[option];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${option} takes a whole number`);
  return Number(text);
}

/** The time that an option holds, or null if it is not given. */
export function timeOf(values: Values, option: 'at'): Date | null {
  const text = values[option];
  if (text === undefined) return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new UsageError(`--${option} takes a time, such as 2026-11-22T09:00:00Z`);
  return time;
}

/** The word that an option holds, which has to be one of `words`. */
export function wordOf<const W extends string>(
  values: Values,
  option: 'role' | 'kind' | 'expression-literals',
  words: readonly W[],
): W {
  const word = words.find((one) => one === values[option]);
  if (word === undefined) throw new UsageError(`--${option} takes one of ${words.join(', ')}`);
  return word;
}
