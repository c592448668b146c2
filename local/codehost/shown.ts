import type { HostInstallation, HostPull, HostRepository } from './state.ts';

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
