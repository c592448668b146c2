import type { RepositoryPlace } from '../../domain/codehost/pull-requests/ports.ts';

/** The parameters by which routes of GitHub's REST interface name a repository. */
export function repositoryParameters({ repository }: RepositoryPlace): {
  readonly owner: string;
  readonly repo: string;
} {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
