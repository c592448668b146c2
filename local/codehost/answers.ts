import * as v from 'valibot';
import type { HostInstallation, HostPull, HostRepository } from './state.ts';

export type HostAnswer = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export class HostRefusal extends Error {
  readonly answer: HostAnswer;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.answer = {
      status,
      headers,
      body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
    };
  }
}

export const ok = (body: unknown, status = 200): HostAnswer => ({ status, body });

export const notFound = (): HostRefusal => new HostRefusal(404, 'Not Found');

/** The thing, or the host's 404. */
export function required<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}

/** What a request sent, by its schema; else the host's 422. */
export function readBody<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const { success, output } = v.safeParse(schema, body);
  if (!success) throw new HostRefusal(422, 'Invalid request.');
  return output;
}

/** As the interface shows them. */

export const shownInstallation = ({ id, appId, account, permissions, suspendedAt }: HostInstallation) => ({
  id,
  app_id: appId,
  account: { ...account, html_url: `https://codehost.test/${account.login}` },
  html_url: `https://codehost.test/organizations/${account.login}/settings/installations/${id}`,
  permissions,
  repository_selection: 'selected',
  target_id: account.id,
  target_type: account.type,
  suspended_at: suspendedAt,
});

export const shownPull = ({ owner, name }: HostRepository, pull: HostPull) => ({
  number: pull.number,
  state: pull.state,
  head: { sha: pull.head, ref: pull.branch, label: `${pull.owner}:${pull.branch}` },
  base: { ...pull.base, repo: { full_name: `${owner}/${name}` } },
});
